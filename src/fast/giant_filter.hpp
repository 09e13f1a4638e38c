// Edges inside the giant need no unite, and in a graph with a giant these are most edges. This file has the edges of a list, the bits of
// the vertices that are known to be in the giant, and a filter that keeps those edges of a block that have an end not known to be in the
// giant. The filter may replace an end that is in the giant by the giant itself, so that a unite need not climb from that end. The same
// pass checks that all ends are vertices, so that a list is read once. With AVX-512, eight edges are filtered at once: it gathers sixteen
// words of bits and compresses the edges that are kept. Such gathers are not atomic loads, so `wide` is for bits that do not change during
// a pass, such as those that are raised between two passes over edges. Where workers raise bits while others filter (a stream), bits are
// loaded one after the other, atomically. The parents, which threads write all the time, are read through the accessor only.
#pragma once
#include <copse/extend/rules/unite/no_link.hpp>
#include <copse/views.hpp>
#include <fast/labels.hpp>
#include <fast/passes.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace copse::fast {

/// Edges of a list that is stored as two columns.
template <class Id>
class column_edges {
public:
  explicit column_edges(edge_columns_view<Id> columns) noexcept : sources_{columns.sources}, targets_{columns.targets} {}
  [[nodiscard]] std::size_t size() const noexcept { return sources_.size(); }
  edge<Id> operator[](std::size_t i) const noexcept { return {sources_[i], targets_[i]}; }
  [[nodiscard]] const Id* sources() const noexcept { return sources_.data(); }
  [[nodiscard]] const Id* targets() const noexcept { return targets_.data(); }

private:
  std::span<const Id> sources_, targets_;
};

// Edges whose ends may not be vertices: those that a caller passes, and those that name new vertices.

/// Thrown if an end of an edge is not a vertex. The function that has the caller's view finds out which edge it is.
struct unknown_end {};

/// Number of edges whose ends are checked together, just before they are united: the edges are then in the first-level cache, and are read
/// from memory once.
inline constexpr std::size_t edges_looked_at = 2048;

/// True if all ends of edges [first, last) are below n. Has no branch per edge.
template <class Edges, class Id>
bool ends_are_known(const Edges& edges, std::size_t first, std::size_t last, Id n) {
  Id wrong = 0;
  for (std::size_t i = first; i < last; ++i) {
    const edge<Id> e = edges[i];
    wrong |= static_cast<Id>(e.u >= n) | static_cast<Id>(e.v >= n);
  }
  return wrong == 0;
}

/// The edges as a vote on the giant reads them: an edge with an end of n or more appears as a loop, and loops have no vote.
template <class Edges, class Id>
struct edges_of_known {
  const Edges& edges;
  Id n;
  edge<Id> operator[](std::size_t i) const noexcept {
    const edge<Id> e = edges[i];
    return e.u < n && e.v < n ? e : edge<Id>{};
  }
};

// A bit takes 1/32 of the memory of a parent, so the bits of millions of vertices stay in the cache of one core. A raised bit stays right,
// because no vertex leaves the giant; a bit that is not raised says nothing. Most of the edges that the filter keeps have one end in the
// giant. For each of these, the usual rules would read the word of the giant's root, whose cache line all threads want while some of them
// write to it. The functions below do not read that word: a walk that reaches `giant` ends there.

/// The vertices that are known to be in the giant, as one bit per vertex.
template <class Id>
struct giant_bits {
  std::uint64_t* words = nullptr;  ///< null: no giant is known
  Id giant = 0;                    ///< a vertex that was the giant's root at some time

  /// Returns 1 if v is known to be in the giant, otherwise 0.
  [[nodiscard]] std::uint64_t bit(Id v) const noexcept {
    return std::atomic_ref<std::uint64_t>{words[v / 64]}.load(std::memory_order_relaxed) >> (v % 64) & 1;
  }
  [[nodiscard]] bool has(Id v) const noexcept { return bit(v) != 0; }
};

