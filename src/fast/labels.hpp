// Every vertex to its own word at the start, and to its root at the end. One thread takes ascending vertices: p[v] <= v has been flattened
// before v. Many threads do so too, in chunks as they become free: smaller vertices are nearly flat already when they come to them (with a
// share for each thread it would not be: up to 1.8 times slower). Each vertex climbs two steps without a branch: how deep it is would be
// the toss of a coin, and a wrong guess costs more than the steps (two to five times slower on one core). Deeper vertices are rare, or
// neighbours of one that was deep (known_roots).
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <fast/passes.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace copse::fast {

/// Every vertex its own parent.
template <class Backend, class P>
void initialise(const Backend& backend, P p, typename P::id n) {
  using id = typename P::id;
  backend.for_blocks(n, [p](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) p.store(static_cast<id>(v), p.link(static_cast<id>(v)));
  });
}

/// Where trees are chains from chunk to chunk (lattices in row order, webs of near links), the vertices of a chunk all climb the same
/// few chains. What a thread found out is kept for the next of its vertices, by the first step of the climb, in a table that fits into the
/// core's own cache: storing it in the trees would have many threads write the same words (four times slower where all meet at a hub).
/// Precondition of use: trees are only ever joined, so that what was an ancestor stays one.
template <class P>
class known_roots {
public:
  using id = typename P::id;

  /// An ancestor of `above` that was a root when it was looked for. `parent`: the step before `above`.
  [[gnu::noinline, gnu::cold]] id root(P p, id parent, id above) {
    if (!cleared_) {
      known_.fill({0, 0});
      cleared_ = true;
    }
    entry& mine = known_[parent % entries];
    // Vertex 0 is a root for ever and never climbs, so that a zero is no entry.
    if (mine.from != parent) mine = {parent, find::naive{}(p, above)};
    return mine.to;
  }

private:
  struct entry {
    id from, to;
  };
  static constexpr std::size_t entries = 2048;

  std::array<entry, entries> known_;  // filled at its first use: few blocks have long climbs
  bool cleared_ = false;
};

/// Points v at its root and returns it. Precondition: no thread joins trees during the call.
template <class P>
typename P::id climb(P p, typename P::id v, known_roots<P>& known) {
  const auto parent = parent_of(p, v), above = parent_of(p, parent);
  auto root = parent_of(p, above);
  if (root != above) [[unlikely]]
    root = known.root(p, parent, root);
  p.store(v, p.link(root));
  return root;
}

template <class Backend, class P>
void flatten(const Backend& backend, P p, typename P::id n, std::size_t chunk) {
  using id = typename P::id;
  backend.for_chunks(n, chunk, [p](std::size_t begin, std::size_t end) {
    if constexpr (!Backend::concurrent) {
      for (std::size_t v = begin; v < end; ++v) p.store(static_cast<id>(v), p.load(parent_of(p, static_cast<id>(v))));
    } else {
      known_roots<P> known;
      for (std::size_t v = begin; v < end; ++v) climb(p, static_cast<id>(v), known);
    }
  });
}

/// Many threads: marks[v] becomes whether v has another root than `giant`.
template <class Backend, class P>
void flatten_and_mark(const Backend& backend, P p, typename P::id n, std::size_t chunk, typename P::id giant, std::uint64_t* marks) {
  using id = typename P::id;
  backend.for_chunks(n, chunk, [=](std::size_t begin, std::size_t end) {
    known_roots<P> known;
    for (std::size_t block = begin; block < end; block += 64) {
      bit_row outside;
      for (std::size_t v = block, stop = std::min(end, block + 64); v < stop; ++v)
        outside.add(climb(p, static_cast<id>(v), known) != giant);
      marks[block / 64] = outside.bits();
    }
  });
}

/// Many threads: only marked vertices, where all others point at their roots.
template <class Backend, class P>
void flatten_marked(const Backend& backend, P p, typename P::id n, std::size_t chunk, const std::uint64_t* marks) {
  backend.for_chunks(n, chunk, [=](std::size_t begin, std::size_t end) {
    known_roots<P> known;
    each_marked(marks, begin, end, [&](std::size_t v) { climb(p, static_cast<typename P::id>(v), known); });
  });
}

}  // namespace copse::fast
