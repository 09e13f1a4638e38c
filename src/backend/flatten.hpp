// Point every vertex at its root: between rounds of a sampler, and last of all, when roots are labels.
#pragma once
#include <copse/rules/find/compress.hpp>
#include <copse/rules/find/naive.hpp>

#include <cstddef>

namespace copse::backend {

/// After it every parent is a root, as long as nothing else runs. Serial: one ascending pass, because p[v] <= v has been flattened
/// before v (this needs minimal roots). Concurrent: each vertex walks to its root and stores it.
template <class Backend, class P>
void flatten(const Backend& backend, P p, typename P::id n) {
  using id = typename P::id;
  backend.for_blocks(n, [p](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const id v = static_cast<id>(i);
      const id parent = p.parent(p.load(v));
      if constexpr (Backend::concurrent) {
        const id root = find::naive{}(p, parent);
        if (root != parent) p.store(v, p.link(root));
      } else {
        p.store(v, p.load(parent));
      }
    }
  });
}

}  // namespace copse::backend
