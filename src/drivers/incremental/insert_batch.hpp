// A batch of inserts, of queries, or of both, by a union-find rule.
#pragma once
#include <copse/extend/rules/query/same_set.hpp>
#include <copse/operations.hpp>
#include <copse/views.hpp>
#include <drivers/incremental/growing_forest.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::drivers {

/// A batch, or the operations of one kind in it. If `kinds` is nullptr, every operation counts as being of the kind in question.
template <class Id>
struct batch_part {
  std::span<const edge<Id>> pairs;
  const operation* kinds = nullptr;

  [[nodiscard]] bool is(operation kind, std::size_t i) const noexcept { return kinds == nullptr || kinds[i] == kind; }
  /// Returns pair i if it is an insert. For a query returns a loop at vertex 0, which changes nothing: the ids of a query may be out of
  /// range, and their parents should not be fetched yet.
  [[nodiscard]] edge<Id> inserted(std::size_t i) const noexcept { return is(operation::insert, i) ? pairs[i] : edge<Id>{0, 0}; }
};

/// When pair i is read, the parents of the ends of pair i + pairs_ahead are prefetched.
inline constexpr std::size_t pairs_ahead = 32;

/// Called by a rule for each link: counts it, marks both ends of the edge as existing, and stores the edge.
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

/// Inserts in blocks that fit the first-level cache. Most edges of most streams join vertices that have the same parent already. A first
/// pass over a block finds these without a branch, so that the loads of many edges overlap and no branch is mispredicted; only the other
/// edges go through the rule, which finds the parents of their ends in the cache. Precondition: all ids of inserts are below trees.slots().
template <class Unite, class Backend, class Id>
void insert_batch(const Backend& loops, growing_forest<Backend, Id>& trees, batch_part<Id> batch) {
  using forest = growing_forest<Backend, Id>;
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

/// Returns the number of pairs in one turn of a thread: at least `least`, a multiple of 64 so that words of answers are whole, and small
/// enough that all threads get turns.
template <class Backend>
std::size_t pairs_in_turn(const Backend& loops, std::size_t count, std::size_t least) noexcept {
  constexpr std::size_t most = std::size_t{1} << 14, turns = 16;
  return std::clamp(count / (turns * loops.threads()) / 64 * 64, least, most);
}

/// Answers queries while nothing is inserted, by two finds each. Blocks are whole words of the answers, so that no two threads write the
/// same word. An id of trees.slots() or more is connected to no other vertex.
template <class Find, aux_array Aux, class Backend, class Id>
void query_batch(const Backend& loops, growing_forest<Backend, Id>& trees, batch_part<Id> batch, std::uint64_t* answers) {
  const auto parents = trees.template parents<Aux, false>();
  const auto words = trees.plain();
  constexpr std::size_t worth_a_thread = 1024;
  loops.for_chunks(batch.pairs.size(), pairs_in_turn(loops, batch.pairs.size(), worth_a_thread),
                   [=, slots = trees.slots()](std::size_t from, std::size_t to) {
                     for (std::size_t first = from; first < to; first += 64) {
                       std::uint64_t bits = 0;
                       for (std::size_t i = first; i < std::min(to, first + 64); ++i) {
                         if constexpr (Aux != aux_array::ranks) {
                           const auto later = batch.pairs[std::min(i + pairs_ahead, to - 1)];
                           if (later.u < slots) words.prefetch(later.u);
                           if (later.v < slots) words.prefetch(later.v);
                         }
                         if (!batch.is(operation::query, i)) continue;
                         const auto [u, v] = batch.pairs[i];
                         const bool same = u == v || (u < slots && v < slots && Find{}(parents, u) == Find{}(parents, v));
                         bits |= std::uint64_t{same} << (i % 64);
                       }
                       answers[first / 64] = bits;
                     }
                   });
}

/// Inserts and answers queries at once. Each thread keeps the order of the operations that it takes. Between threads, an insert takes
/// effect when it swaps the parent of a root, and SameSet answers as of one moment (copse/extend/rules/query/same_set.hpp), so the answers
/// are those of some order of the batch. Precondition: all ids of inserts are below trees.slots(); with many threads, Unite is a rule that
/// links roots only (not rule_traits::moves_subtrees).
template <class Unite, class Find, class Backend, class Id>
void mixed_batch(const Backend& loops, growing_forest<Backend, Id>& trees, batch_part<Id> batch, std::uint64_t* answers) {
  using forest = growing_forest<Backend, Id>;
  const auto parents = trees.template parents<Unite::traits.aux, true>();
  loops.for_chunks(
      batch.pairs.size(), pairs_in_turn(loops, batch.pairs.size(), std::size_t{256}),
      [=, &trees, slots = trees.slots(), exists = trees.exists(), link_slots = trees.link_slots()](std::size_t from, std::size_t to) {
        link_tally tally;
        for (std::size_t first = from; first < to; first += 64) {
          std::uint64_t bits = 0;
          for (std::size_t i = first; i < std::min(to, first + 64); ++i) {
            const auto e = batch.pairs[i];
            if (batch.is(operation::query, i)) {
              const bool same = e.u == e.v || (e.u < slots && e.v < slots && query::same_set<Find>{}(parents, e.u, e.v));
              bits |= std::uint64_t{same} << (i % 64);
            } else if (e.u == e.v) {
              tally.vertices += exists.raise(e.u);
            } else {
              Unite{}(parents, e.u, e.v, note_link<forest, Id>{exists, link_slots, e, &tally});
            }
          }
          answers[first / 64] = bits;
        }
        trees.add(tally);
      });
}

}  // namespace copse::drivers
