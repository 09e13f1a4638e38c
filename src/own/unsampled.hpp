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

/// Which arcs of v's row are v's to unite. `Both`: each edge from its larger end, so that a sorted row ends at the first larger target.
template <bool Both, class Id>
constexpr bool is_mine(Id v, Id target) noexcept {
  return Both ? target < v : target != v;
}

template <bool Ahead, bool Stores, bool Both, class Backend, class Id, class Offset>
void unite_chunks(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words,
                  std::size_t chunk, std::uint64_t* left, row_flag& long_ones) {
  constexpr bool marks = Backend::concurrent || !Both;
  const std::size_t n = g.vertices();
  const bool prefix = Both && g.sorted;
  backend.for_chunks(n, chunk, [=, &long_ones](std::size_t begin, std::size_t end) {
    const std::size_t floor = Backend::concurrent ? begin : 0;
    std::size_t ahead = g.offsets[begin];
    const auto unite_row = [&, floor](std::size_t i) {
      const auto v = static_cast<Id>(i);
      const std::size_t first = g.offsets[i], length = g.offsets[i + 1] - first;
      const std::size_t last = first + std::min(length, long_row<Backend>);
      if constexpr (Ahead && !Backend::concurrent) {
        for (const std::size_t stop = std::min<std::size_t>(first + length + far_distance, g.targets.size()); ahead < stop; ++ahead) {
          prefetch(words + std::min(g.targets[ahead], v));
        }
      }
      bool marked = false;
      Id parent = v;
      std::size_t a = first;
      for (; a < last; ++a) {
        const Id target = g.targets[a];
        if (target < v) {
          parent = target >= floor ? parent_of(p, target) : target;
          ++a;
          break;
        }
        if (prefix) break;
        if (!Both && target != v) marked = true;
      }
      p.store(v, p.link(parent));
      for (; a < last; ++a) {
        const Id target = g.targets[a];
        if (target >= v) {
          if (prefix) break;
          if (!Both && target != v) marked = true;
        } else if constexpr (!Backend::concurrent) {
          unite_of<Backend>{}(p, v, target);
        } else if (!Stores || !unite_above(p, floor, v, target)) {
          marked = true;
        }
      }
      if (Backend::concurrent && length > long_row<Backend> && !(prefix && a < last)) long_ones.raise();
      return marked;
    };
    if constexpr (marks) {
      write_bits(left, begin, end, unite_row);
    } else {
      for (std::size_t v = begin; v < end; ++v) unite_row(v);
    }
  });
}

/// Unites what unite_chunks left: the rows of marked vertices, then long rows in pieces.
template <bool Ahead, bool Both, class Backend, class Id, class Offset>
void unite_left(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words, std::size_t chunk,
                const std::uint64_t* left, const row_flag& long_ones) {
  using parents = typename Backend::template parents<Id>;
  const auto unite_piece = [=](Id v, std::size_t first, std::size_t last) {
    Id joined = v;
    for (std::size_t a = first; a < last; ++a) {
      const Id target = g.targets[a];
      if (is_mine<Both>(v, target)) {
        joined = unite_of<Backend>{}(p, joined, target);
      } else if (Both && g.sorted) {
        break;
      }
    }
  };
  backend.for_chunks(g.vertices(), chunk, [=](std::size_t begin, std::size_t end) {
    auto unite_row = [=](Id v) {
      const std::size_t first = g.offsets[v];
      unite_piece(v, first, first + std::min<std::size_t>(g.offsets[v + 1] - first, long_row<Backend>));
    };
    in_flight<Ahead, parents, Id, Offset> waiting{g, p, words, 4};
    for_set_bits(left, begin, end, [&](std::size_t v) { waiting.add(static_cast<Id>(v), unite_row); });
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
