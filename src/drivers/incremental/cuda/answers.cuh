// Queries past the giant of a structure on a GPU: the bits answer those whose ends are both inside; the others are gathered until they fill
// a warp.
#pragma once
#include <copse/extend/rules/find/halve.hpp>
#include <drivers/incremental/cuda/giant.cuh>
#include <drivers/incremental/cuda/rule_batches.cuh>

#include <cstddef>
#include <cstdint>

namespace copse::drivers {

/// A query that waits for a full warp.
struct waiting_query {
  uint2 e;
  unsigned long long at;
};

/// Does nothing if the giant is known and large: then query_past_giant is launched too.
__global__ void __launch_bounds__(backend::threads_a_block)
    query_batch_kernel(gpu_batch batch, gpu_parents p, gpu_id vertices, std::uint32_t* answers, const giant_facts* known) {
  if (known != nullptr && known->worth_asking()) return;
  query_pairs<find::halve>(batch, p, vertices, answers);
}

/// Does nothing unless worth_asking(). Precondition: nothing is inserted meanwhile. Dynamic shared memory: group_words. A warp makes words
/// of 32 answers, first those that the bits give.
__global__ void __launch_bounds__(threads_past_giant)
    query_past_giant(gpu_batch batch, gpu_parents p, gpu_id vertices, device_giant_bits bits, std::uint32_t* answers) {
  constexpr unsigned warps_per_block = threads_past_giant / 32;
  constexpr int at_once = 4;
  extern __shared__ std::uint32_t groups[];
  __shared__ waiting_query waiting[warps_per_block][edges_waiting];
  if (!bits.facts->worth_asking()) return;
  const bool by_group = load_groups(bits, vertices, groups);
  const unsigned lane = threadIdx.x % 32;
  waiting_query* const queue = waiting[threadIdx.x / 32];
  unsigned queued = 0;

  const auto inside = [&](gpu_id v) { return bit_of(bits.inside, v); };
  const auto take = [&](waiting_query w) {
    const bool yes = (by_group && inside(w.e.x) && inside(w.e.y)) || find::halve{}(p, w.e.x) == find::halve{}(p, w.e.y);
    if (yes) atomicOr(answers + w.at / 32, 1u << (w.at % 32));
  };

  const std::size_t step = std::size_t{gridDim.x} * warps_per_block * 32 * at_once;
  for (std::size_t first = (std::size_t{blockIdx.x} * warps_per_block + threadIdx.x / 32) * 32 * at_once; first < batch.count;
       first += step) {
    gpu_edge e[at_once];
    bool asks[at_once], open[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      const std::size_t i = first + k * 32 + lane;
      asks[k] = i < batch.count && (batch.kinds == nullptr || batch.kinds[i] == operation::query);
      e[k] = asks[k] ? batch.pairs[i] : gpu_edge{0, 0};
      open[k] = asks[k] && e[k].u < vertices && e[k].v < vertices && e[k].u != e[k].v;
    }
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      const std::size_t word = first / 32 + k;
      bool both = false;
      if (open[k]) {
        both = by_group ? bit_of(groups, e[k].u >> bits.shift) && bit_of(groups, e[k].v >> bits.shift) : inside(e[k].u) && inside(e[k].v);
      }
      const unsigned yes = __ballot_sync(0xffffffffu, asks[k] && (both || e[k].u == e[k].v));
      if (lane == 0 && word * 32 < batch.count) answers[word] = yes;
      open[k] = open[k] && !both;
    }
    __syncwarp();  // the words are there before bits are added to them
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      const unsigned kept = __ballot_sync(0xffffffffu, open[k]);
      if (open[k]) queue[queued + __popc(kept & ((1u << lane) - 1))] = {{e[k].u, e[k].v}, first + k * 32 + lane};
      queued += __popc(kept);
      __syncwarp();
      if (queued >= 32) {
        queued -= 32;
        const waiting_query next = queue[queued + lane];
        __syncwarp();
        take(next);
      }
    }
  }
  if (lane < queued) take(queue[lane]);
}

}  // namespace copse::drivers
