// Queries of a batch while nothing is inserted: two finds each. Blocks are whole words of the answers, so that no two threads write one.
#pragma once
#include <copse/operations.hpp>
#include <drivers/incremental/insert_batch.hpp>
#include <drivers/incremental/live_forest.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace copse::drivers {

/// Pairs in one turn of a thread: `least` or more, whole words, and enough turns for all threads.
template <class Backend>
std::size_t pairs_in_turn(const Backend& loops, std::size_t count, std::size_t least) noexcept {
  constexpr std::size_t most = std::size_t{1} << 14, turns = 16;
  return std::clamp(count / (turns * loops.threads()) / 64 * 64, least, most);
}

/// Vertices without words are alone: connected to no other vertex.
template <class Find, aux_array Aux, class Backend, class Id>
void query_batch(const Backend& loops, live_forest<Backend, Id>& trees, batch_part<Id> batch, std::uint64_t* answers) {
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

}  // namespace copse::drivers
