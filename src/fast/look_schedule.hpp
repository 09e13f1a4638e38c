// When to look among edges that come, and when a look is worth a pass over the vertices. A look is a vote of a few hundred edges, which
// costs next to nothing. The pass costs a few accesses per vertex: it marks who is in the giant, so that edges inside need no unite, and
// leaves every path short. What is still to come, of a list or a batch, decides.
#pragma once
#include <algorithm>
#include <cstdint>

namespace copse::fast {

/// With a smaller share of edges inside the giant, looking at their bits does not pay.
inline constexpr double least_share_inside = 0.3;

/// Are enough edges to come to ask whether a pass pays?
constexpr bool look_pays(std::uint64_t vertices, std::uint64_t to_come) noexcept { return to_come >= vertices / 32; }

/// Steps of the longest of 16 paths, on average. Random graphs stay below where their giant begins to grow, lattices go far beyond.
inline constexpr double long_path = 6;

/// Does a pass pay, where a share of the edges to come lies inside the giant? A third as many unites as there are vertices take as long as
/// the pass. Where paths are long, it pays for few edges, and without a giant: each edge walks far less, and the paths would have to be
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
/// to be watched, and they grow long suddenly. While it grows, what it has taken meanwhile is worth a pass; when it has most, as many edges
/// again go by.
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

}  // namespace copse::fast
