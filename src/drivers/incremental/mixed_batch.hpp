// Inserts and queries of a batch at once. Each thread keeps the order of what it takes; between threads the swap of a root is where an
// insert happens, and SameSet answers as of one moment (copse/extend/rules/query/same_set.hpp): the answers are those of some order of the
// batch.
#pragma once
#include <copse/extend/rules/query/same_set.hpp>
#include <copse/operations.hpp>
#include <drivers/incremental/insert_batch.hpp>
#include <drivers/incremental/live_forest.hpp>
#include <drivers/incremental/query_batch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace copse::drivers {

/// Precondition: all ids of inserts have words; on many threads Unite moves no subtrees.
template <class Unite, class Find, class Backend, class Id>
void mixed_batch(const Backend& loops, live_forest<Backend, Id>& trees, batch_part<Id> batch, std::uint64_t* answers) {
  using forest = live_forest<Backend, Id>;
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
