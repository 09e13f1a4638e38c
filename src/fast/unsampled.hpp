// The path without a sample, for rows of few arcs (roads) and for graphs in which no giant forms. Rows that are not known to hold both
// directions are read as lists (solve_list.hpp). First p[v] becomes the first neighbour if that is smaller, by the store that initialises
// it anyway (or the neighbour's parent, if the same thread has just hooked the neighbour, so that a chain leaves the thread's share in one
// step). One thread owns all vertices, and unites the other smaller neighbours in the same pass; many threads mark the vertices that have
// any, by one bit, and unite their rows by compare-and-swap in a second pass. (In scattered rows the neighbour's parent is not used,
// because loading it costs eight times as much as the store. Uniting inside a chunk by stores before any compare-and-swap was tried with
// many threads: up to 1.8 times slower.) Invariant: p[v] <= v, and before the second pass no thread reads a word of another.
#pragma once
#include <copse/views.hpp>
#include <fast/decide.hpp>
#include <fast/in_flight.hpp>
#include <fast/labels.hpp>
#include <fast/passes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace copse::fast {

/// With at least this many arcs per vertex, at least half of the edges join nothing, whatever the components are, because a spanning forest
/// has fewer than two arcs per vertex.
inline constexpr std::size_t dense_arcs_per_vertex = 4;

/// Unites v, or `joined`, which is in the tree of v, with those targets of arcs [first, last) that are smaller than v. `Dense`: most
/// targets are in the same tree already. Then parents are compared first, without a branch on which end is smaller, which would be
/// unpredictable in unsorted rows: if the target is larger, v's own parent, which is in the cache, is compared instead. On trees and roads
/// this costs up to a fifth of the time.
template <bool Dense, bool Sorted, class Backend, class P, class Id, class Offset>
void unite_smaller(csr_view<Id, Offset> g, P p, Id v, Id joined, std::size_t first, std::size_t last) {
  [[maybe_unused]] Id above = v;
  if constexpr (Dense) above = parent_of(p, v);
  for (std::size_t a = first; a < last; ++a) {
    const Id target = g.targets[a];
    if (Sorted && target >= v) break;
    if constexpr (Dense) {
      if (parent_of(p, std::min(target, v)) == above) continue;
      joined = unite_of<Backend>{}(p, joined, target);
      above = parent_of(p, v);
    } else if (Sorted || target < v) {
      joined = unite_of<Backend>{}(p, joined, target);
    }
  }
}

/// One thread: hooks v to its first smaller neighbour and unites it with its other smaller neighbours, in one pass. Each edge is united
/// from its larger end only, so in a sorted row the loop ends at the first larger target.
template <bool Dense, bool Ahead, bool Sorted, class Backend, class Id, class Offset>
void unite_rows(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words,
                std::size_t chunk) {
  if (g.targets.empty()) return initialise(backend, p, g.vertices());
  backend.for_chunks(g.vertices(), chunk, [=](std::size_t begin, std::size_t end) {
    const std::size_t last_arc = g.targets.size() - 1, n = g.vertices();
    const Offset* const offsets = g.offsets.data();
    const Id* const targets = g.targets.data();
    std::size_t next = offsets[begin];
    for (std::size_t i = begin; i < end; ++i) {
      const auto v = static_cast<Id>(i);
      const std::size_t first = next;
      next = offsets[i + 1];
      if (Ahead && i != 0) {
        const std::size_t far = offsets[std::min(i + far_distance, n)], near = offsets[std::min(i + near_distance, n)];
        prefetch(words + targets[std::min(far, last_arc)]);
        prefetch(words + targets[std::min(far + 1, last_arc)]);
        const Id soon = targets[std::min(near, last_arc)], soon_too = targets[std::min(near + 1, last_arc)];
        const Id before = v - 1;
        prefetch(words + parent_of(p, std::min(soon, before)));
        prefetch(words + parent_of(p, std::min(soon_too, before)));
      }
      if (first == next) {
        p.store(v, p.link(v));
        continue;
      }
      const Id nearest = targets[first];
      Id joined = v;
      if (nearest >= v) {
        p.store(v, p.link(v));
        if constexpr (Sorted) continue;
      } else {
        joined = parent_of(p, nearest);
        p.store(v, p.link(joined));
      }
      unite_smaller<Dense, Sorted, Backend>(g, p, v, joined, first + 1, next);
    }
  });
}