/// Returns a vertex that was the root of v at some moment of the call, or `giant` if the path leads there. Halves the path.
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

/// Joins the trees of u and v: finds both roots, halving the paths, and hooks the larger under the smaller by compare-and-swap. But a path
/// that comes to `giant` counts as ending there, so trees are hooked under `giant`, not under the giant's root: this also links a larger
/// root to a smaller vertex. If `giant` itself must be hooked, because it has met a smaller root, `Unite` does so.
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

/// Raises the bits of vertices that are in the giant by now, and flattens their paths. `Fresh`: the current bits are undefined.
/// Precondition: no thread joins trees during the call; `giant` is a root.
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

/// Number of edges that the filter may write behind those that it keeps.
inline constexpr std::size_t filter_room = 8;

struct filtered {
  std::size_t kept = 0;
  bool known = true;  ///< false if an end is not a vertex; then the kept edges mean nothing
};

template <class Id>
struct giant_filter {
  giant_bits<Id> inside;
  Id limit = 0;  ///< ends are checked to be below it; 0: all ends are known to be vertices
  bool name_giant = true;
  bool wide = true;  ///< true if no thread writes bits while edges are filtered, so that eight may be tested at once

  /// Filters edges [first, last); writes to kept[0, last - first + filter_room).
  template <class Edges>
  filtered operator()(const Edges& edges, std::size_t first, std::size_t last, edge<Id>* kept) const {
    return one_by_one(edges, first, last, kept);
  }
  filtered operator()(std::span<const edge<Id>> edges, std::size_t first, std::size_t last, edge<Id>* kept) const;
  filtered operator()(const column_edges<Id>& edges, std::size_t first, std::size_t last, edge<Id>* kept) const;

  /// Filters edge by edge, without branches.
  template <class Edges>
  filtered one_by_one(const Edges& edges, std::size_t first, std::size_t last, edge<Id>* kept) const {
    if (limit != 0 && !ends_are_known(edges, first, last, limit)) return {0, false};
    return name_giant ? kept_of<true>(edges, first, last, kept) : kept_of<false>(edges, first, last, kept);
  }

private:
  template <bool Named, class Edges>
  filtered kept_of(const Edges& edges, std::size_t first, std::size_t last, edge<Id>* kept) const {
    std::size_t count = 0;
    for (std::size_t i = first; i < last; ++i) {
      const edge<Id> e = edges[i];
      const std::uint64_t u = inside.bit(e.u), v = inside.bit(e.v);
      kept[count] = Named ? edge<Id>{u != 0 ? inside.giant : e.u, v != 0 ? inside.giant : e.v} : e;
      count += 1 - static_cast<std::size_t>(u & v);
    }
    return {count, true};
  }
};

/// True if this processor supports the filter of eight edges at once.
bool filters_wide() noexcept;
filtered filter_wide(const giant_filter<std::uint32_t>& filter, std::span<const edge<std::uint32_t>> edges, edge<std::uint32_t>* kept);
filtered filter_wide(const giant_filter<std::uint32_t>& filter, const column_edges<std::uint32_t>& edges, std::size_t first,
                     std::size_t last, edge<std::uint32_t>* kept);

template <class Id>
filtered giant_filter<Id>::operator()(std::span<const edge<Id>> edges, std::size_t first, std::size_t last, edge<Id>* kept) const {
  if constexpr (std::is_same_v<Id, std::uint32_t>) {
    if (wide && filters_wide()) return filter_wide(*this, edges.subspan(first, last - first), kept);
  }
  return one_by_one(edges, first, last, kept);
}
template <class Id>
filtered giant_filter<Id>::operator()(const column_edges<Id>& edges, std::size_t first, std::size_t last, edge<Id>* kept) const {
  if constexpr (std::is_same_v<Id, std::uint32_t>) {
    if (wide && filters_wide()) return filter_wide(*this, edges, first, last, kept);
  }
  return one_by_one(edges, first, last, kept);
}

}  // namespace copse::fast
