// Inserts of a batch by a union-find rule, in blocks that fit the first-level cache. Most edges of most streams join vertices that have
// the same parent already: a first pass over a block finds these without a branch, so that the loads of many edges overlap and no branch is
// mispredicted; only the others go through the rule, whose words the first pass has loaded into the cache.
#pragma once
#include <copse/operations.hpp>
#include <copse/views.hpp>
#include <drivers/incremental/live_forest.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::drivers {

/// A batch, or the operations of one kind in it. `kinds` may be nullptr: all are of every kind.
template <class Id>
struct batch_part {
  std::span<const edge<Id>> pairs;
  const operation* kinds = nullptr;

  [[nodiscard]] bool is(operation kind, std::size_t i) const noexcept { return kinds == nullptr || kinds[i] == kind; }
  /// Pair i when it is an insert; otherwise a loop at vertex 0: the ids of a query may have no words, and are not worth a cache line yet.
  [[nodiscard]] edge<Id> inserted(std::size_t i) const noexcept { return is(operation::insert, i) ? pairs[i] : edge<Id>{0, 0}; }
};

/// How many pairs ahead a vertex is prefetched.
inline constexpr std::size_t pairs_ahead = 32;

/// Called by a rule for each link: counts it, makes the ends of the edge exist, keeps the edge.
template <class Forest, class Id>
struct note_link {
  typename Forest::marks exists;
  edge<Id>* slots;
  edge<Id> e;
  link_tally* tally;

  void operator()(Id root, Id /*parent*/) const noexcept {
    ++tally->links;
    tally->vertices += static_cast<std::uint64_t>(exists.raise(e.u)) + static_cast<std::uint64_t>(exists.raise(e.v));
    if (slots != nullptr) slots[root] = e;  // no other thread links this root, ever
  }
};

/// Precondition: all ids have words.
template <class Unite, class Backend, class Id>
void insert_batch(const Backend& loops, live_forest<Backend, Id>& trees, batch_part<Id> batch) {
  using forest = live_forest<Backend, Id>;
  constexpr bool marks_all_ends = Unite::traits.moves_subtrees && Backend::concurrent;
  constexpr std::size_t block_edges = 256;
  const auto parents = trees.template parents<Unite::traits.aux, false>();
  const auto words = trees.plain();
  loops.for_blocks(batch.pairs.size(), [=, &trees, exists = trees.exists(), slots = trees.link_slots()](std::size_t from, std::size_t to) {
    link_tally tally;
    std::array<std::uint16_t, block_edges> open;
    for (std::size_t begin = from; begin < to; begin += block_edges) {
      const std::size_t size = std::min(block_edges, to - begin);
      std::size_t open_count = 0;
      for (std::size_t i = 0; i < size; ++i) {
        if constexpr (Unite::traits.aux != aux_array::ranks) {
          const auto later = batch.inserted(std::min(begin + i + pairs_ahead, to - 1));
          words.prefetch(later.u);
          words.prefetch(later.v);
        }
        const bool insert = batch.is(operation::insert, begin + i);
        const auto e = batch.inserted(begin + i);
        const bool apart = parents.parent(parents.load(e.u)) != parents.parent(parents.load(e.v)), loop = e.u == e.v;
        open[open_count] = static_cast<std::uint16_t>(i);
        open_count += static_cast<std::size_t>(insert && (apart || loop || marks_all_ends));
      }
      for (std::size_t k = 0; k < open_count; ++k) {
        const edge<Id> e = batch.pairs[begin + open[k]];
        if (marks_all_ends || e.u == e.v) {
          tally.vertices += static_cast<std::uint64_t>(exists.raise(e.u)) + static_cast<std::uint64_t>(exists.raise(e.v));
        }
        if (e.u != e.v) Unite{}(parents, e.u, e.v, note_link<forest, Id>{exists, slots, e, &tally});
      }
    }
    trees.add(tally);
  });
}

}  // namespace copse::drivers
