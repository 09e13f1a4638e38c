// When to look for a giant in a list of edges, and when to bring its bits up to date: each look costs a pass over the vertices that are not
// known to be inside, and saves unites of edges to come.
#pragma once
#include <algorithm>
#include <cstdint>

namespace copse::fast {

/// Edges before the first look. With as many edges as half the vertices a random graph grows its giant; with three quarters, a third of
/// the edges to come lie inside. That early pays for many threads, which wait for each other's links; one thread looks later, when paths
/// are shorter and the giant is larger.
constexpr std::uint64_t first_look(std::uint64_t vertices, bool early) noexcept {
  return std::max<std::uint64_t>(1, early ? vertices - vertices / 4 : vertices);
}

/// Edges from a look after `seen` edges, which found a share of the edges to come inside, to the next. While a giant grows, what it has
/// taken meanwhile is worth a look sooner; before that, and when it has most, as many edges again go by.
constexpr std::uint64_t edges_to_next_look(std::uint64_t seen, double inside, bool early) noexcept {
  constexpr double begun = .1, grown = .75;
  const bool grows = early && inside >= begun && inside < grown;
  return std::max<std::uint64_t>(1, grows ? seen / 2 : seen);
}

}  // namespace copse::fast
