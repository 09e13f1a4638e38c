// The second pass of the sampled path: vertices that are roots still (no smaller first neighbour) unite their first arcs. They are few,
// about 1 in degree + 1 of a random graph, and together with the first hooks they make the giant. Where they do not (lattices in random
// order: the neighbours of a small vertex have all hooked to it), a quarter of all vertices unite their last arc. The largest neighbour is
// the one that an arc so far used is least likely to lead to: these few join what the hooks left apart (on a shuffled grid 96 % of the
// vertices are in the giant then; all vertices' second arcs make it 100 %, at four times the unites).
#pragma once
#include <copse/views.hpp>
#include <fast/in_flight.hpp>
#include <fast/rules.hpp>
#include <fast/vertex_bits.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace copse::fast {

/// `roots`: as first_hook left it.
template <class Backend, class Id, class Offset>
void second_hook(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words,
                 std::size_t chunk, [[maybe_unused]] const std::uint64_t* roots) {
  using parents = typename Backend::template parents<Id>;
  backend.for_chunks(g.vertices(), chunk, [=](std::size_t begin, std::size_t end) {
    constexpr std::size_t arcs = 2;  // that a root unites
    in_flight<parents, Id, Offset> waiting{g, p, words};
    const auto hook = [=](Id v) {
      const std::size_t first = g.offsets[v], last = std::min<std::size_t>(g.offsets[v + 1], first + arcs);
      Id joined = v;
      for (std::size_t a = first; a < last; ++a) joined = unite_of<Backend>{}(p, joined, g.targets[a]);
    };
    if constexpr (Backend::concurrent) {
      each_marked(roots, begin, end, [&](std::size_t v) { waiting.hold(static_cast<Id>(v), hook); });
    } else {
      const auto is_wanted = [=](Id v) {  // without a branch
        return (int{p.is_root(v, p.load(v))} & int{g.offsets[v] != g.offsets[std::size_t{v} + 1]}) != 0;
      };
      waiting.each(begin, end, is_wanted, hook);
    }
    waiting.flush(hook);
  });
}

/// Of every 256 vertices, 64 neighbours unite their last arc.
template <class Backend, class Id, class Offset>
void top_up(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words, std::size_t chunk) {
  using parents = typename Backend::template parents<Id>;
  backend.for_chunks(g.vertices(), chunk, [=](std::size_t begin, std::size_t end) {
    in_flight<parents, Id, Offset, true> waiting{g, p, words};
    const auto has_arcs = [=](Id v) { return g.offsets[std::size_t{v} + 1] != g.offsets[v]; };
    const auto unite_last = [=](Id v) { unite_of<Backend>{}(p, v, g.targets[g.offsets[std::size_t{v} + 1] - 1]); };
    constexpr std::size_t every = 256, chosen = 64;
    for (std::size_t first = begin; first < end; first += every) {
      waiting.each(first, std::min(end, first + chosen), has_arcs, unite_last);
    }
    waiting.flush(unite_last);
  });
}

}  // namespace copse::fast
