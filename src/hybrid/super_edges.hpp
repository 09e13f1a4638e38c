// Cross edges, contracted to one for each pair of components that they join, and solved. The pairs are the keys of a hash table: of the
// threads that meet with the same pair one enters it. (Sorting the arcs by their pair moves each some ten times; here each costs one
// access, which for the pair of two giants is to a word that all caches hold.) A key holds the label below the cut in its upper half, the
// other, which is at least the cut and so not 0, in its lower; 0 is a free slot. Slots go from free to a key once and stay, so a load may
// be old: the swap tells.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <core/random.hpp>
#include <hybrid/gpu_part_rows.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace copse::hybrid {

/// Slots for the pairs of so many arcs of a graph of so many vertices: at least twice as many as pairs are likely. A table that proves too
/// small is made anew, of twice the size.
constexpr std::uint64_t slots_for(std::uint64_t cross_arcs, std::uint64_t vertices) noexcept {
  constexpr std::uint64_t fewest = 1024;
  return std::bit_ceil(std::max(fewest, std::min(2 * cross_arcs, vertices / 2)));
}

/// `Words`: how the slots are accessed, as parents are.
template <class Words>
struct pair_table {
  Words slots;
  std::uint64_t mask;  ///< slots - 1; one word more says whether a pair found no place

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

/// For a walk over the rest's rows: enters the pairs of their cross arcs. `labels`: of all vertices, as the two sides found them.
template <class Id, class Words>
struct contract {
  gpu_part_rows<Id> rest;
  const std::uint64_t* inside_offsets;
  const Id* labels;
  pair_table<Words> table;

  [[nodiscard]] COPSE_HOST_DEVICE std::size_t size() const noexcept { return rest.count; }
  COPSE_HOST_DEVICE Id row(std::size_t i, std::uint64_t& first, std::uint64_t& last) const noexcept {
    first = rest.offsets[i];
    last = rest.offsets[i + 1];
    const std::uint64_t inside = inside_offsets[i + 1] - inside_offsets[i];
    if (rest.sorted || inside == last - first) last -= inside;
    return static_cast<Id>(i);
  }
  COPSE_HOST_DEVICE void along(Id i, std::uint64_t first, std::uint64_t last, unsigned stride) const noexcept {
    const std::uint64_t own = labels[std::size_t{rest.cut} + i];
    std::uint64_t last_key = 0;
    for (std::uint64_t a = first; a < last; a += stride) {
      const Id target = rest.target(a);
      if (target >= rest.cut) continue;
      const std::uint64_t key = std::uint64_t{labels[target]} << 32 | own;
      if (key != last_key) table.add(key);
      last_key = key;
    }
  }
};

/// One more, of a number that threads share.
COPSE_HOST_DEVICE inline void count_one(unsigned long long* number) noexcept {
#if defined(__CUDA_ARCH__)
  atomicAdd(number, 1ull);
#else
  std::atomic_ref<unsigned long long>{*number}.fetch_add(1, std::memory_order_relaxed);
#endif
}

template <class P>
COPSE_HOST_DEVICE typename P::id lower_end(std::uint64_t key) noexcept {
  return static_cast<typename P::id>(key >> 32);
}
template <class P>
COPSE_HOST_DEVICE typename P::id upper_end(std::uint64_t key) noexcept {
  return static_cast<typename P::id>(key & 0xFFFFFFFFu);
}

/// For every slot. The roots of `p` are the components of both sides.
template <class P, class Words>
struct unite_super_edges {
  Words slots;
  P p;
  unsigned long long* found;

  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept {
    const std::uint64_t key = slots.load(i);
    if (key == 0) return;
    count_one(found);
    unite::async<find::halve>{}(p, upper_end<P>(key), lower_end<P>(key));
  }
};

template <class Words>
struct count_super_edges {
  Words slots;
  unsigned long long* found;

  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept {
    if (slots.load(i) != 0) count_one(found);
  }
};

/// A round of Algorithm 4: `p` holds labels of components here, and `changed` is not 0 when it was not the last. (A label that is old is
/// too large, and then whoever lowered it in this round has said so.)
template <class P, class Words>
struct lower_super_edges {
  Words slots;
  P p;
  P changed;

  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept {
    const std::uint64_t key = slots.load(i);
    if (key == 0) return;
    const auto u = lower_end<P>(key), v = upper_end<P>(key);
    const auto of_u = p.load(u), of_v = p.load(v);
    if (of_u == of_v) return;
    if (of_u < of_v) {
      p.fetch_min(v, of_u);
    } else {
      p.fetch_min(u, of_v);
    }
    changed.store(0, 1);
  }
};

/// Labels of the rest under the names that its vertices have in the whole graph.
template <class Id>
struct name_rest {
  const Id* labels;
  Id cut;
  Id* to;

  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept { to[i] = labels[i] + cut; }
};

}  // namespace copse::hybrid
