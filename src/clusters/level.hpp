// The pairs that remain at a threshold, represented by a spanning forest: its components before constraints are applied, and which of them
// break one.
//
// A record's best pair is in every maximum spanning forest, as it is the heaviest edge between the record and all others. So the forest of
// all pairs is enough for rules about best pairs. A second forest, of the pairs that are not in the first, is enough for bridges: at any
// threshold the bridges of all pairs are those of both forests together (Nagamochi and Ibaraki, "A linear-time algorithm for finding a
// sparse k-connected spanning subgraph of a k-connected graph", 1992). As both are maximum forests, one pair of forests serves every
// threshold.
#pragma once
#include <clusters/constraints.hpp>
#include <clusters/scored_pair.hpp>
#include <copse/bridges.hpp>
#include <copse/cluster.hpp>
#include <copse/components.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <core/parallel.hpp>
#include <core/parallel_buffers.hpp>
#include <core/team.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace copse::clusters {

/// A list of pairs that grows one by one; a pair_buffer has a size that is known in advance.
template <unsigned_index Id>
using pairs_of = std::pmr::vector<scored_pair<Id>>;
template <unsigned_index Id>
using pair_buffer = buffer<scored_pair<Id>>;

/// Returns an empty list for each worker. Each is made in place, since a copy of a pmr vector would use the default memory resource.
template <unsigned_index Id>
std::vector<pairs_of<Id>> pairs_of_workers(unsigned workers, std::pmr::memory_resource* memory) {
  std::vector<pairs_of<Id>> all;
  for (unsigned w = 0; w < workers; ++w) all.emplace_back(memory);
  return all;
}

/// Returns the pairs whose key is at most `last`, the key of a threshold: those whose score reaches it (higher scores have smaller keys).
template <unsigned_index Id>
pair_buffer<Id> reaching(std::span<const scored_pair<Id>> pairs, std::uint64_t last, const execution& on) {
  return selected<scored_pair<Id>>(
      pairs.size(), [&](std::size_t i) { return pairs[i].key <= last; }, [&](std::size_t i) { return pairs[i]; },
      usable_threads(on.threads), on.memory);
}

/// Returns canonical labels of the components that these pairs form.
template <unsigned_index Id>
buffer<Id> labels_of(Id vertices, std::span<const scored_pair<Id>> pairs, const execution& on) {
  const unsigned threads = usable_threads(on.threads);
  const auto edges = made<edge<Id>>(
      pairs.size(),
      [&](std::size_t i) {
        return edge<Id>{pairs[i].u, pairs[i].v};
      },
      threads, on.memory);
  execution by_cpu = on;
  by_cpu.device = "cpu";
  labelling found = components(graph_view{coo_view<Id>{vertices, edges.span(), true}}, {}, by_cpu).labels;
  return std::visit(
      [&]<class Found>(const buffer<Found>& labels) {
        return made<Id>(
            labels.size(), [&](std::size_t v) { return static_cast<Id>(labels[v]); }, threads, on.memory);
      },
      found.labels());
}

/// Removes the pairs whose mark is 0.
template <unsigned_index Id>
void keep(pair_buffer<Id>& pairs, const buffer<unsigned char>& marks, const execution& on) {
  pairs = selected<scored_pair<Id>>(
      pairs.size(), [&](std::size_t i) { return marks[i] != 0; }, [&](std::size_t i) { return pairs[i]; }, usable_threads(on.threads),
      on.memory);
}

/// Keeps the pairs of a maximum spanning forest that are the best pair of one of their records, or of both, as `links` says.
template <unsigned_index Id>
void keep_best(Id vertices, pair_buffer<Id>& forest, link_rule links, const execution& on) {
  if (links == link_rule::all) return;
  constexpr std::size_t none = SIZE_MAX;
  const unsigned threads = usable_threads(on.threads);
  buffer<std::size_t> best = filled(vertices, none, threads, on.memory);
  const auto propose = [&](Id v, std::size_t i) {
    const std::atomic_ref<std::size_t> slot{best[v]};
    std::size_t held = slot.load(std::memory_order_relaxed);
    while ((held == none || forest[i] < forest[held]) && !slot.compare_exchange_weak(held, i, std::memory_order_relaxed)) {
    }
  };
  parallel_blocks(threads, forest.size(), items_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) propose(forest[i].u, i), propose(forest[i].v, i);
  });
  const auto keeps = [&](std::size_t i) {
    const bool of_u = best[forest[i].u] == i, of_v = best[forest[i].v] == i;
    return links == link_rule::mutual ? of_u && of_v : of_u || of_v;
  };
  forest = selected<scored_pair<Id>>(
      forest.size(), keeps, [&](std::size_t i) { return forest[i]; }, threads, on.memory);
}

/// Removes bridges of the graph of `forest` and `others` from `forest`: those with a key above `weakest`, which means a lower score, and at
/// least two vertices on each side. Returns how many.
template <unsigned_index Id>
std::uint64_t cut_weak_bridges(Id vertices, pair_buffer<Id>& forest, std::span<const scored_pair<Id>> others, std::uint64_t weakest,
                               const execution& on) {
  if (forest.empty()) return 0;
  const unsigned threads = usable_threads(on.threads);
  const auto edges = made<edge<Id>>(
      forest.size() + others.size(),
      [&](std::size_t i) {
        const scored_pair<Id>& p = i < forest.size() ? forest[i] : others[i - forest.size()];
        return edge<Id>{p.u, p.v};
      },
      threads, on.memory);
  execution by_cpu = on;
  by_cpu.device = "cpu";
  const bridges_result found = bridges(graph_view{coo_view<Id>{vertices, edges.span(), true}}, {.simple = true}, by_cpu);
  buffer<unsigned char> keeps = filled(forest.size(), static_cast<unsigned char>(1), threads, on.memory);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < found.positions.size(); ++i) {
    const std::uint64_t at = found.positions[i];  // below forest.size(): every bridge is in `forest`, whose edges come first
    if (forest[at].key <= weakest || found.smaller_sides[i] < 2) continue;
    keeps[at] = 0;
    ++count;
  }
  keep(forest, keeps, on);
  return count;
}

template <unsigned_index Id>
struct level {
  std::uint64_t last_key;  ///< the key of the threshold: pairs below the threshold have larger keys
  std::uint64_t cut_bridges = 0;
  pair_buffer<Id> forest;        ///< a spanning forest of the pairs that remain
  buffer<Id> components;         ///< the label of each vertex
  buffer<unsigned char> broken;  ///< for each label: nonzero if the component breaks a constraint

  [[nodiscard]] bool any_broken() const {
    return std::ranges::any_of(broken.span(), [](unsigned char b) { return b != 0; });
  }
  [[nodiscard]] bool is_broken(Id v) const noexcept { return broken[components[v]] != 0; }
  /// True for a pair inside a component that breaks a constraint: such pairs are taken one by one.
  [[nodiscard]] bool wants(const scored_pair<Id>& p) const noexcept {
    return p.key <= last_key && is_broken(p.u) && components[p.u] == components[p.v];
  }
};

}  // namespace copse::clusters
