// Points every vertex at itself at the start of a solve, and at its root at the end. One thread flattens vertices in ascending order, so
// that p[v] <= v is flat before v. Many threads flatten chunks in ascending order, each taking the next chunk when it is free, so that
// smaller vertices are nearly flat already (with a contiguous share per thread they would not be: up to 1.8 times slower). Each vertex
// climbs two steps without a branch, because its depth is hard to predict and a misprediction costs more than the steps (two to five times
// slower on one core). Deeper vertices are rare, or are neighbours of another deep vertex (known_roots).
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <fast/passes.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace copse::fast {

/// Makes every vertex its own parent.
template <class Backend, class P>
void initialise(const Backend& backend, P p, typename P::id n) {
  using id = typename P::id;
  backend.for_blocks(n, [p](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) p.store(static_cast<id>(v), p.link(static_cast<id>(v)));
  });
}

/// A cache of roots for one chunk. Where trees are chains from chunk to chunk (lattices in row order, webs of near links), the vertices of
/// a chunk all climb the same few chains. The roots that a thread has found are kept for its next vertices, by the first step of the climb,
/// in a table that fits into the core's own cache. If they were stored in the trees, many threads would write the same words (four times
/// slower where all climbs meet at a hub). Precondition: trees are only ever joined, so that an ancestor stays an ancestor.
template <class P>
class known_roots {
public:
  using id = typename P::id;

  /// Returns an ancestor of `above` that was a root when it was found. `parent`: the vertex one step below `above`.
  [[gnu::noinline, gnu::cold]] id root(P p, id parent, id above) {
    if (!cleared_) {
      known_.fill({0, 0});
      cleared_ = true;
    }
    entry& mine = known_[parent % entries];
    // An unused element of the table has `from` 0, which never equals `parent`: vertex 0 is always a root, and `parent` is not a root.
    if (mine.from != parent) mine = {parent, find::naive{}(p, above)};
    return mine.to;
  }

private:
  struct entry {
    id from, to;
  };
  static constexpr std::size_t entries = 2048;

  std::array<entry, entries>
      known_;  // its elements are set to unused by the first call of root() only, because few chunks have long climbs
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

/// Flattens by many threads. Bit v of `marks` becomes 1 if v has another root than `giant`, otherwise 0.
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

/// Flattens by many threads, only the marked vertices. Precondition: all others point at their roots.
template <class Backend, class P>
void flatten_marked(const Backend& backend, P p, typename P::id n, std::size_t chunk, const std::uint64_t* marks) {
  backend.for_chunks(n, chunk, [=](std::size_t begin, std::size_t end) {
    known_roots<P> known;
    each_marked(marks, begin, end, [&](std::size_t v) { climb(p, static_cast<typename P::id>(v), known); });
  });
}

}  // namespace copse::fast
