// The finish of the sampled path: vertices outside the giant unite all their arcs, and leave their row as soon as their root is the
// giant's. Right when both directions are stored: an edge is dropped only if both ends stopped, and then both are in the giant, which
// nothing ever leaves. The giant's root may itself be hooked under a smaller one: a thread that needs it looks again where it leads, which
// is one load of a hot word (instead of a sentinel, which would need labels translated back).
// Many threads have marked the vertices outside when they flattened. One thread looks at every vertex: where nearly all point at the giant
// already, a loop that stops at the first that does not is foreseen by the processor; elsewhere every vertex is treated alike, without a
// branch on whether it is in the giant. It flattens in the same pass.
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <copse/views.hpp>
#include <fast/giant.hpp>
#include <fast/in_flight.hpp>
#include <fast/long_rows.hpp>
#include <fast/rules.hpp>
#include <fast/shared_flag.hpp>
#include <fast/vertex_bits.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace copse::fast {

/// How the finish treats one vertex outside.
template <class Unite, class P, class Id, class Offset>
struct outside_vertex {
  csr_view<Id, Offset> g;
  P p;
  Id giant;

  void operator()(Id v, std::size_t first, std::size_t last) {
    giant = find::naive{}(p, giant);
    if (parent_of(p, v) == giant) return;
    Id joined = v;
    for (std::size_t a = first; a < last; ++a) {
      joined = Unite{}(p, joined, g.targets[a]);
      if (joined == giant || parent_of(p, joined) == giant) return;
    }
  }
};

/// One thread.
template <class Backend, class Id, class Offset>
void finish_outside(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words,
                    std::size_t chunk, const giant_vote<Id>& giant, bool all_inside) {
  using parents = typename Backend::template parents<Id>;
  using outside = outside_vertex<unite_of<Backend>, parents, Id, Offset>;
  backend.for_chunks(g.vertices(), chunk, [=](std::size_t begin, std::size_t end) {
    outside unite_row{g, p, find::naive{}(p, giant.root)};
    const Id skipped = unite_row.giant;
    const auto is_outside = [=](Id v) {
      const Id parent = parent_of(p, v);
      // Two hops nearly always reach the root, so that nothing here is a branch on what a vertex happens to be.
      Id root = parent_of(p, parent);
      if (const Id above = parent_of(p, root); above != root) root = find::naive{}(p, above);
      p.store(v, p.link(root));
      return (root != skipped) & (g.offsets[v] != g.offsets[std::size_t{v} + 1]);
    };
    in_flight<parents, Id, Offset> waiting{g, p, words};
    const auto unite_start = [&](Id v) { unite_row(v, g.offsets[v], g.offsets[v + 1]); };
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
}

/// Many threads: the rows of marked vertices; the marks of those without arcs go. Returns whether there was any. Precondition: trees are
/// flat.
template <class Backend, class Id, class Offset>
bool finish_marked(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words,
                   std::size_t chunk, Id giant, std::uint64_t* marks) {
  using parents = typename Backend::template parents<Id>;
  using outside = outside_vertex<unite_of<Backend>, parents, Id, Offset>;
  shared_flag long_ones, any;
  backend.for_chunks(g.vertices(), chunk, [=, &long_ones, &any](std::size_t begin, std::size_t end) {
    outside unite_row{g, p, find::naive{}(p, giant)};
    in_flight<parents, Id, Offset> waiting{g, p, words};
    const auto unite_start = [&](Id v) {
      const std::size_t first = g.offsets[v], length = g.offsets[v + 1] - first;
      any.raise();
      if (length > long_row<Backend>) long_ones.raise();
      unite_row(v, first, first + std::min(length, long_row<Backend>));
    };
    for (std::size_t word = begin / 64; word < (end + 63) / 64; ++word) {
      std::uint64_t with_arcs = 0;
      each_marked(marks, word * 64, word * 64 + 64, [&](std::size_t v) {
        const bool has_arcs = g.offsets[v] != g.offsets[v + 1];
        with_arcs |= std::uint64_t{has_arcs} << (v % 64);
        waiting.hold_if(has_arcs, static_cast<Id>(v), unite_start);
      });
      marks[word] = with_arcs;
    }
    waiting.flush(unite_start);
  });
  for_long_rows(backend, g, long_ones, [=](Id v, Offset first, Offset last) { outside{g, p, giant}(v, first, last); });
  return any.raised();
}

}  // namespace copse::fast
