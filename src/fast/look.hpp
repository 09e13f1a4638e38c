// A look among edges that come: the vote, and the pass over the vertices where it pays.
#pragma once
#include <fast/chunks.hpp>
#include <fast/edge_vote.hpp>
#include <fast/giant_bits.hpp>
#include <fast/labels.hpp>
#include <fast/look_schedule.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace copse::fast {

/// Vertices of a chunk where bits are raised: whole words of them.
template <class Backend>
std::size_t flat_chunk(const Backend& backend, std::size_t n) {
  return std::min<std::size_t>(chunk_of(backend, n, 0), Backend::concurrent ? 8192 : std::size_t{1} << 16);
}

struct look_result {
  double inside;  ///< share of the edges to come
  bool too_late;  ///< would a pass have paid, had more edges been to come?
};

/// Votes among edges [first, last), of which `to_come` are said to come. `inside`, what is known of the giant, becomes what it is after the
/// pass, in the words that make_bits() gives; with a smaller share than least_inside no giant is known. Precondition: no thread joins trees
/// meanwhile.
template <class Backend, class P, class Edges, class MakeBits>
look_result look(const Backend& backend, P p, const typename P::id* words, typename P::id n, const Edges& edges, std::size_t first,
                 std::size_t last, std::uint64_t to_come, double least_inside, std::uint64_t seed, giant_bits<typename P::id>& inside,
                 MakeBits make_bits) {
  const auto vote = vote_of_edges(p, words, edges, first, last, seed);
  const bool any_giant = vote.inside >= least_inside;
  if (!any_giant) inside = {};
  const double spared = any_giant ? vote.inside : 0;
  if (!pass_pays(n, to_come, spared, vote.steps)) return {vote.inside, any_giant};
  const std::size_t chunk = flat_chunk(backend, n);
  if (!any_giant) {
    flatten(backend, p, n, chunk);
  } else if (inside.words != nullptr && vote.root == inside.giant) {
    raise_giant_bits<false>(backend, p, n, chunk, vote.root, inside.words);
  } else {
    inside = {make_bits(), vote.root};
    raise_giant_bits<true>(backend, p, n, chunk, vote.root, inside.words);
  }
  return {vote.inside, false};
}

}  // namespace copse::fast
