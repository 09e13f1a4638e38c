// The last pass: every vertex to its root. One thread goes up: p[v] <= v has been flattened before v. Many threads walk: vertex by vertex
// where nearly all point at roots, several vertices at once (walk.hpp) where walks are long and scattered.
#pragma once
#include <copse/rules/find/naive.hpp>
#include <own/rules.hpp>
#include <own/walk.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace copse::own {

template <bool Together, class Backend, class P>
void flatten(const Backend& backend, P p, typename P::id n) {
  using id = typename P::id;
  backend.for_blocks(n, [p](std::size_t begin, std::size_t end) {
    if constexpr (!Backend::concurrent) {
      for (std::size_t v = begin; v < end; ++v) p.store(static_cast<id>(v), p.load(parent_of(p, static_cast<id>(v))));
    } else if constexpr (!Together) {
      for (std::size_t v = begin; v < end; ++v) {
        const id parent = parent_of(p, static_cast<id>(v)), above = parent_of(p, parent);
        if (above != parent) p.store(static_cast<id>(v), p.link(find::naive{}(p, above)));
      }
    } else {
      for (std::size_t base = begin; base < end; base += walks_together) {
        const std::size_t count = std::min(walks_together, end - base);
        std::array<id, walks_together> parent, root;
        for (std::size_t i = 0; i < count; ++i) parent[i] = root[i] = parent_of(p, static_cast<id>(base + i));
        walk_to_roots(p, std::span{root.data(), count});
        for (std::size_t i = 0; i < count; ++i) {
          if (root[i] != parent[i]) p.store(static_cast<id>(base + i), p.link(root[i]));
        }
      }
    }
  });
}

}  // namespace copse::own
