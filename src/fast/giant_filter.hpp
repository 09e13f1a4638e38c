// Of a block of edges, those with an end that is not known to be in the giant. An end that is known to be inside may be named as the giant
// itself: a unite need not climb from it then. The same pass looks whether all ends are vertices, so that a list is read once.
// Eight edges are filtered at once where the processor can (AVX-512: it gathers sixteen words of bits, and compresses what is left). Such
// gathers are no atomic loads. So `wide` is for bits that nobody writes meanwhile, as those that are raised between two passes over edges;
// where workers raise bits while others filter (a stream), one bit after the other is loaded, atomically. Words of parents, which threads
// write all the time, are read by the accessor alone.
#pragma once
#include <copse/views.hpp>
#include <fast/column_edges.hpp>
#include <fast/giant_bits.hpp>
#include <fast/known_ends.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::fast {

/// Edges that the filter may write beyond those that it keeps.
inline constexpr std::size_t filter_room = 8;

struct filtered {
  std::size_t kept = 0;
  bool known = true;  ///< false: an end is no vertex, and what was kept means nothing
};

template <class Id>
struct giant_filter {
  giant_bits<Id> inside;
  Id limit = 0;  ///< ends below are vertices; 0: all are
  bool name_giant = true;
  bool wide = true;  ///< nobody writes bits while edges are filtered

  /// Of edges [first, last); writes to kept[0, last - first + filter_room).
  template <class Edges>
  filtered operator()(const Edges& edges, std::size_t first, std::size_t last, edge<Id>* kept) const {
    return one_by_one(edges, first, last, kept);
  }
  filtered operator()(std::span<const edge<Id>> edges, std::size_t first, std::size_t last, edge<Id>* kept) const;
  filtered operator()(const column_edges<Id>& edges, std::size_t first, std::size_t last, edge<Id>* kept) const;

  /// Without a branch per edge.
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

/// Has this processor the wide filter?
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
