// When to look for a giant among edges that arrive, and when a pass over the vertices pays after a look. A look is a vote among a few
// hundred edges, which costs next to nothing. The pass costs a few accesses per vertex: it marks the vertices in the giant, so that edges
// inside the giant need no unite, and leaves every path short. Whether it pays depends on how many edges of the list or batch are still to
// come.
#pragma once
#include <copse/views.hpp>
#include <core/most_frequent.hpp>
#include <core/random.hpp>
#include <fast/giant_filter.hpp>
#include <fast/in_flight.hpp>
#include <fast/labels.hpp>
#include <fast/passes.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::fast {

/// If a smaller share of the edges has both ends in the giant, testing a bit per end before each unite does not pay.
inline constexpr double least_share_inside = 0.3;

/// True if enough edges are to come that it may pay to look for a giant among them, and to mark its vertices.
constexpr bool look_pays(std::uint64_t vertices, std::uint64_t to_come) noexcept { return to_come >= vertices / 32; }

/// Paths count as long from this average on: the number of steps of the longest of 16 paths. Random graphs stay below it where their giant
/// begins to grow, lattices are far above.
inline constexpr double long_path = 6;

/// True if a pass over the vertices, which marks those in the giant and shortens all paths, pays when a share `inside` of the edges to come
/// is inside the giant. The pass takes as long as uniting a third as many edges as there are vertices. If paths are long, it pays even for
/// few edges and without a giant: each unite then walks far less, and the paths would have to be shortened at the end anyway.
constexpr bool pass_pays(std::uint64_t vertices, std::uint64_t to_come, double inside, double steps) noexcept {
  const auto n = static_cast<double>(vertices), left = static_cast<double>(to_come);
  return 3 * inside * left >= n || (steps >= long_path && look_pays(vertices, to_come));
}

/// Number of edges before a giant is first searched for. A random graph grows its giant when it has half as many edges as vertices; with
/// three quarters as many, a third of the edges to come are inside it. A search that early (`early`) pays for many threads, which wait for
/// each other's links; one thread searches later, when paths are shorter and the giant is larger.
constexpr std::uint64_t first_look(std::uint64_t vertices, bool early) noexcept {
  return std::max<std::uint64_t>(1, early ? vertices - vertices / 4 : vertices);
}

/// Number of edges from one search for a giant to the next, after `seen` edges, if a share `inside` of the edges to come is inside the
/// giant. Before there is a giant, searches are frequent because they also shorten paths, which grow long suddenly. While the giant grows,
/// the vertices that it has gained are worth a pass that marks them. Once it has most vertices, the next search comes after as many edges
/// as have been seen.
constexpr std::uint64_t edges_to_later_look(std::uint64_t seen, double inside) noexcept {
  constexpr double begun = .1, grown = .75;
  return std::max<std::uint64_t>(1, inside < begun ? seen / 4 : inside < grown ? seen / 2 : seen);
}

/// Number of edges before a giant is first searched for, if `to_come` edges are to come; `to_come`, and so never, if too few edges would be
/// left to pay for the search. `early`: see first_look().
constexpr std::uint64_t edges_to_first_look(std::uint64_t vertices, std::uint64_t to_come, bool early) noexcept {
  const std::uint64_t first = first_look(vertices, early);
  return first < to_come && look_pays(vertices, to_come - first) ? first : to_come;
}
/// Number of edges from a search for a giant, after `seen` edges, to the next one; `to_come`, and so never, if too few edges would be left
/// to pay for another search.
constexpr std::uint64_t edges_to_next_look(std::uint64_t seen, std::uint64_t vertices, std::uint64_t to_come, double inside) noexcept {
  const std::uint64_t next = edges_to_later_look(seen, inside);
  return next < to_come && look_pays(vertices, to_come - next) ? next : to_come;
}

/// When to search for a giant while edges arrive and their number is unknown: in batches, or in a stream whose edges many workers count
/// together. The next search is at most 16 edges per vertex away, because edges may arrive for ever and their vertices may be new. Times
/// are numbers of edges that have arrived.
struct giant_schedule {
  bool early = false;  ///< true: the first search comes before there are as many edges as vertices, which pays for many threads
  /// Graphs of fewer vertices are treated as having this many, because their parents fit in the cache.
  std::uint64_t fewest_vertices = std::uint64_t{1} << 16;

  [[nodiscard]] constexpr std::uint64_t counted(std::uint64_t vertices) const noexcept { return std::max(vertices, fewest_vertices); }
  /// Returns after how many edges a giant is first searched for. The number grows as vertices are added.
  [[nodiscard]] constexpr std::uint64_t first(std::uint64_t vertices) const noexcept { return first_look(counted(vertices), early); }
  /// Returns after how many edges in total a giant is searched for again, if the last search came after `seen` edges and found a share
  /// `inside` of the edges inside the giant.
  [[nodiscard]] constexpr std::uint64_t next(std::uint64_t seen, std::uint64_t vertices, double inside) const noexcept {
    const std::uint64_t n = counted(vertices);
    return seen + std::clamp(edges_to_later_look(seen, inside), n / 16 + 1, 16 * n);
  }
};

/// The result of a vote among edges to come: the root that most of their ends have, the share of edges inside the tree of that root, for
/// which no unite would be needed, and how long paths are. A few hundred edges are a sample that is close enough. A wrong giant costs time,
/// but never gives a wrong answer.
template <class Id>
struct edge_vote {
  Id root = 0;
  double inside = 0;  ///< share of the edges with both ends in the tree of `root`
  double steps = 0;   ///< length of the longest of walks_together paths from sampled ends, on average
};

/// Lets a sample of edges [first, last) vote. Loops have no vote. Precondition: there are edges.
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

/// Number of vertices in a chunk of a pass that raises bits; a multiple of 64, so that no two chunks share a word.
template <class Backend>
std::size_t flat_chunk(const Backend& backend, std::size_t n) {
  return std::min<std::size_t>(chunk_of(backend, n, 0), Backend::concurrent ? 8192 : std::size_t{1} << 16);
}

/// Makes a pass over the vertices, which shortens all paths and marks the vertices of the giant, if that pays for the `to_come` edges to
/// come. `vote`: the result of vote_of_edges(); the root that it found is the giant's if a share of at least least_inside of the sampled
/// edges had both ends in its tree. `inside`: the root of the giant, and one bit per vertex that is set if the vertex was in the giant in
/// the last pass. The pass sets these bits; if there were none, or the root is another, in the array that make_bits() returns. If there
/// is no giant, `inside` is cleared. Returns false if there is a giant, but too few edges are to come for a pass. Precondition: no thread
/// joins trees during the call.
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
