// Contracts cross edges (those between the CPU's and the GPU's part of a graph, or between pieces of the CPU's part) to one super-edge for
// each pair of components that they join, and solves these. The pairs are the keys of a hash table: of the threads that find the same pair,
// one inserts it. (Sorting the arcs by pair would move each about ten times. Here each arc costs one access, which for the pair of two
// giants is to a word that all caches hold.) A key has the smaller label in its upper half and the larger, which is not 0, in its lower
// half; a slot with 0 is free. A slot is filled once and never changes again, so its load may be stale: the compare-and-swap detects that.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <core/random.hpp>
#include <hybrid/gpu_part_rows.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace copse::hybrid {

/// Returns the number of slots for the pairs of `cross_arcs` arcs: at least twice the likely number of pairs. A table that proves too small
/// is rebuilt at twice the size.
constexpr std::uint64_t slots_for(std::uint64_t cross_arcs, std::uint64_t vertices) noexcept {
  constexpr std::uint64_t fewest = 1024;
  return std::bit_ceil(std::max(fewest, std::min(2 * cross_arcs, vertices / 2)));
}

/// A hash table of pairs of labels, in which each pair occurs once. `Words` is an accessor of its slots, with load(), store() and cas().
template <class Words>
struct pair_table {
  Words slots;
  std::uint64_t mask;  ///< number of slots minus 1; the word behind the last slot is set if a pair found no free slot

  COPSE_HOST_DEVICE void add(std::uint64_t key) const noexcept {
    constexpr unsigned most_probes = 64;
    std::uint64_t at = mix(key) & mask;
    for (unsigned probe = 0; probe < most_probes; ++probe, at = (at + 1) & mask) {
      std::uint64_t seen = slots.load(at);
      while (seen == 0) {
        const auto swap = slots.cas(at, 0, key);
        if (swap.ok) return;
        seen = swap.seen;
      }
      if (seen == key) return;
    }
    slots.store(mask + 1, 1);
  }
};

/// A walk over the rows of the GPU's part that inserts in a hash table, for each arc across the cut, the pair of the labels of its ends.
/// `labels` has the labels that the CPU and the GPU found for the vertices of their parts.
template <class Id, class Words>
struct contract {
  gpu_part_rows<Id> rows;
  const std::uint64_t* inside_offsets;
  const Id* labels;
  pair_table<Words> table;

  [[nodiscard]] COPSE_HOST_DEVICE std::size_t size() const noexcept { return rows.count; }
  COPSE_HOST_DEVICE Id row(std::size_t i, std::uint64_t& first, std::uint64_t& last) const noexcept {
    first = rows.offsets[i];
    last = rows.offsets[i + 1];
    const std::uint64_t inside = inside_offsets[i + 1] - inside_offsets[i];
    if (rows.sorted || inside == last - first) last -= inside;
    return static_cast<Id>(i);
  }
  COPSE_HOST_DEVICE void along(Id i, std::uint64_t first, std::uint64_t last, unsigned stride) const noexcept {
    const std::uint64_t inside_label = labels[std::size_t{rows.cut} + i];
    std::uint64_t last_key = 0;
    for (std::uint64_t a = first; a < last; a += stride) {
      const Id target = rows.target(a);
      if (target >= rows.cut) continue;
      const std::uint64_t key = std::uint64_t{labels[target]} << 32 | inside_label;
      if (key != last_key) table.add(key);
      last_key = key;
    }
  }
};

/// Inserts in a hash table the pair of the labels of the ends of an edge, which is between two of the pieces of the CPU's part that its
/// threads solved separately. The list holds each edge once, with the vertex of the lower piece first.
template <class Id, class Words>
struct contract_listed {
  const edge<Id>* edges;
  const Id* labels;
  pair_table<Words> table;

  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept {
    table.add(std::uint64_t{labels[edges[i].u]} << 32 | labels[edges[i].v]);
  }
};

/// Gathers the pairs of labels that are in a hash table. Each pair is a super-edge between two components.
template <class Words>
struct used_slots {
  Words slots;
  template <class Append>
  COPSE_HOST_DEVICE void operator()(std::size_t i, Append& append) const {
    if (const std::uint64_t key = slots.load(i); key != 0) append(key);
  }
};

template <class P>
COPSE_HOST_DEVICE typename P::id lower_end(std::uint64_t key) noexcept {
  return static_cast<typename P::id>(key >> 32);
}
template <class P>
COPSE_HOST_DEVICE typename P::id upper_end(std::uint64_t key) noexcept {
  return static_cast<typename P::id>(key & 0xFFFFFFFFu);
}

/// Unites the ends of a super-edge, a pair of labels of components that cross edges join. In `p` they are roots of trees, one of a
/// component of the CPU's part and one of a component of the GPU's part.
template <class P>
struct unite_super_edges {
  const std::uint64_t* keys;
  P p;

  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept {
    unite::async<find::halve>{}(p, upper_end<P>(keys[i]), lower_end<P>(keys[i]));
  }
};

/// Does p.fetch_min(v, label). Threads of a warp that lower the label of the same vertex at once do so by one atomic operation: most
/// super-edges lead to the giant of the GPU's part, and atomic operations on one word are executed one after the other.
template <class P>
COPSE_HOST_DEVICE void lower_together(P p, typename P::id v, typename P::id label) noexcept {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const unsigned same = __match_any_sync(__activemask(), v);
  const auto least = __reduce_min_sync(same, label);
  if (static_cast<int>(threadIdx.x % 32) == __ffs(static_cast<int>(same)) - 1) p.fetch_min(v, least);
#else
  p.fetch_min(v, label);
#endif
}

/// A round of Algorithm 4 of Banerjee and Kothapalli for one super-edge: the end with the larger label gets the smaller label. `p` has the
/// labels; `changed` is set if they differed, so that another round follows. (A stale label is too large; the thread that lowered it in
/// this round has set `changed`.)
template <class P>
struct lower_super_edges {
  const std::uint64_t* keys;
  P p;
  P changed;

  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept {
    const auto u = lower_end<P>(keys[i]), v = upper_end<P>(keys[i]);
    const auto of_u = p.load(u), of_v = p.load(v);
    if (of_u == of_v) return;
    lower_together(p, of_u < of_v ? v : u, of_u < of_v ? of_u : of_v);
    changed.store(0, 1);
  }
};

/// Turns labels of the GPU's part, which counts its vertices from 0, into labels of the whole graph, where they begin at `cut`.
template <class Id>
struct shift_labels {
  const Id* labels;
  Id cut;
  Id* to;

  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept { to[i] = labels[i] + cut; }
};

}  // namespace copse::hybrid
