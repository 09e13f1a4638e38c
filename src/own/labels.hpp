// The last pass: every vertex to its root. One thread goes up: p[v] <= v has been flattened before v. Many threads walk; with `Ahead` a
// thread walks from 16 vertices at once, so that their misses overlap.
#pragma once
#include <copse/rules/find/naive.hpp>
#include <own/rules.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace copse::own {

template <bool Ahead, class Backend, class P>
void flatten(const Backend& backend, P p, typename P::id n) {
  using id = typename P::id;
  backend.for_blocks(n, [p](std::size_t begin, std::size_t end) {
    if constexpr (!Backend::concurrent) {
      for (std::size_t v = begin; v < end; ++v) p.store(static_cast<id>(v), p.load(parent_of(p, static_cast<id>(v))));
    } else {
      constexpr std::size_t together = Ahead ? 16 : 1;
      for (std::size_t base = begin; base < end; base += together) {
        const std::size_t count = std::min(together, end - base);
        std::array<id, together> parent, root;
        for (std::size_t i = 0; i < count; ++i) parent[i] = root[i] = parent_of(p, static_cast<id>(base + i));
        for (bool moved = true; moved;) {
          moved = false;
          for (std::size_t i = 0; i < count; ++i) {
            const id next = parent_of(p, root[i]);
            moved |= next != root[i];
            root[i] = next;
          }
        }
        for (std::size_t i = 0; i < count; ++i) {
          if (root[i] != parent[i]) p.store(static_cast<id>(base + i), p.link(root[i]));
        }
      }
    }
  });
}

/// As flatten, when most vertices have the parent `giant`: where that is still a root, they are only looked at.
template <class Backend, class P>
void flatten_outside(const Backend& backend, P p, typename P::id n, typename P::id giant) {
  using id = typename P::id;
  const id root_of_giant = find::naive{}(p, giant);
  backend.for_blocks(n, [p, root_of_giant](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const id parent = parent_of(p, static_cast<id>(v));
      if (parent == root_of_giant) continue;
      const id root = find::naive{}(p, parent);
      if (root != parent) p.store(static_cast<id>(v), p.link(root));
    }
  });
}

}  // namespace copse::own
