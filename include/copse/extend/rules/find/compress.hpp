// Find the root, then walk the path again and point every vertex at it (full path compression).
// Concurrency: a vertex on the path may since have been pointed past the root found here, at a smaller ancestor, so the second walk
// goes on only while the parent is larger than the root. A late store may undo a better one, but what it stores is an ancestor all the
// same.
#pragma once
#include <copse/extend/rules/find/naive.hpp>

#include <concepts>

namespace copse::find {

struct compress {
  static constexpr std::string_view name = "compress";

  template <parent_array P>
  COPSE_HOST_DEVICE typename P::id operator()(P p, typename P::id v) const noexcept {
    const auto root = naive{}(p, v);
    for (auto parent = p.parent(p.load(v)); parent > root; parent = p.parent(p.load(v))) {
      p.store(v, p.link(root));
      v = parent;
    }
    return root;
  }
};

/// True if a find writes the root it once saw into a vertex below. Another thread may have moved that vertex since (splice_atomic).
template <class Find>
inline constexpr bool writes_root = std::same_as<Find, compress>;

}  // namespace copse::find
