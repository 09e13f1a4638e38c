// The path without a sample, for rows of few arcs (roads), for graphs where no giant forms, and for rows that are not known to hold both
// directions. Chunk by chunk, by the thread that owns the chunk: p[v] <- the first smaller neighbour (its parent, where that is of the
// chunk), a store inside the initialisation; the other smaller neighbours are united by stores too, as long as one of the two trees has its
// root in the chunk. What is left, arcs between trees that both hang on other chunks, is marked by one bit a vertex and united by swaps
// in a second pass over the marked vertices. One thread owns one chunk, everything: no second pass. Invariant: p[v] <= v, and before the
// second pass no thread reads a word of another chunk.
#pragma once
#include <copse/graph/csr.hpp>
#include <own/in_flight.hpp>
#include <own/long_rows.hpp>
#include <own/rules.hpp>
#include <own/vertex_bits.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace copse::own {

/// Rem inside [floor, now) by stores: vertices below `floor` count as their own parents and are never read. False when the trees of x and y
/// hang on two different vertices below floor: nothing is lost then, the arc is still to be united.
template <class P>
bool unite_above(P p, std::size_t floor, typename P::id x, typename P::id y) {
  const auto above = [=](typename P::id v) { return v < floor ? v : parent_of(p, v); };
  auto above_x = above(x), above_y = above(y);
  while (above_x != above_y) {
    if (above_x < above_y) {
      std::swap(x, y);
      std::swap(above_x, above_y);
    }
    if (above_x < floor) return false;
    if (x == above_x) {
      p.store(x, p.link(above_y));
      return true;
    }
    const auto grandparent = parent_of(p, above_x);
    p.store(x, p.link(grandparent));
    x = above_x;
    above_x = grandparent;
  }
  return true;
}

/// Every vertex its own parent.
template <class Backend, class P>
void initialise(const Backend& backend, P p, typename P::id n) {
  using id = typename P::id;
  backend.for_blocks(n, [p](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) p.store(static_cast<id>(v), p.link(static_cast<id>(v)));
  });
}

/// What the view says of the rows. With both directions stored, each edge is united from its larger end only; a sorted row then ends at
/// its first larger target.
enum class row_kind : std::uint8_t { one_sided, both, both_sorted };

template <bool Ahead, bool Stores, row_kind Kind, class Backend, class Id, class Offset>
void unite_chunks(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words,
                  std::size_t chunk, std::uint64_t* left, row_flag& long_ones) {
  constexpr bool both = Kind != row_kind::one_sided, marks = Backend::concurrent || !both;
  if (g.targets.empty()) {
    if constexpr (marks) std::fill_n(left, (g.vertices() + 63) / 64, std::uint64_t{0});
    return initialise(backend, p, g.vertices());
  }
  backend.for_chunks(g.vertices(), chunk, [=, &long_ones](std::size_t begin, std::size_t end) {
    const std::size_t floor = Backend::concurrent ? begin : 0, last_arc = g.targets.size() - 1;
    const std::size_t n = g.vertices();
    const Offset* const offsets = g.offsets.data();
    const Id* const targets = g.targets.data();
    const auto mark = [left](std::size_t v, bool wanted) { left[v / 64] |= std::uint64_t{wanted} << (v % 64); };
    if constexpr (marks) std::fill(left + begin / 64, left + (end + 63) / 64, std::uint64_t{0});
    std::size_t next = offsets[begin];
    for (std::size_t i = begin; i < end; ++i) {
      const auto v = static_cast<Id>(i);
      const std::size_t first = next;
      next = offsets[i + 1];
      if (Ahead && !Backend::concurrent && i != 0) {
        const std::size_t far = offsets[std::min(i + far_distance, n)], near = offsets[std::min(i + near_distance, n)];
        prefetch(words + targets[std::min(far, last_arc)]);
        prefetch(words + targets[std::min(far + 1, last_arc)]);
        const Id soon = targets[std::min(near, last_arc)], soon_too = targets[std::min(near + 1, last_arc)];
        const Id before = v - 1;
        prefetch(words + parent_of(p, std::min(soon, before)));
        prefetch(words + parent_of(p, std::min(soon_too, before)));
      }
      const std::size_t last = first + std::min(next - first, long_row<Backend>);
      if (first == last) {
        p.store(v, p.link(v));
        continue;
      }
      const Id nearest = targets[first];
      Id joined = v;
      if constexpr (!both) mark(v, nearest > v);
      if (nearest >= v) {
        p.store(v, p.link(v));
        if constexpr (Kind == row_kind::both_sorted) continue;
      } else {
        joined = nearest < floor ? nearest : parent_of(p, nearest);
        p.store(v, p.link(joined));
      }
      std::size_t a = first + 1;
      for (; a < last && (Kind != row_kind::both_sorted || targets[a] < v); ++a) {
        const Id target = targets[a];
        if constexpr (!both) mark(v, target > v);
        if (Kind != row_kind::both_sorted && target >= v) continue;
        if constexpr (!Backend::concurrent) {
          joined = unite_of<Backend>{}(p, joined, target);
        } else {
          if (!Stores || !unite_above(p, floor, v, target)) mark(v, true);
        }
      }
      if (a == last && last < next) long_ones.raise();
    }
  });
}

/// Unites what unite_chunks left: the rows of marked vertices, then long rows in pieces.
template <bool Ahead, row_kind Kind, class Backend, class Id, class Offset>
void unite_left(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words,
                std::size_t chunk, const std::uint64_t* left, const row_flag& long_ones) {
  using parents = typename Backend::template parents<Id>;
  const auto unite_piece = [=](Id v, std::size_t first, std::size_t last) {
    Id joined = v;
    for (std::size_t a = first; a < last; ++a) {
      const Id target = g.targets[a];
      if (Kind == row_kind::one_sided || target < v) {
        joined = unite_of<Backend>{}(p, joined, target);
      } else if (Kind == row_kind::both_sorted) {
        break;
      }
    }
  };
  backend.for_chunks(g.vertices(), chunk, [=](std::size_t begin, std::size_t end) {
    in_flight<Ahead, parents, Id, Offset> waiting{g, p, words};
    const auto is_left = [left](Id v) { return bit_of(left, v); };
    const auto unite_row = [=](Id v) {
      const std::size_t first = g.offsets[v];
      unite_piece(v, first, first + std::min<std::size_t>(g.offsets[v + 1] - first, long_row<Backend>));
    };
    waiting.each(begin, end, is_left, unite_row);
    waiting.flush(unite_row);
  });
  for_long_rows(backend, g, long_ones, [=](Id v, Offset first, Offset last) { unite_piece(v, first, last); });
}

/// Unites every edge of rows with both directions, whatever was united before: the sampled path turns here when it finds no giant.
template <class Backend, class Id, class Offset>
void unite_all(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p) {
  backend.for_row_pieces(g, [=](Id v, Offset first, Offset last) {
    Id joined = v;
    for (Offset a = first; a < last; ++a) {
      const Id target = g.targets[a];
      if (target < v) {
        joined = unite_of<Backend>{}(p, joined, target);
      } else if (g.sorted) {
        break;
      }
    }
  });
}

}  // namespace copse::own
