// How many vertices carry each label: the array behind every question about sizes.
#pragma once
#include <copse/labels.hpp>

#include <algorithm>
#include <cstdint>

namespace copse {

/// counts[l] = how many slots have label l. Neighbouring vertices often share a label, so a run is counted before it is added.
template <unsigned_index Id>
buffer<Id> count_labels(const buffer<Id>& labels, std::pmr::memory_resource* memory) {
  buffer<Id> counts(labels.size(), memory);
  std::ranges::fill(counts, Id{0});
  for (std::size_t i = 0; i < labels.size();) {
    const Id label = labels[i];
    std::size_t end = i + 1;
    while (end < labels.size() && labels[end] == label) ++end;
    if (label != no_vertex<Id>) counts[label] += static_cast<Id>(end - i);
    i = end;
  }
  return counts;
}

}  // namespace copse
