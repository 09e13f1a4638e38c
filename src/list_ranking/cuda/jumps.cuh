// Pointer jumping on a GPU: the GPU form of wyllie.hpp; also for lists of sublists. A fixed number of rounds is launched, as many as the
// longest list could need, and those after the last that changes anything return at once: the host waits for none.
#pragma once
#include <list_ranking/cuda/survey.cuh>

#include <bit>
#include <cstdint>

namespace copse::list_ranking {

template <class V>
struct alignas(2 * sizeof(V)) gpu_jump {
  std::uint32_t next;  ///< all ones: nothing is left
  V total;             ///< from this element to the one before next
};

/// open[r]: did round r leave anything to do?
template <class Op, class V>
__global__ void __launch_bounds__(backend::threads_a_block)
    jump_kernel(const gpu_jump<V>* from, gpu_jump<V>* to, std::size_t count, unsigned* open, unsigned round) {
  // When nothing is open, this round copies what is done to where the next would look; then both copies agree.
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

/// All totals to the end, in the first of two arrays. `open` has more entries than rounds; the last is set when something lies on a cycle.
template <class V>
struct jumped {
  buffer<gpu_jump<V>> totals;
  buffer<unsigned> open;
  unsigned rounds;
};

template <class Op, class V>
jumped<V> jump_to_end(const backend::cuda& loops, buffer<gpu_jump<V>> totals, std::uint64_t longest) {
  const std::size_t count = totals.size();
  // 2^(rounds - 1) is at least the longest list; an even number leaves the answer where it began.
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

}  // namespace copse::list_ranking
