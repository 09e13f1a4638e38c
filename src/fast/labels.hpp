// Every vertex to its root. One thread goes up: p[v] <= v has been flattened before v. Many threads go up too, in chunks as they become
// free: what lies below is nearly flat already when they come to it (with a share for each thread it would not be: up to 1.8 times slower).
// Each vertex climbs two steps without a branch: how deep it lies would be the toss of a coin, and a wrong guess costs more than the steps
// (two to five times slower on one core). Deeper vertices are rare, or neighbours of one that was deep (known_roots.hpp).
#pragma once
#include <fast/known_roots.hpp>
#include <fast/rules.hpp>
#include <fast/vertex_bits.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace copse::fast {

/// Points v at its root and returns it. Precondition: no thread joins trees meanwhile.
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
