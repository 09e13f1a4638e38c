// Pointer jumping on a GPU, the counterpart of wyllie.hpp; also used for lists of sublists. The host launches a fixed number of rounds, as
// many as the longest possible list needs, and waits for none of them; rounds after the last one that changes anything return at once.
#pragma once
#include <core/random.hpp>
#include <list_ranking/cuda/survey.cuh>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace copse::list_ranking {

template <class V>
struct alignas(2 * sizeof(V)) gpu_jump {
  std::uint32_t next;  ///< all ones if the total reaches the end of the list
  V total;             ///< the sum of the weights from this element to the one before `next`
};

/// One round of pointer jumping. open[r] is nonzero if work is left after r rounds.
template <class Op, class V>
__global__ void __launch_bounds__(backend::threads_a_block)
    jump_kernel(const gpu_jump<V>* from, gpu_jump<V>* to, std::size_t count, unsigned* open, unsigned round) {
  // The first round without work still copies all totals to the other array, so that both arrays agree; later rounds return here.
  if (round > 0 && open[round] == 0 && open[round - 1] == 0) return;
  bool more = false;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t e = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; e < count; e += stride) {
    gpu_jump<V> own = from[e];
    if (own.next != 0xFFFFFFFFu) {
      const gpu_jump<V> further = from[own.next];
      own = {further.next, Op::of(own.total, further.total)};
      more |= own.next != 0xFFFFFFFFu;
    }
    to[e] = own;
  }
  if (__syncthreads_or(more) && threadIdx.x == 0) open[round + 1] = 1;
}

/// The result of jump_to_end: the totals from each element to the end of its list. `open` has an entry more than there are rounds; the last
/// is nonzero if an element lies on a cycle.
template <class V>
struct jumped {
  buffer<gpu_jump<V>> totals;
  buffer<unsigned> open;
  unsigned rounds;
};

template <class Op, class V>
jumped<V> jump_to_end(const backend::cuda& loops, buffer<gpu_jump<V>> totals, std::uint64_t longest) {
  const std::size_t count = totals.size();
  // 2^(rounds - 1) is at least the length of the longest list. With an even number of rounds the result is in the first array.
  unsigned rounds = static_cast<unsigned>(std::bit_width(longest)) + 1;
  rounds += rounds % 2;
  buffer<gpu_jump<V>> other{count, loops.memory()};
  jumped<V> done{std::move(totals), buffer<unsigned>{rounds + 1, loops.memory()}, rounds};
  loops.clear(done.open.data(), done.open.size() * sizeof(unsigned));
  loops.for_each(1, set_one{done.open.data(), 1});
  for (unsigned round = 0; round < rounds; ++round) {
    loops.before_launch();
    jump_kernel<Op><<<loops.blocks_for(count), backend::threads_a_block, 0, loops.stream()>>>(done.totals.data(), other.data(), count,
                                                                                              done.open.data(), round);
    loops.launched();
    std::swap(done.totals, other);
  }
  return done;
}

// Here the elements are sublists. If there are many, pointer jumping over all of them in every round would take most of the time. Therefore
// one of every sixteen elements, at a random position among them, is an anchor. Every element walks to the next anchor by a few steps that
// the L2 cache answers, and only anchors jump. An element's total is the sum of its walk and the total of the anchor where the walk ended.
inline constexpr std::size_t anchored_from = std::size_t{1} << 18;  ///< with fewer elements all do pointer jumping, not only the anchors
inline constexpr unsigned anchor_spacing = 16;
/// A longer walk is taken to be on a cycle: a walk on a list has this many steps with a probability of 10^-114.
inline constexpr unsigned longest_walk = 4096;

/// The anchors among `count` elements, the only ones that do pointer jumping: one at a random position in each group of anchor_spacing
/// elements.
struct anchor_places {
  std::size_t count;
  [[nodiscard]] __host__ __device__ std::size_t groups() const { return (count + anchor_spacing - 1) / anchor_spacing; }
  [[nodiscard]] __device__ id of_group(std::size_t g) const {
    const std::size_t first = g * anchor_spacing, room = count - first < anchor_spacing ? count - first : anchor_spacing;
    return static_cast<id>(first + mix(g) % room);
  }
  [[nodiscard]] __device__ bool has(id e) const { return of_group(e / anchor_spacing) == e; }
};

/// Walks from every element to the next anchor (an element that does pointer jumping) or to the end of the list. On a cycle without anchors
/// the element gets itself as `next`.
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
/// Adds to the total of each element the total of the anchor where its walk ended; anchors are the elements that have done pointer jumping.
/// Sets `open` to nonzero if a total does not reach the end of its list.
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

/// Returns the totals from each element to the end of its list. If there are many elements, one of every sixteen is an anchor, and only
/// anchors jump. The elements may be in any order.
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
