// The forest that a saved structure records, checked before it is used.
#pragma once
#include <copse/memory.hpp>
#include <drivers/incremental/connectivity_file.hpp>

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <numeric>
#include <string>

namespace copse::api {

/// Throws input_error unless the edges of a saved forest lie inside components and close no cycle; if they are said to be the forest of all
/// edges, they join every component.
template <class Id>
void expect_forest(const drivers::connectivity<Id>& saved, const drivers::refuser& refuse, std::pmr::memory_resource* memory) {
  const auto& labels = saved.labels;
  buffer<Id> parents{labels.size(), memory};
  std::iota(parents.begin(), parents.end(), Id{0});
  const auto root_of = [&parents](Id v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
  };
  for (const auto [a, b] : *saved.forest) {
    const bool inside = a < labels.size() && b < labels.size() && labels[a] != no_vertex<Id> && labels[a] == labels[b];
    const Id root_a = inside ? root_of(a) : Id{0}, root_b = inside ? root_of(b) : Id{0};
    if (root_a == root_b) {
      refuse("the forest edge " + std::to_string(a) + " " + std::to_string(b), "edges inside components that close no cycle");
    }
    parents[std::max(root_a, root_b)] = std::min(root_a, root_b);
  }
  std::uint64_t links = 0;
  for (std::size_t v = 0; v < labels.size(); ++v) links += labels[v] != no_vertex<Id> && labels[v] != v ? 1 : 0;
  if (saved.knows_all_edges && saved.forest->size() != links) {
    refuse("a forest of " + std::to_string(saved.forest->size()) + " edges", std::to_string(links) + ", which join all components");
  }
}

}  // namespace copse::api
