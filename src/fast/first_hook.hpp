// The first pass of the sampled path (GConn's hook-based sampler): p[v] <- the first neighbour if that is smaller, by a store of v's own
// thread. One arc per vertex is read, no parent is gathered, nothing is swapped, and nothing needs to be initialised before: no thread
// reads a word of another. Where it has just hooked the neighbour itself, v takes the neighbour's parent: chains leave a thread's share in
// one step, and one thread, whose share is everything, is left with flat trees. Invariant: p[v] <= v.
// Many threads mark the vertices that are left as roots, by one bit, so that the next pass need not read all vertices again.
#pragma once
#include <copse/views.hpp>
#include <fast/in_flight.hpp>
#include <fast/rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace copse::fast {

/// `roots`: a bit per vertex, which becomes whether it has arcs and no smaller first neighbour; null where one thread works.
template <class Backend, class Id, class Offset>
void first_hook(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, std::size_t chunk,
                [[maybe_unused]] std::uint64_t* roots) {
  const std::size_t n = g.vertices();
  backend.for_runs(n, chunk, [=](std::size_t begin, std::size_t end, std::size_t run) {
    Offset first = g.offsets[begin];
    // Whether v is left as a root, but for those without arcs.
    const auto hook = [&](std::size_t v) {
      prefetch(g.targets.data() + g.offsets[std::min(v + far_distance, n)]);
      const Offset last = g.offsets[v + 1];
      auto parent = static_cast<Id>(v);
      bool left = false;
      if (first != last) {
        const Id target = g.targets[first];
        if (target < v) {
          parent = target >= run ? parent_of(p, target) : target;
        } else {
          left = true;
        }
      }
      p.store(static_cast<Id>(v), p.link(parent));
      first = last;
      return left;
    };
    if constexpr (Backend::concurrent) {
      for (std::size_t block = begin; block < end; block += 64) {
        std::uint64_t marks = 0;
        const std::size_t stop = std::min(end, block + 64);
        for (std::size_t v = block; v < stop; ++v) {
          if (hook(v)) marks |= std::uint64_t{1} << (v % 64);
        }
        roots[block / 64] = marks;
      }
    } else {
      for (std::size_t v = begin; v < end; ++v) hook(v);
    }
  });
}

}  // namespace copse::fast
