// The CPU's part as Banerjee and Kothapalli solve it (Algorithm 3): cut into one piece per thread; each thread searches its piece depth
// first, without communication. All threads then unite the edges between pieces, rather than the GPU, because the labels are in host
// memory. Invariant: p[v] <= v, and before the second pass no thread reads or writes outside its piece. O(vertices + arcs of the part); the
// stacks take one id per vertex.
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/splice/halve_one.hpp>
#include <copse/extend/rules/unite/rem_cas.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <loops/flatten.hpp>

#include <algorithm>
#include <cstddef>
#include <memory_resource>
#include <span>
#include <vector>

namespace copse::hybrid {

/// Splits the vertices below `cut` into `pieces` pieces of about the same number of vertices and arcs; some may be empty.
template <class Id, class Offset>
std::vector<Id> piece_bounds(csr_view<Id, Offset> g, Id cut, unsigned pieces) {
  std::vector<Id> bounds(std::size_t{pieces} + 1, cut);
  bounds.front() = 0;
  const auto work = [&](std::size_t v) { return v + static_cast<std::size_t>(g.offsets[v]); };  // before v
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

/// Labels the components that edges among the vertices [begin, end) form. `stack`: room for end - begin ids.
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

/// words[v] becomes the smallest vertex that edges among the vertices below `cut` join to v, for each of these. `g` has their rows at
/// least, with both directions of every edge.
template <class Backend, class Id, class Offset>
void dfs_part(const Backend& backend, csr_view<Id, Offset> g, Id cut, Id* words, std::pmr::memory_resource* memory) {
  if (cut == 0) return;
  using parents = typename Backend::template parents<Id>;
  const parents p{words};
  const std::vector<Id> bounds = piece_bounds(g, cut, backend.threads());
  buffer<Id> stacks{cut, memory};
  backend.for_chunks(bounds.size() - 1, 1, [=, &bounds, stack = stacks.data()](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) search_piece(g, p, bounds[k], bounds[k + 1], stack + bounds[k]);
  });
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

}  // namespace copse::hybrid
