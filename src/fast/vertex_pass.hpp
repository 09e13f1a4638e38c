// What a look leads to: a pass over the vertices, which marks the giant and makes paths short.
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

/// The pass over n vertices after a vote among edges of which `to_come` are to come, where it pays. `inside`, what is known of the giant,
/// becomes what it is after the pass, in the words that make_bits() gives; with a smaller share than least_inside no giant is known.
/// Returns false where there is a giant, and too few edges are to come. Precondition: no thread joins trees meanwhile.
template <class Backend, class P, class MakeBits>
bool pass_if_it_pays(const Backend& backend, P p, typename P::id n, const edge_vote<typename P::id>& vote, std::uint64_t to_come,
                     double least_inside, giant_bits<typename P::id>& inside, MakeBits make_bits) {
  const bool any_giant = vote.inside >= least_inside;
  if (!any_giant) inside = {};
  if (!pass_pays(n, to_come, any_giant ? vote.inside : 0, vote.steps)) return !any_giant;
  const std::size_t chunk = flat_chunk(backend, n);
  if (!any_giant) {
    flatten(backend, p, n, chunk);
  } else if (inside.words != nullptr && vote.root == inside.giant) {
    raise_giant_bits<false>(backend, p, n, chunk, vote.root, inside.words);
  } else {
    inside = {make_bits(), vote.root};
    raise_giant_bits<true>(backend, p, n, chunk, vote.root, inside.words);
  }
  return true;
}

}  // namespace copse::fast
