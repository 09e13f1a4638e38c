// Which vertices are known to be in the giant, by a bit per vertex: a parent takes 32 times as much, so the bits of millions of vertices
// stay in the cache of one core. A raised bit is right for good, as what is in the giant never leaves it; one that is not raised says
// nothing. Edges between raised bits need no unite, and these are most edges of a graph with a giant.
// The other edges mostly have one end in the giant. The usual rules would read the word of the giant's root for each, which is a cache
// line that all threads want while some write to it. Nothing here reads it: a walk that comes to `giant` has arrived.
#pragma once
#include <copse/extend/rules/unite/no_link.hpp>
#include <fast/known_roots.hpp>
#include <fast/labels.hpp>
#include <fast/rules.hpp>
#include <fast/vertex_bits.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace copse::fast {

template <class Id>
struct giant_bits {
  std::uint64_t* words = nullptr;  ///< null: no giant is known
  Id giant = 0;                    ///< a vertex that was its root once

  /// 1 where v is known to be inside, 0 elsewhere.
  [[nodiscard]] std::uint64_t bit(Id v) const noexcept {
    return std::atomic_ref<std::uint64_t>{words[v / 64]}.load(std::memory_order_relaxed) >> (v % 64) & 1;
  }
  [[nodiscard]] bool has(Id v) const noexcept { return bit(v) != 0; }
};

/// The root of v as of some moment of the call, or `giant` when the path leads there. Halves the path.
template <class P>
typename P::id root_or_giant(P p, typename P::id v, typename P::id giant) {
  while (v != giant) {
    const auto parent = parent_of(p, v);
    if (parent == v || parent == giant) return parent;
    const auto above = parent_of(p, parent);
    if (above == parent) return parent;
    p.store(v, p.link(above));
    v = above;
  }
  return giant;
}

/// Joins the trees of u and v. As unite::hooks with halving, but that a tree is hooked under the giant, not under the giant's root: that is
/// a larger root linked to a smaller vertex as ever. Where the giant itself must be hooked (it has met a smaller root), the usual unite
/// does so.
template <class Unite, class P, class OnLink = unite::no_link>
void unite_past(P p, typename P::id u, typename P::id v, typename P::id giant, OnLink on_link = {}) {
  for (;;) {
    u = root_or_giant(p, u, giant);
    v = root_or_giant(p, v, giant);
    if (u == v) return;
    if (u < v) std::swap(u, v);
    if (u == giant) {
      Unite{}(p, u, v, on_link);
      return;
    }
    if (p.cas(u, p.link(u), p.link(v)).ok) return on_link(u, v);
  }
}

/// Raises the bits of vertices that have come to the giant, and flattens their paths. `Fresh`: no bit is of any value yet. Precondition:
/// no thread joins trees meanwhile; giant is a root.
template <bool Fresh, class Backend, class P>
void raise_giant_bits(const Backend& backend, P p, typename P::id n, std::size_t chunk, typename P::id giant, std::uint64_t* bits) {
  using id = typename P::id;
  backend.for_chunks(n, chunk, [=](std::size_t begin, std::size_t end) {
    known_roots<P> known;
    for (std::size_t block = begin; block < end; block += 64) {
      const std::size_t stop = std::min(end, block + 64);
      if constexpr (Fresh) {
        bit_row inside;
        for (std::size_t v = block; v < stop; ++v) inside.add(climb(p, static_cast<id>(v), known) == giant);
        bits[block / 64] = inside.bits();
      } else {
        const std::uint64_t all = stop - block == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (stop - block)) - 1;
        std::uint64_t raised = bits[block / 64];
        for (std::uint64_t left = all & ~raised; left != 0; left &= left - 1) {
          const auto bit = static_cast<unsigned>(std::countr_zero(left));
          raised |= std::uint64_t{climb(p, static_cast<id>(block + bit), known) == giant} << bit;
        }
        bits[block / 64] = raised;
      }
    }
  });
}

}  // namespace copse::fast
