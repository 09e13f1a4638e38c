// Long lists of sublists: pointer jumping goes over all elements in every round, and most of its time would be spent there. One element of
// sixteen, at a random place among them, is an anchor. Every element walks to the next anchor, a few steps that the L2 cache answers; only
// anchors jump; and an element's total is that of its walk, and of the anchor where it ended.
#pragma once
#include <core/random.hpp>
#include <list_ranking/cuda/jumps.cuh>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace copse::list_ranking {

inline constexpr std::size_t anchored_from = std::size_t{1} << 18;  ///< fewer elements jump as they are
inline constexpr unsigned anchor_spacing = 16;
/// A walk that is longer goes in a circle: on a list one of so many steps has a probability of 10^-114.
inline constexpr unsigned longest_walk = 4096;

/// Where the anchors are among `count` elements.
struct anchor_places {
  std::size_t count;
  [[nodiscard]] __host__ __device__ std::size_t groups() const { return (count + anchor_spacing - 1) / anchor_spacing; }
  [[nodiscard]] __device__ id of_group(std::size_t g) const {
    const std::size_t first = g * anchor_spacing, room = count - first < anchor_spacing ? count - first : anchor_spacing;
    return static_cast<id>(first + mix(g) % room);
  }
  [[nodiscard]] __device__ bool has(id e) const { return of_group(e / anchor_spacing) == e; }
};

/// From every element to the next anchor, or to the end; in a circle, to the element itself.
template <class Op, class V>
struct walk_to_anchor {
  const gpu_jump<V>* from;
  gpu_jump<V>* walked;
  anchor_places anchors;
  __device__ void operator()(std::size_t j) const {
    gpu_jump<V> own = from[j];
    unsigned steps = 0;
    for (; own.next != no_vertex<id> && !anchors.has(own.next); ++steps) {
      if (steps == longest_walk) break;
      const gpu_jump<V> further = from[own.next];
      own = {further.next, Op::of(own.total, further.total)};
    }
    if (steps == longest_walk) own.next = static_cast<id>(j);
    walked[j] = own;
  }
};
template <class V>
struct take_anchor {
  const gpu_jump<V>* walked;
  gpu_jump<V>* of_anchors;
  anchor_places anchors;
  __device__ void operator()(std::size_t g) const {
    const gpu_jump<V> own = walked[anchors.of_group(g)];
    of_anchors[g] = {own.next == no_vertex<id> ? own.next : own.next / anchor_spacing, own.total};
  }
};
/// `open`: set where a total is not one to the end.
template <class Op, class V>
struct go_on_from_anchor {
  gpu_jump<V>* walked;
  const gpu_jump<V>* of_anchors;
  anchor_places anchors;
  unsigned* open;
  __device__ void operator()(std::size_t j) const {
    const gpu_jump<V> own = walked[j];
    if (own.next == no_vertex<id>) return;
    if (!anchors.has(own.next)) {
      *open = 1;
      return;
    }
    const gpu_jump<V> further = of_anchors[own.next / anchor_spacing];
    walked[j] = {further.next, Op::of(own.total, further.total)};
  }
};

/// As jump_to_end, for elements that are each other's ends in no particular order.
template <class Op, class V>
jumped<V> jump_by_anchors(const backend::cuda& loops, buffer<gpu_jump<V>> totals) {
  const anchor_places anchors{totals.size()};
  if (anchors.count < anchored_from) return jump_to_end<Op>(loops, std::move(totals), anchors.count);
  buffer<gpu_jump<V>> walked{anchors.count, loops.memory()}, of_anchors{anchors.groups(), loops.memory()};
  loops.for_each(anchors.count, walk_to_anchor<Op, V>{totals.data(), walked.data(), anchors});
  loops.for_each(anchors.groups(), take_anchor<V>{walked.data(), of_anchors.data(), anchors});
  jumped<V> done = jump_to_end<Op>(loops, std::move(of_anchors), anchors.groups());
  loops.for_each(anchors.count, go_on_from_anchor<Op, V>{walked.data(), done.totals.data(), anchors, done.open.data() + done.rounds});
  done.totals = std::move(walked);
  return done;
}

}  // namespace copse::list_ranking
