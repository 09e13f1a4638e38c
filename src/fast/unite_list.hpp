// Two ways to unite a part of an edge list. In an unordered list nearly every end misses the cache, so both ways prefetch parents.
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

/// How many edges ahead parents are prefetched. Each edge has two cache lines, so these are a few more than a core can have in flight at
/// once. With half as many, one thread is up to 1.4 times slower.
inline constexpr std::size_t edges_ahead = 32;
/// How many edges ahead grandparents are prefetched: later than parents, which must have arrived by then. A unite that climbs further
/// misses the cache at each step.
inline constexpr std::size_t grandparents_ahead = 12;

/// What is prefetched before an edge is united: the parents of its ends, or these and the grandparents. Prefetching grandparents pays if
/// both ends come in no order; where edges are read from rows, one end of each is in ascending order.
enum class asked_ahead { parents, grandparents };

/// Notes nothing about the edges that one thread unites. A type of notes has see(e), which is called before edge e is united, and which
/// stops the function that unites the edges if it returns false; and of(e), which returns what is called for a link that e makes. Where
/// edges are hooked range by range (unite_by_ranges.hpp), add_links(n) is called instead of these two.
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

/// Unites edges [first, last), by one thread. Precondition: all ends are vertices. Stops and returns false if notes.see(e) returns false
/// for an edge e.
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

/// Unites edges [first, last), by one thread. edges[i] is edge i; words[v] is where `p` keeps the parent of v, to be prefetched. Ends below
/// `limit` are vertices; if `limit` is 0, all ends are. Returns where it stopped: `last`; or the first of a group of edges with an end that
/// is not a vertex; or `first`, if notes.see() returned false.
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

/// Like unite_range, but skips edges inside the giant. Each block of edges is first filtered by bits alone; then the parents of the kept
/// edges are prefetched. The block is united after the next block has been filtered, when the parents have arrived.
template <class Unite, class P, class Edges, class Notes>
std::size_t unite_range_past(P p, const typename P::id* words, const Edges& edges, std::size_t first, std::size_t last,
                             const giant_filter<typename P::id>& filter, Notes& notes) {
  using id = typename P::id;
  constexpr std::size_t together = 256;  // edges in a block: the one filtered and the one united stay in the L1 cache
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
