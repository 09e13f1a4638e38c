// When to look among edges that come, and when a look is worth a pass over the vertices. A look is a vote of a few hundred edges, which
// costs next to nothing. The pass costs a few accesses per vertex: it marks the vertices in the giant, so that edges inside need no unite,
// and leaves every path short. What is still to come, of a list or a batch, decides.
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

/// With a smaller share of edges inside the giant, looking at their bits does not pay.
inline constexpr double least_share_inside = 0.3;

/// Are enough edges to come to ask whether a pass pays?
constexpr bool look_pays(std::uint64_t vertices, std::uint64_t to_come) noexcept { return to_come >= vertices / 32; }

/// Steps of the longest of 16 paths, on average. Random graphs stay below where their giant begins to grow, lattices go far beyond.
inline constexpr double long_path = 6;

/// True if a pass pays, where a share of the edges to come is inside the giant. A third as many unites as there are vertices take as long
/// as the pass. Where paths are long, it pays for few edges, and without a giant: each edge walks far less, and the paths would have to be
/// made short at the end anyway.
constexpr bool pass_pays(std::uint64_t vertices, std::uint64_t to_come, double inside, double steps) noexcept {
  const auto n = static_cast<double>(vertices), left = static_cast<double>(to_come);
  return 3 * inside * left >= n || (steps >= long_path && look_pays(vertices, to_come));
}

/// Edges before the first look. With as many edges as half the vertices a random graph grows its giant; with three quarters, a third of
/// the edges to come lie inside. That early pays for many threads, which wait for each other's links; one thread looks later, when paths
/// are shorter and the giant is larger.
constexpr std::uint64_t first_look(std::uint64_t vertices, bool early) noexcept {
  return std::max<std::uint64_t>(1, early ? vertices - vertices / 4 : vertices);
}

/// Edges from a look after `seen` edges, which found a share of the edges to come inside, to the next. Before a giant grows, only paths are
/// to be watched, and they grow long suddenly. While it grows, what it has taken since is worth a pass; when it has most vertices, the next
/// look comes after as many edges again.
constexpr std::uint64_t edges_to_later_look(std::uint64_t seen, double inside) noexcept {
  constexpr double begun = .1, grown = .75;
  return std::max<std::uint64_t>(1, inside < begun ? seen / 4 : inside < grown ? seen / 2 : seen);
}

/// Where all that is to come is known, a look that does not pay is left out: edges to the first look, and to the next.
constexpr std::uint64_t edges_to_first_look(std::uint64_t vertices, std::uint64_t to_come, bool early) noexcept {
  const std::uint64_t first = first_look(vertices, early);
  return first < to_come && look_pays(vertices, to_come - first) ? first : to_come;
}
constexpr std::uint64_t edges_to_next_look(std::uint64_t seen, std::uint64_t vertices, std::uint64_t to_come, double inside) noexcept {
  const std::uint64_t next = edges_to_later_look(seen, inside);
  return next < to_come && look_pays(vertices, to_come - next) ? next : to_come;
}

/// When to look for a giant while edges arrive and their number is unknown: in batches, or in a stream that many workers count together.
/// Looks are due after 16 edges per vertex at the latest, as edges may arrive for ever and their vertices may be new. Times are counted in
/// edges that came.
struct giant_schedule {
  bool early = false;                                      ///< as for first_look()
  std::uint64_t fewest_vertices = std::uint64_t{1} << 16;  ///< fewer count as this many, as their parents fit in the cache

  [[nodiscard]] constexpr std::uint64_t counted(std::uint64_t vertices) const noexcept { return std::max(vertices, fewest_vertices); }
  /// Later than before, where vertices have come.
  [[nodiscard]] constexpr std::uint64_t first(std::uint64_t vertices) const noexcept { return first_look(counted(vertices), early); }
  /// After a look at time `seen` which found a share of the edges inside.
  [[nodiscard]] constexpr std::uint64_t next(std::uint64_t seen, std::uint64_t vertices, double inside) const noexcept {
    const std::uint64_t n = counted(vertices);
    return seen + std::clamp(edges_to_later_look(seen, inside), n / 16 + 1, 16 * n);
  }
};

/// The vote among edges to come: the root that most of their ends have, the share of edges that lie inside its tree, which going past the
/// giant would save, and how long paths are. A few hundred edges say it closely enough; a wrong giant is never wrong, only slow.
template <class Id>
struct edge_vote {
  Id root = 0;
  double inside = 0;  ///< share of the edges with both ends in the tree of `root`
  double steps = 0;   ///< steps of the longest of walks_together paths, on average
};

/// Probes edges [first, last). Loops have no vote. Precondition: there are edges.
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

/// Vertices of a chunk where bits are raised: whole words of them.
template <class Backend>
std::size_t flat_chunk(const Backend& backend, std::size_t n) {
  return std::min<std::size_t>(chunk_of(backend, n, 0), Backend::concurrent ? 8192 : std::size_t{1} << 16);
}

/// The pass over n vertices after a vote among edges of which `to_come` are to come, where it pays. `inside`, what is known of the giant,
/// becomes what it is after the pass, in the words that make_bits() gives; with a smaller share than least_inside no giant is known.
/// Returns false where there is a giant, and too few edges are to come. Precondition: no thread joins trees during the call.
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
