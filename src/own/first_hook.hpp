// The first pass of the sampled path (GConn's hook-based sampler): p[v] <- the first neighbour if that is smaller, by a store of v's own
// thread. One arc a vertex is read, no parent is gathered, nothing is swapped, and nothing needs to be initialised before: no vertex reads
// a word of another chunk. Inside its chunk a neighbour has been hooked already, so that v takes the neighbour's parent: chains leave a
// chunk in one step, and one thread, whose chunk is everything, is left with flat trees. Invariant: p[v] <= v.
#pragma once
#include <copse/graph/csr.hpp>
#include <own/in_flight.hpp>
#include <own/rules.hpp>

#include <algorithm>
#include <cstddef>

namespace copse::own {

template <bool Ahead, bool Flat, class Backend, class Id, class Offset>
void first_hook(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, std::size_t chunk) {
  const std::size_t n = g.vertices();
  backend.for_chunks(n, chunk, [=](std::size_t begin, std::size_t end) {
    const std::size_t floor = Backend::concurrent ? begin : 0;
    Offset first = g.offsets[begin];
    for (std::size_t v = begin; v < end; ++v) {
      if constexpr (Ahead) prefetch(g.targets.data() + g.offsets[std::min(v + far_distance, n)]);
      const Offset last = g.offsets[v + 1];
      auto parent = static_cast<Id>(v);
      if (first != last) {
        const Id target = g.targets[first];
        if (target < v) parent = Flat && target >= floor ? parent_of(p, target) : target;
      }
      p.store(static_cast<Id>(v), p.link(parent));
      first = last;
    }
  });
}

}  // namespace copse::own
