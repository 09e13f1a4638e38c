// Degrees and components of edge lists.
#pragma once
#include <support/reference.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "edges.hpp"

namespace copse::test {

using ids = std::vector<std::uint32_t>;

inline ids degrees_of(const coo<std::uint32_t>& list) {
  ids degrees(list.vertex_count);
  for (const edge<std::uint32_t> e : list.edges) {
    ++degrees[e.u];
    ++degrees[e.v];
  }
  return degrees;
}

/// Sizes of all components, ascending.
inline std::vector<std::size_t> component_sizes_of(const coo<std::uint32_t>& list) {
  std::map<std::uint32_t, std::size_t> sizes;
  for (const std::uint32_t label : reference_labels(list.view())) ++sizes[label];
  std::vector<std::size_t> sorted;
  for (const auto& [label, size] : sizes) sorted.push_back(size);
  std::ranges::sort(sorted);
  return sorted;
}

inline std::size_t components_of(const coo<std::uint32_t>& list) { return component_sizes_of(list).size(); }

/// Are all edges different pairs without loops?
inline bool is_simple(const coo<std::uint32_t>& list) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  return std::ranges::all_of(list.edges, [&](const auto e) { return e.u != e.v && seen.insert(std::minmax(e.u, e.v)).second; });
}

inline std::map<std::uint32_t, int> degree_counts(const coo<std::uint32_t>& list) {
  std::map<std::uint32_t, int> counts;
  for (const std::uint32_t degree : degrees_of(list)) ++counts[degree];
  return counts;
}

}  // namespace copse::test
