// Find the root, then walk the path again and set the parent of every vertex on it to the root (full path compression). Concurrency:
// another thread may since have given a vertex on the path a parent smaller than the root found here, which is an ancestor of that root. So
// the second walk continues only while the parent is larger than the root. A late store may replace a better parent, but the stored one is
// still an ancestor.
#pragma once
#include <copse/extend/rules/find/naive.hpp>

namespace copse::find {

struct compress {
  static constexpr std::string_view name = "compress";
  static constexpr bool writes_root = true;

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

/// True if the find rule declares that it stores a root that it found earlier. By then splice_atomic in another thread may have moved the
/// vertex to another tree.
template <class Find>
inline constexpr bool writes_root = requires {
  requires Find::writes_root;
};

}  // namespace copse::find
