// How many vertices carry each label: the array behind every question about sizes.
#pragma once
#include <copse/labels.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace copse {

/// counts[l] = how many slots have label l. Neighbouring vertices often share a label, or are absent, so labels that are that of one before
/// them are counted many at once, without a branch each.
template <unsigned_index Id>
buffer<Id> count_labels(const buffer<Id>& labels, std::pmr::memory_resource* memory) {
  buffer<Id> counts(labels.size(), memory);
  std::ranges::fill(counts, Id{0});
  constexpr std::size_t together = 32;
  Id common = 0, of_common = 0;
  std::size_t i = 0;
  const auto count_until = [&](std::size_t end) {
    for (; i < end; ++i) {
      if (labels[i] == no_vertex<Id>) continue;
      if (labels[i] != common) {
        counts[common] += std::exchange(of_common, Id{0});
        common = labels[i];
      }
      ++of_common;
    }
  };
  while (i + together <= labels.size()) {
    Id same = 0, absent = 0;
    for (std::size_t k = i; k < i + together; ++k) {
      same += static_cast<Id>(labels[k] == common);
      absent += static_cast<Id>(labels[k] == no_vertex<Id>);
    }
    if (same + absent == together) {
      of_common += same;
      i += together;
    } else {
      count_until(i + together);
    }
  }
  count_until(labels.size());
  if (of_common != 0) counts[common] += of_common;
  return counts;
}

/// visit(label, count) for every label that has vertices, ascending. Where components are few, most counts are 0: many at once are passed
/// over.
template <unsigned_index Id, class Visit>
void for_each_count(const buffer<Id>& counts, Visit visit) {
  constexpr std::size_t together = 32;
  for (std::size_t begin = 0; begin < counts.size(); begin += together) {
    const std::size_t end = std::min(begin + together, counts.size());
    Id any = 0;
    for (std::size_t label = begin; label < end; ++label) any |= counts[label];
    if (any == 0) continue;
    for (std::size_t label = begin; label < end; ++label) {
      if (counts[label] != 0) visit(label, counts[label]);
    }
  }
}

}  // namespace copse
