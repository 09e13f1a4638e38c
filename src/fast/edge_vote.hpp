// The vote among edges to come: the root that most of their ends have, the share of edges that lie inside its tree, which going past the
// giant would save, and how long paths are. A few hundred edges say it closely enough; a wrong giant is never wrong, only slow.
#pragma once
#include <copse/views.hpp>
#include <core/most_frequent.hpp>
#include <core/random.hpp>
#include <fast/in_flight.hpp>
#include <fast/walk.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::fast {

template <class Id>
struct edge_vote {
  Id root = 0;
  double inside = 0;  ///< share of the edges with both ends in the tree of `root`
  double steps = 0;   ///< of the longest of walks_together paths, on average
};

/// Of edges [first, last). Loops have no vote. Precondition: there are edges.
template <class P, class Edges>
edge_vote<typename P::id> vote_of_edges(P p, const typename P::id* words, const Edges& edges, std::size_t first, std::size_t last,
                                        std::uint64_t seed) {
  using id = typename P::id;
  constexpr std::size_t draws = 256;
  std::array<id, 2 * draws> ends;
  std::size_t count = 0;
  for (std::size_t k = 0; k < draws; ++k) {
    const edge<id> e = edges[first + random_stream{seed, 9}.below(k, last - first)];
    if (e.u == e.v) continue;
    for (const id end : {e.u, e.v}) {
      ends[count++] = end;
      prefetch(words + end);
    }
  }
  const std::span<id> roots{ends.data(), count};
  if (count == 0) return {};
  unsigned steps = 0, walks = 0;
  for (std::size_t k = 0; k < count; k += walks_together, ++walks)
    steps += walk_to_roots(p, roots.subspan(k, std::min(walks_together, count - k)));
  auto sorted = ends;
  const id root = most_frequent(std::span{sorted.data(), count}).winner;
  std::size_t inside = 0;
  for (std::size_t k = 0; k < count; k += 2) inside += static_cast<std::size_t>(roots[k] == root && roots[k + 1] == root);
  return {root, static_cast<double>(inside) / draws, static_cast<double>(steps) / walks};
}

}  // namespace copse::fast
