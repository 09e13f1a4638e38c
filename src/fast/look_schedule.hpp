// When to look for a giant among edges that come, and when to bring its bits up to date: each look costs a pass over the vertices that are
// not known to be inside, and saves unites of edges to come. So what is still to come, of a list or a batch, decides too.
#pragma once
#include <algorithm>
#include <cstdint>

namespace copse::fast {

/// Are enough edges to come to pay for the pass over all vertices? Where few are, uniting them takes less time than that.
constexpr bool look_pays(std::uint64_t vertices, std::uint64_t to_come) noexcept { return to_come >= vertices / 2; }

/// And for a look that finds the giant half grown, so that another will follow soon?
constexpr bool early_look_pays(std::uint64_t vertices, std::uint64_t to_come) noexcept { return to_come >= vertices; }

/// Edges before the first look, of `to_come` in all. With as many edges as half the vertices a random graph grows its giant; with three
/// quarters, a third of the edges to come lie inside. That early pays for many threads, which wait for each other's links, where as many
/// edges again are to come as vertices; one thread looks later, when paths are shorter and the giant is larger.
constexpr std::uint64_t first_look(std::uint64_t vertices, std::uint64_t to_come, bool early) noexcept {
  const std::uint64_t soon = vertices - vertices / 4;
  return std::max<std::uint64_t>(1, early && to_come >= soon && early_look_pays(vertices, to_come - soon) ? soon : vertices);
}

/// Edges from a look after `seen` edges, which found a share of the edges to come inside, to the next. While a giant grows, what it has
/// taken meanwhile is worth a look sooner; before that, and when it has most, as many edges again go by.
constexpr std::uint64_t edges_to_later_look(std::uint64_t seen, std::uint64_t vertices, std::uint64_t to_come, double inside,
                                            bool early) noexcept {
  constexpr double begun = .1, grown = .75;
  const bool grows = early && inside >= begun && inside < grown && early_look_pays(vertices, to_come);
  return std::max<std::uint64_t>(1, grows ? seen / 2 : seen);
}

/// Where all that is to come is known, a look that does not pay is left out: edges to the first look, and to the next.
constexpr std::uint64_t edges_to_first_look(std::uint64_t vertices, std::uint64_t to_come, bool early) noexcept {
  const std::uint64_t first = first_look(vertices, to_come, early);
  return first < to_come && look_pays(vertices, to_come - first) ? first : to_come;
}
constexpr std::uint64_t edges_to_next_look(std::uint64_t seen, std::uint64_t vertices, std::uint64_t to_come, double inside,
                                           bool early) noexcept {
  const std::uint64_t next = edges_to_later_look(seen, vertices, to_come, inside, early);
  return next < to_come && look_pays(vertices, to_come - next) ? next : to_come;
}

}  // namespace copse::fast
