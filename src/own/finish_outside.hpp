// The finish of the sampled path: vertices outside the giant unite all their arcs, and leave their row as soon as their root is the
// giant's. Right when both directions are stored: an edge is dropped only if both ends stopped, and then both are in the giant, which
// nothing ever leaves. The giant's root may itself be hooked under a smaller one: whoever needs it looks once more where it leads, which
// is one load of a hot word (instead of a sentinel, which would need labels translated back).
// With `Fused` the pass also flattens what it visits; without, trees are flat before it.
#pragma once
#include <copse/graph/csr.hpp>
#include <copse/rules/find/naive.hpp>
#include <own/in_flight.hpp>
#include <own/long_rows.hpp>
#include <own/rules.hpp>
#include <own/vertex_bits.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace copse::own {

/// How the finish treats one vertex outside; `bits` may be null, otherwise bit v says that v is in the giant.
template <bool EarlyExit, class Unite, class P, class Id, class Offset>
struct outside_vertex {
  csr_view<Id, Offset> g;
  P p;
  Id giant;
  const std::uint64_t* bits;

  void operator()(Id v, std::size_t first, std::size_t last) {
    giant = find::naive{}(p, giant);
    if (EarlyExit && parent_of(p, v) == giant) return;
    if (bits != nullptr) {
      for (std::size_t a = first; a < last; ++a) {
        if (!bit_of(bits, g.targets[a])) continue;
        Unite{}(p, v, giant);
        if constexpr (EarlyExit) return;
      }
    }
    Id joined = v;
    for (std::size_t a = first; a < last; ++a) {
      joined = Unite{}(p, joined, g.targets[a]);
      if (EarlyExit && (joined == giant || parent_of(p, joined) == giant)) return;
    }
  }
};

template <bool Ahead, bool EarlyExit, bool Fused, class Backend, class Id, class Offset>
void finish_outside(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words,
                    std::size_t chunk, Id giant, const std::uint64_t* bits) {
  using parents = typename Backend::template parents<Id>;
  using outside = outside_vertex<EarlyExit, unite_of<Backend>, parents, Id, Offset>;
  row_flag long_ones;
  backend.for_chunks(g.vertices(), chunk, [=, &long_ones](std::size_t begin, std::size_t end) {
    outside unite_row{g, p, find::naive{}(p, giant), bits};
    const Id skipped = unite_row.giant;
    auto unite_start = [&](Id v) {
      const std::size_t first = g.offsets[v], last = g.offsets[v + 1];
      if (last - first > long_row<Backend>) long_ones.raise();
      unite_row(v, first, first + std::min(last - first, long_row<Backend>));
    };
    in_flight<Ahead, parents, Id, Offset> waiting{g, p, words};
    for (std::size_t i = begin; i < end; ++i) {
      const auto v = static_cast<Id>(i);
      const Id parent = parent_of(p, v);
      if (parent == skipped) continue;
      if constexpr (Fused) {
        const Id root = find::naive{}(p, parent);
        if (root != parent) p.store(v, p.link(root));
        if (root == skipped) continue;
      }
      waiting.add(v, g.offsets[v] != g.offsets[i + 1], unite_start);
    }
    waiting.flush(unite_start);
  });
  for_long_rows(backend, g, long_ones, [=](Id v, Offset first, Offset last) { outside{g, p, giant, bits}(v, first, last); });
}

}  // namespace copse::own
