// Two ways to unite a part of an edge list. Lists in no order miss the cache at nearly every end, so both ask for parents early.
#pragma once
#include <copse/views.hpp>
#include <fast/giant_filter.hpp>
#include <fast/in_flight.hpp>
#include <fast/passes.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace copse::fast {

/// How many edges ahead of their turn parents are asked for: two lines each, some more than a core can have on their way at once. Half as
/// many are up to 1.4 times slower on one thread.
inline constexpr std::size_t edges_ahead = 32;
/// How many edges ahead grandparents are asked for: later than parents, which must have come by then. A unite that goes further up misses
/// the cache at each step.
inline constexpr std::size_t grandparents_ahead = 12;

/// What is asked for ahead of an edge's turn. Grandparents pay where both ends are in no order; rows have one end in order.
enum class asked_ahead { parents, grandparents };

/// Notes nothing. What takes notes has see(e), called for each edge before it is united, which may end the range by false, and of(e), a
/// listener of the links that it makes. Where edges are united by ranges, add_links(n) is called instead.
struct no_notes {
  template <class Id>
  bool see(edge<Id> /*e*/) const noexcept {
    return true;
  }
  template <class Id>
  [[nodiscard]] unite::no_link of(edge<Id> /*e*/) const noexcept {
    return {};
  }
  void add_links(std::size_t /*links*/) const noexcept {}
};

/// Unites edges [first, last), by one thread, all of which have vertices as ends. False: see() has ended it.
template <class Unite, asked_ahead Ahead, class P, class Words, class Edges, class Notes>
bool unite_known(P p, Words words, const Edges& edges, std::size_t first, std::size_t last, Notes& notes) {
  using id = typename P::id;
  for (std::size_t i = first; i < last; ++i) {
    const edge<id> later = edges[std::min(i + edges_ahead, last - 1)];
    prefetch(&words[later.u]);
    prefetch(&words[later.v]);
    if constexpr (Ahead == asked_ahead::grandparents) {
      const edge<id> soon = edges[std::min(i + grandparents_ahead, last - 1)];
      prefetch(&words[parent_of(p, soon.u)]);
      prefetch(&words[parent_of(p, soon.v)]);
    }
    const edge<id> e = edges[i];
    if (!notes.see(e)) return false;
    Unite{}(p, e.u, e.v, notes.of(e));
  }
  return true;
}

/// Unites edges [first, last), by one thread. `Edges` has an edge at each index, `Words` the word of p at each vertex. Ends below `limit`
/// are vertices; 0: all are. Returns where it stopped: at last; or before edges of which one has an end that is no vertex; or at first,
/// when see() has ended it.
template <class Unite, asked_ahead Ahead, class P, class Words, class Edges, class Notes>
std::size_t unite_range(P p, Words words, const Edges& edges, std::size_t first, std::size_t last, Notes& notes, typename P::id limit = 0) {
  const std::size_t together = limit == 0 ? last - first : edges_looked_at;
  for (std::size_t at = first, next = first; at < last; at = next) {
    next = std::min(last, at + together);
    if (limit != 0 && !ends_are_known(edges, at, next, limit)) return at;
    if (!unite_known<Unite, Ahead>(p, words, edges, at, next, notes)) return first;
  }
  return last;
}

/// As above, skipping edges inside the giant. A block of edges is first filtered by bits alone; then the parents of what is left are
/// prefetched; it is united after the next block was filtered, when they have come.
template <class Unite, class P, class Edges, class Notes>
std::size_t unite_range_past(P p, const typename P::id* words, const Edges& edges, std::size_t first, std::size_t last,
                             const giant_filter<typename P::id>& filter, Notes& notes) {
  using id = typename P::id;
  constexpr std::size_t together = 256;  // both blocks stay in the first cache
  std::array<std::array<edge<id>, together + filter_room>, 2> buffers;
  auto *asked = &buffers[0], *found = &buffers[1];
  std::size_t asked_count = 0;
  const auto unite_asked = [&] {
    for (std::size_t k = 0; k < asked_count; ++k) {
      const edge<id> e = (*asked)[k];
      if (!notes.see(e)) return false;
      unite_past<Unite>(p, e.u, e.v, filter.inside.giant, notes.of(e));
    }
    return true;
  };
  std::size_t at = first;
  while (at < last) {
    const std::size_t stop = std::min(last, at + together);
    const filtered block = filter(edges, at, stop, found->data());
    if (!block.known) break;
    for (std::size_t k = 0; k < block.kept; ++k) {
      prefetch(words + (*found)[k].u);
      prefetch(words + (*found)[k].v);
    }
    if (!unite_asked()) return first;
    std::swap(asked, found);
    asked_count = block.kept;
    at = stop;
  }
  return unite_asked() ? at : first;
}

}  // namespace copse::fast
