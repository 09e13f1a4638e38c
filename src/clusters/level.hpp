// The pairs that remain at a threshold, as a forest of them: what joins before constraints are looked at, and which components break one.
//
// A record's best pair is in every maximum spanning forest, as it is the heaviest edge between the record and all others. So the forest of
// all pairs is enough for the rules on best pairs. A second forest, of the pairs that are not in the first, is enough for bridges: what
// both have at a threshold has the bridges of all pairs there (Nagamochi and Ibaraki, "A linear-time algorithm for finding a sparse
// k-connected spanning subgraph of a k-connected graph", 1992). As both are maximum forests, one pair of forests serves every threshold.
#pragma once
#include <clusters/constraints.hpp>
#include <clusters/scored_pair.hpp>
#include <copse/bridges.hpp>
#include <copse/cluster.hpp>
#include <copse/components.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace copse::clusters {

template <unsigned_index Id>
using pairs_of = std::pmr::vector<scored_pair<Id>>;

/// Nothing for each worker. Copies of such a vector would take other memory.
template <unsigned_index Id>
std::vector<pairs_of<Id>> pairs_of_workers(unsigned workers, std::pmr::memory_resource* memory) {
  std::vector<pairs_of<Id>> all;
  for (unsigned w = 0; w < workers; ++w) all.emplace_back(memory);
  return all;
}

/// What workers found, in one piece. Frees theirs.
template <unsigned_index Id>
pairs_of<Id> in_one_piece(std::vector<pairs_of<Id>> found, std::pmr::memory_resource* memory) {
  pairs_of<Id> all{memory};
  std::size_t count = 0;
  for (const auto& own : found) count += own.size();
  all.reserve(count);
  for (auto& own : found) {
    all.insert(all.end(), own.begin(), own.end());
    own = pairs_of<Id>{memory};
  }
  return all;
}

/// The pairs whose key is not above `last`.
template <unsigned_index Id>
pairs_of<Id> reaching(std::span<const scored_pair<Id>> pairs, std::uint64_t last, std::pmr::memory_resource* memory) {
  pairs_of<Id> reached{memory};
  std::ranges::copy_if(pairs, std::back_inserter(reached), [last](const auto& p) { return p.key <= last; });
  return reached;
}

/// Canonical labels of the components of these pairs.
template <unsigned_index Id>
buffer<Id> labels_of(Id vertices, std::span<const scored_pair<Id>> pairs, const execution& on) {
  buffer<edge<Id>> edges{pairs.size(), on.memory};
  std::ranges::transform(pairs, edges.begin(), [](const auto& p) { return edge<Id>{p.u, p.v}; });
  execution by_cpu = on;
  by_cpu.device = "cpu";
  labelling found = components(graph_view{coo_view<Id>{vertices, edges.span(), true}}, {}, by_cpu).labels;
  return std::visit(
      [&]<class Found>(const buffer<Found>& labels) {
        buffer<Id> copy{labels.size(), on.memory};
        std::ranges::copy(labels.span(), copy.begin());
        return copy;
      },
      found.labels());
}

/// Drops the pairs that are not marked.
template <unsigned_index Id>
void keep(pairs_of<Id>& pairs, const std::pmr::vector<bool>& marks) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (marks[i]) pairs[kept++] = pairs[i];
  }
  pairs.resize(kept);
}

/// Keeps the pairs of a maximum spanning forest that are the best ones of their records.
template <unsigned_index Id>
void keep_best(Id vertices, pairs_of<Id>& forest, link_rule links, std::pmr::memory_resource* memory) {
  if (links == link_rule::all) return;
  constexpr std::size_t none = SIZE_MAX;
  std::pmr::vector<std::size_t> best(vertices, none, memory);
  const auto propose = [&](Id v, std::size_t i) {
    if (best[v] == none || forest[i] < forest[best[v]]) best[v] = i;
  };
  for (std::size_t i = 0; i < forest.size(); ++i) propose(forest[i].u, i), propose(forest[i].v, i);
  std::pmr::vector<bool> keeps(forest.size(), memory);
  for (std::size_t i = 0; i < forest.size(); ++i) {
    const bool of_u = best[forest[i].u] == i, of_v = best[forest[i].v] == i;
    keeps[i] = links == link_rule::mutual ? of_u && of_v : of_u || of_v;
  }
  keep(forest, keeps);
}

/// Cuts the bridges of `forest` and `others` together that are weaker than the key `weakest` and part at least two vertices from two.
/// Returns how many.
template <unsigned_index Id>
std::uint64_t cut_weak_bridges(Id vertices, pairs_of<Id>& forest, std::span<const scored_pair<Id>> others, std::uint64_t weakest,
                               const execution& on) {
  if (forest.empty()) return 0;
  buffer<edge<Id>> edges{forest.size() + others.size(), on.memory};
  const auto ends = [](const scored_pair<Id>& p) { return edge<Id>{p.u, p.v}; };
  std::ranges::transform(others, std::ranges::transform(forest, edges.begin(), ends).out, ends);
  execution by_cpu = on;
  by_cpu.device = "cpu";
  const bridges_result found = bridges(graph_view{coo_view<Id>{vertices, edges.span(), true}}, {.simple = true}, by_cpu);
  std::pmr::vector<bool> keeps(forest.size(), true, on.memory);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < found.positions.size(); ++i) {
    const std::uint64_t at = found.positions[i];  // a bridge is in every spanning forest
    if (forest[at].key <= weakest || found.smaller_sides[i] < 2) continue;
    keeps[at] = false;
    ++count;
  }
  keep(forest, keeps);
  return count;
}

template <unsigned_index Id>
struct level {
  std::uint64_t last_key;  ///< the key of the threshold: weaker pairs have larger ones
  std::uint64_t cut_bridges = 0;
  pairs_of<Id> forest;           ///< a spanning forest of the pairs that remain
  buffer<Id> components;         ///< the label of each vertex
  buffer<unsigned char> broken;  ///< for each label: does the component break a constraint?

  [[nodiscard]] bool any_broken() const {
    return std::ranges::any_of(broken.span(), [](unsigned char b) { return b != 0; });
  }
  [[nodiscard]] bool is_broken(Id v) const noexcept { return broken[components[v]] != 0; }
  /// True for a pair that is to be taken one by one.
  [[nodiscard]] bool wants(const scored_pair<Id>& p) const noexcept {
    return p.key <= last_key && is_broken(p.u) && components[p.u] == components[p.v];
  }
};

}  // namespace copse::clusters
