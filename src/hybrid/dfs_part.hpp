// The CPU's part by depth-first searches (Algorithm 3 of Banerjee and Kothapalli). The part is cut into one piece per thread, and each
// thread searches its piece without communication. Edges between pieces are solved in one of two ways. `dfs_part` balances the pieces by
// vertices and arcs, and all threads unite the edges between them. `pieces_part` does what the paper prints: the pieces have the same
// number of vertices, and the edges between them are returned, because the GPU solves them. Invariant: p[v] <= v, and during the searches
// no thread reads or writes outside its piece. O(vertices + arcs of the part); the stacks take one id per vertex.
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/splice/halve_one.hpp>
#include <copse/extend/rules/unite/rem_cas.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <loops/flatten.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <numeric>
#include <span>
#include <vector>

namespace copse::hybrid {

/// Splits the vertices below `cut` into `pieces` pieces of about the same number of vertices and arcs; some may be empty.
template <class Id, class Offset>
std::vector<Id> piece_bounds(csr_view<Id, Offset> g, Id cut, unsigned pieces) {
  std::vector<Id> bounds(std::size_t{pieces} + 1, cut);
  bounds.front() = 0;
  const auto work = [&](std::size_t v) { return v + static_cast<std::size_t>(g.offsets[v]); };  // vertices and arcs of the rows before v
  const std::size_t all = cut == 0 ? 0 : work(cut);
  for (unsigned k = 1; k < pieces; ++k) {
    std::size_t low = bounds[k - 1], high = cut;
    for (const std::size_t work_before = all / pieces * k; low < high;) {
      const std::size_t middle = low + (high - low) / 2;
      if (work(middle) < work_before) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    bounds[k] = static_cast<Id>(low);
  }
  return bounds;
}

/// Labels the components of the graph of the vertices [begin, end) and the edges among them. `stack` has room for end - begin ids.
template <class P, class Offset>
void search_piece(csr_view<typename P::id, Offset> g, P p, typename P::id begin, typename P::id end, typename P::id* stack) {
  using id = typename P::id;
  for (id v = begin; v < end; ++v) p.store(v, p.root(v));
  std::size_t depth = 0;
  for (id start = begin; start < end; ++start) {
    if (p.load(start) != start) continue;
    stack[depth++] = start;
    while (depth > 0) {
      const id v = stack[--depth];
      for (const id target : g.row(v)) {
        if (g.sorted && target >= end) break;
        if (target <= start || target >= end || p.load(target) != target) continue;
        p.store(target, p.link(start));
        stack[depth++] = target;
      }
    }
  }
}

/// Labels the components of the graph within each piece, the range of vertices between two adjacent `bounds`, by one thread per piece.
template <class Backend, class P, class Offset>
void search_pieces(const Backend& backend, csr_view<typename P::id, Offset> g, P p, const std::vector<typename P::id>& bounds,
                   std::pmr::memory_resource* memory) {
  buffer<typename P::id> stacks{bounds.back(), memory};
  backend.for_chunks(bounds.size() - 1, 1, [=, &bounds, stack = stacks.data()](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) search_piece(g, p, bounds[k], bounds[k + 1], stack + bounds[k]);
  });
}

/// Sets words[v], for every v < cut, to the smallest vertex that is connected to v by edges among the vertices below `cut`. `g` has at
/// least the rows of these vertices, with both directions of every edge.
template <class Backend, class Id, class Offset>
void dfs_part(const Backend& backend, csr_view<Id, Offset> g, Id cut, Id* words, std::pmr::memory_resource* memory) {
  if (cut == 0) return;
  using parents = typename Backend::template parents<Id>;
  const parents p{words};
  const std::vector<Id> bounds = piece_bounds(g, cut, backend.threads());
  search_pieces(backend, g, p, bounds, memory);
  if (bounds.size() > 2) {
    const csr_view<Id, Offset> part{g.offsets.first(std::size_t{cut} + 1), g.targets, g.symmetric, g.sorted};
    backend.for_row_pieces(part, [=, &bounds](Id v, Offset first, Offset last) {
      const Id piece = *(std::upper_bound(bounds.begin(), bounds.end() - 1, v) - 1);
      Id joined = v;
      for (Offset a = first; a < last; ++a) {
        const Id target = g.targets[a];
        if (target < piece) {
          joined = unite::rem_cas<find::naive, splice::halve_one>{}(p, joined, target);
        } else if (g.sorted) {
          break;
        }
      }
    });
  }
  backend::flatten(backend, p, cut);
}

/// Cuts the vertices below `cut` into one piece of consecutive vertices per thread, and sets words[v] to the smallest vertex that is
/// connected to v by edges inside v's piece. Returns the edges between pieces, with the smaller vertex first. `g` has at least the rows of
/// the vertices below `cut`, with both directions of every edge.
template <class Backend, class Id, class Offset>
buffer<edge<Id>> pieces_part(const Backend& backend, csr_view<Id, Offset> g, Id cut, Id* words, std::pmr::memory_resource* memory) {
  const std::size_t pieces = backend.threads();
  std::vector<Id> bounds(pieces + 1);
  for (std::size_t k = 0; k <= pieces; ++k) bounds[k] = static_cast<Id>(std::uint64_t{cut} * k / pieces);
  search_pieces(backend, g, typename Backend::template parents<Id>{words}, bounds, memory);

  const auto for_edges_below = [g, &bounds](std::size_t k, auto f) {
    for (Id v = bounds[k]; v < bounds[k + 1]; ++v) {
      for (const Id target : g.row(v)) {
        if (target < bounds[k]) {
          f(edge<Id>{target, v});
        } else if (g.sorted) {
          break;
        }
      }
    }
  };
  std::vector<std::size_t> places(pieces + 1, 0);  // the position of each piece's first edge in the result
  backend.for_chunks(pieces, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) for_edges_below(k, [&count = places[k + 1]](edge<Id>) { ++count; });
  });
  std::partial_sum(places.begin(), places.end(), places.begin());
  buffer<edge<Id>> between{places.back(), memory};
  backend.for_chunks(pieces, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) for_edges_below(k, [to = between.data() + places[k]](edge<Id> e) mutable { *to++ = e; });
  });
  return between;
}

}  // namespace copse::hybrid
