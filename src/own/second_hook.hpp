// The second pass of the sampled path: vertices that are roots still (no smaller first neighbour) unite their first arcs. They are few,
// about 1 in degree + 1 of a random graph, and together with the first hooks they make the giant. Where they do not (lattices in random
// order: the neighbours of a small vertex have all hooked to it), every vertex unites one more arc.
#pragma once
#include <copse/graph/csr.hpp>
#include <own/in_flight.hpp>
#include <own/rules.hpp>

#include <algorithm>
#include <cstddef>

namespace copse::own {

template <bool Ahead, class Backend, class Id, class Offset>
void second_hook(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words,
                 std::size_t chunk, unsigned arcs) {
  using parents = typename Backend::template parents<Id>;
  backend.for_chunks(g.vertices(), chunk, [=](std::size_t begin, std::size_t end) {
    in_flight<Ahead, parents, Id, Offset> waiting{g, p, words};
    const auto is_wanted = [=](Id v) { return p.is_root(v, p.load(v)) & (g.offsets[v] != g.offsets[std::size_t{v} + 1]); };
    const auto hook = [=](Id v) {
      const std::size_t first = g.offsets[v], last = std::min<std::size_t>(g.offsets[v + 1], first + arcs);
      Id joined = v;
      for (std::size_t a = first; a < last; ++a) joined = unite_of<Backend>{}(p, joined, g.targets[a]);
    };
    waiting.each(begin, end, is_wanted, hook);
    waiting.flush(hook);
  });
}

/// Every vertex unites its second arc: with the hooks before, all have then united their first two.
template <bool Ahead, class Backend, class Id, class Offset>
void top_up(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words, std::size_t chunk) {
  using parents = typename Backend::template parents<Id>;
  backend.for_chunks(g.vertices(), chunk, [=](std::size_t begin, std::size_t end) {
    in_flight<Ahead, parents, Id, Offset, 1> waiting{g, p, words};
    const auto has_two = [=](Id v) { return g.offsets[std::size_t{v} + 1] - g.offsets[v] > 1; };
    const auto unite_second = [=](Id v) { unite_of<Backend>{}(p, v, g.targets[g.offsets[v] + 1]); };
    waiting.each(begin, end, has_two, unite_second);
    waiting.flush(unite_second);
  });
}

}  // namespace copse::own