/// Many threads: hooks v to its first neighbour if that is smaller, and marks v if it has, or may have, other arcs to unite. On roads it is
/// unpredictable whether a neighbour is smaller, so the code has no branch on it. `Flat`: hooks v to the neighbour's parent if the same
/// thread has hooked the neighbour.
template <bool Flat, bool Sorted, class Backend, class Id, class Offset>
void hook_and_mark(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, std::size_t chunk,
                   std::uint64_t* left, shared_flag& long_ones) {
  if (g.targets.empty()) {
    std::fill_n(left, (g.vertices() + 63) / 64, std::uint64_t{0});
    return initialise(backend, p, g.vertices());
  }
  backend.for_runs(g.vertices(), chunk, [=, &long_ones](std::size_t begin, std::size_t end, std::size_t run) {
    const std::size_t last_arc = g.targets.size() - 1;
    const Offset* const offsets = g.offsets.data();
    const Id* const targets = g.targets.data();
    std::size_t next = offsets[begin];
    for (std::size_t block = begin; block < end; block += 64) {
      bit_row marks;
      for (std::size_t i = block, stop = std::min(end, block + 64); i < stop; ++i) {
        const auto v = static_cast<Id>(i);
        const std::size_t first = next, second = first + 1, beyond = first + long_row<Backend>;
        next = offsets[i + 1];
        const Id nearest = targets[std::min(first, last_arc)];
        const Id candidate = first < next && nearest < v ? nearest : v;
        if constexpr (Flat) {
          const bool inside = candidate >= run;
          p.store(v, p.link(v));
          const Id above = parent_of(p, inside ? candidate : v);
          p.store(v, p.link(inside ? above : candidate));
        } else {
          p.store(v, p.link(candidate));
        }
        const auto wanted = [=](std::size_t a) { return bool{a < next} & (!Sorted || targets[std::min(a, last_arc)] < v); };
        marks.add(wanted(second));
        if (beyond < next && wanted(beyond)) long_ones.raise();
      }
      left[block / 64] = marks.bits();
    }
  });
}

/// Unites the arcs that the first pass left: the rows of marked vertices, then long rows in pieces.
template <bool Dense, bool Ahead, bool Sorted, class Backend, class Id, class Offset>
void unite_left(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const Id* words,
                std::size_t chunk, const std::uint64_t* left, const shared_flag& long_ones) {
  const auto unite_piece = [=](Id v, std::size_t first, std::size_t last) {
    unite_smaller<Dense, Sorted, Backend>(g, p, v, v, first, last);
  };
  // Number of arcs at the beginning of a row that are not united here: the first pass hooked along the first arc, or it is united from its
  // other end.
  constexpr std::size_t done = 1;
  backend.for_runs(g.vertices(), chunk, [=](std::size_t begin, std::size_t end, std::size_t) {
    const auto unite_row = [=](Id v) {
      const std::size_t first = g.offsets[v];
      unite_piece(v, first + done, first + std::min<std::size_t>(g.offsets[v + 1] - first, long_row<Backend>));
    };
    if constexpr (Ahead) {
      chains_ahead waiting{g, p, words};
      each_marked(left, begin, end, [&](std::size_t v) { waiting.hold(static_cast<Id>(v), unite_row); });
      waiting.flush(unite_row);
    } else {
      each_marked(left, begin, end, [&](std::size_t v) { unite_row(static_cast<Id>(v)); });
    }
  });
  for_long_rows(backend, g, long_ones, [=](Id v, Offset first, Offset last) { unite_piece(v, first, last); });
}

/// Unites every edge of rows that hold both directions. For trees that are flat, and mostly components already: the sampled path calls it
/// if it finds no giant.
template <class Backend, class Id, class Offset>
void unite_flat(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p) {
  as_constants(g.sorted, [&](auto sorted) {
    backend.for_row_pieces(g, [=](Id v, Offset first, Offset last) { unite_smaller<true, sorted(), Backend>(g, p, v, v, first, last); });
  });
}

/// Maximum number of vertices in a chunk where many threads unite scattered rows. Each vertex waits for memory there, some vertices for
/// several parents in turn, so eight larger chunks per thread would end at very different times.
inline constexpr std::size_t scattered_chunk = 8192;

/// Solves without a sample. Precondition: g holds both directions of every edge. `marks`: scratch memory of one bit per vertex; used only
/// with many threads.
template <class Backend, class Id, class Offset>
void solve_unsampled(const Backend& backend, csr_view<Id, Offset> g, Id* words, std::uint64_t* marks, bool scattered,
                     const fast_options& settings) {
  const typename Backend::template parents<Id> p{words};
  std::size_t chunk = chunk_of(backend, g.vertices(), settings.chunk_vertices);
  if (Backend::concurrent && scattered && settings.chunk_vertices == 0) chunk = std::min(chunk, scattered_chunk);
  report_clock watch{settings.report};
  shared_flag long_ones;
  const auto unite = [&](auto dense, auto ahead, auto sorted) {
    if constexpr (Backend::concurrent) {
      hook_and_mark<!ahead(), sorted()>(backend, g, p, chunk, marks, long_ones);
      watch.lap(&fast_report::hook_seconds);
      unite_left<dense(), ahead(), sorted()>(backend, g, p, words, chunk, marks, long_ones);
    } else {
      unite_rows<dense(), ahead(), sorted()>(backend, g, p, words, chunk);
    }
    watch.lap(&fast_report::finish_seconds);
  };
  as_constants(g.targets.size() / dense_arcs_per_vertex >= g.vertices(), [&](auto dense) {
    as_constants(scattered, [&](auto ahead) { as_constants(g.sorted, [&](auto sorted) { unite(dense, ahead, sorted); }); });
  });
  flatten(backend, p, g.vertices(), chunk);
  watch.lap(&fast_report::label_seconds);
}

}  // namespace copse::fast
