// Point every vertex at its root: between rounds of a sampler, and last of all, when roots are labels.
#pragma once
#include <copse/core/types.hpp>
#include <copse/rules/find/naive.hpp>

#include <cstddef>

namespace copse::backend {

/// After it every parent is a root, as long as nothing else runs: each vertex walks to its root and stores it.
template <class Backend, class P>
void flatten_by_walks(const Backend& backend, P p, typename P::id n) {
  using id = typename P::id;
  backend.for_blocks(n, [p](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const id v = static_cast<id>(i);
      const auto word = p.load(v);
      if (p.is_root(v, word)) continue;
      const id root = find::naive{}(p, p.parent(word));
      if (root != p.parent(word)) p.store(v, p.link(root));
    }
  });
}

/// The same. One thread and minimal roots: one ascending pass, because p[v] <= v has been flattened before v. That pass leaves trees that
/// are flat already as they are, whatever their roots.
template <class Backend, class P>
void flatten(const Backend& backend, P p, typename P::id n) {
  if constexpr (Backend::concurrent || !P::minimal_roots) {
    flatten_by_walks(backend, p, n);
  } else {
    using id = typename P::id;
    backend.for_blocks(n, [p](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) p.store(static_cast<id>(v), p.load(p.parent(p.load(static_cast<id>(v)))));
    });
  }
}

/// labels[v] = the smallest vertex of the set that `root(v)` names, for trees that are flat: root(root(v)) == root(v).
template <class Backend, class Labels, class Root>
void label_by_smallest(const Backend& backend, Labels labels, typename Labels::id n, Root root) {
  using id = typename Labels::id;
  const auto for_vertices = [&](auto f) {
    backend.for_blocks(n, [f](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) f(static_cast<id>(v));
    });
  };
  for_vertices([=](id v) { labels.store(v, v); });
  // Only the entries of roots change, each to the smallest of its set, before any entry of another vertex is read.
  for_vertices([=](id v) {
    const id top = root(v);
    if (v < labels.load(top)) labels.fetch_min(top, v);
  });
  for_vertices([=](id v) {
    const id top = root(v);
    if (top != v) labels.store(v, labels.load(top));
  });
}

}  // namespace copse::backend
