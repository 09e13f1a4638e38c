// The finish of the sampled path: vertices outside the giant unite all their arcs, and leave their row as soon as their root is the
// giant's. Right when both directions are stored: an edge is dropped only if both ends stopped, and then both are in the giant, which
// nothing ever leaves. The giant's root may itself be hooked under a smaller one: whoever needs it looks once more where it leads, which
// is one load of a hot word (instead of a sentinel, which would need labels translated back).
// Where nearly all vertices point at the giant already, a loop that stops at the first that does not is foreseen by the processor;
// elsewhere every vertex is treated alike, without a branch on whether it is in the giant.
// With `Fused` the pass also flattens what it visits; without, trees are flat before it.
#pragma once
#include <copse/graph/csr.hpp>
#include <copse/rules/find/naive.hpp>
#include <own/giant.hpp>
#include <own/in_flight.hpp>
#include <own/long_rows.hpp>
#include <own/rules.hpp>

#include <algorithm>
#include <cstddef>

namespace copse::own {

/// How the finish treats one vertex outside.
template <bool EarlyExit, class Unite, class P, class Id, class Offset>
struct outside_vertex {
  csr_view<Id, Offset> g;
  P p;
  Id giant;

  void operator()(Id v, std::size_t first, std::size_t last) {
    giant = find::naive{}(p, giant);
    if (EarlyExit && parent_of(p, v) == giant) return;
    Id joined = v;
    for (std::size_t a = first; a < last; ++a) {
      joined = Unite{}(p, joined, g.targets[a]);
      if (EarlyExit && (joined == giant || parent_of(p, joined) == giant)) return;
    }
  }
};

template <bool Ahead, bool EarlyExit, bool Fused, class Backend, class Id, class Offset>
void finish_outside(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words,
                    std::size_t chunk, const giant_vote<Id>& giant, bool all_inside) {
  using parents = typename Backend::template parents<Id>;
  using outside = outside_vertex<EarlyExit, unite_of<Backend>, parents, Id, Offset>;
  row_flag long_ones;
  backend.for_chunks(g.vertices(), chunk, [=, &long_ones](std::size_t begin, std::size_t end) {
    outside unite_row{g, p, find::naive{}(p, giant.root)};
    const Id skipped = unite_row.giant;
    const auto is_outside = [=](Id v) {
      const Id parent = parent_of(p, v);
      Id root = parent;
      if constexpr (Fused) {
        // Two hops nearly always reach the root, so that nothing here is a branch on what a vertex happens to be. A root is not stored:
        // another thread may just have hooked it. Neither is the parent's root stored for the parent, for all who come by later: they
        // all come at once (1.2 instead of .3 ms on ba).
        root = parent_of(p, parent);
        if (const Id above = parent_of(p, root); above != root) root = find::naive{}(p, above);
        if (!Backend::concurrent || root != parent) p.store(v, p.link(root));
      }
      return (root != skipped) & (g.offsets[v] != g.offsets[std::size_t{v} + 1]);
    };
    in_flight<Ahead, parents, Id, Offset> waiting{g, p, words};
    const auto unite_start = [&](Id v) {
      const std::size_t first = g.offsets[v], length = g.offsets[v + 1] - first;
      if (length > long_row<Backend>) long_ones.raise();
      unite_row(v, first, first + std::min(length, long_row<Backend>));
    };
    const std::size_t step = all_inside ? 64 : end - begin;
    for (std::size_t block = begin; block < end; block += step) {
      const std::size_t stop = std::min(end, block + step);
      std::size_t first = block;
      if (all_inside) {
        while (first < stop && parent_of(p, static_cast<Id>(first)) == skipped) ++first;
      }
      waiting.each(first, stop, is_outside, unite_start);
    }
    waiting.flush(unite_start);
  });
  for_long_rows(backend, g, long_ones, [=](Id v, Offset first, Offset last) { outside{g, p, giant.root}(v, first, last); });
}

}  // namespace copse::own
