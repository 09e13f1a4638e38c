// Queries past the giant of a structure on a GPU, and inserts beside them: the bits answer for operations whose ends are both inside; the
// others are gathered until they fill a warp. Bits are never wrong about who is inside, whatever is inserted meanwhile.
#pragma once
#include <copse/extend/rules/find/halve.hpp>
#include <drivers/incremental/cuda/giant.cuh>
#include <drivers/incremental/cuda/rule_batches.cuh>
#include <parents/device_ordered.cuh>

#include <cstddef>
#include <cstdint>

namespace copse::drivers {

/// An operation that waits for a full warp.
struct waiting_pair {
  uint2 e;
  unsigned long long at;  ///< 2 i + 1 where operation i asks, 2 i where it inserts
};

/// Does nothing if the giant is known and large: then answer_past_giant is launched too.
__global__ void __launch_bounds__(backend::threads_a_block)
    mix_batch_kernel(gpu_batch batch, parents::device_ordered<gpu_id> p, gpu_parents looking, gpu_id vertices, device_notes notes,
                     std::uint32_t* answers, const giant_facts* known) {
  if (known != nullptr && known->worth_asking()) return;
  mix_pairs<batch_rule, find::halve>(batch, p, looking, vertices, notes, answers);
}
__global__ void __launch_bounds__(backend::threads_a_block)
    query_batch_kernel(gpu_batch batch, gpu_parents p, gpu_id vertices, std::uint32_t* answers, const giant_facts* known) {
  if (known != nullptr && known->worth_asking()) return;
  query_pairs<find::halve>(batch, p, vertices, answers);
}

/// Does nothing unless worth_asking(); then another kernel is launched for it. `Inserts`: what does not ask is inserted; otherwise nothing
/// is inserted meanwhile. Dynamic shared memory: group_words. A warp makes words of 32 answers, first those that the bits give.
template <bool Inserts>
__global__ void __launch_bounds__(threads_past_giant)
    answer_past_giant(gpu_batch batch, gpu_parents looking, parents::device_ordered<gpu_id> p, gpu_id vertices, giant_bits bits,
                      device_notes notes, std::uint32_t* answers) {
  constexpr unsigned warps_per_block = threads_past_giant / 32;
  constexpr int at_once = 4;
  extern __shared__ std::uint32_t groups[];
  __shared__ waiting_pair waiting[warps_per_block][edges_waiting];
  if (!bits.facts->worth_asking()) return;
  const bool by_group = load_groups(bits, vertices, groups);
  const unsigned lane = threadIdx.x % 32;
  waiting_pair* const queue = waiting[threadIdx.x / 32];
  unsigned queued = 0;
  counted_links own;

  const auto inside = [&](gpu_id v) { return bit_of(bits.inside, v); };
  const auto answer = [&](gpu_id u, gpu_id v) {
    if constexpr (!Inserts) return find::halve{}(looking, u) == find::halve{}(looking, v);
    if (find::naive{}(looking, u) == find::naive{}(looking, v)) return true;  // old parents are ancestors, too
    return connected_at_some_moment<find::halve>(p, u, v);
  };
  const auto take = [&](waiting_pair w) {
    const bool both = by_group && inside(w.e.x) && inside(w.e.y);
    if ((w.at & 1) != 0) {
      const std::size_t i = w.at / 2;
      if (both || answer(w.e.x, w.e.y)) atomicOr(answers + i / 32, 1u << (i % 32));
    } else if (Inserts && !both && looking.load(w.e.x) != looking.load(w.e.y)) {
      batch_rule{}(p, w.e.x, w.e.y, note_device_link{notes, {w.e.x, w.e.y}, own});
    }
  };

  const std::size_t step = std::size_t{gridDim.x} * warps_per_block * 32 * at_once;
  for (std::size_t first = (std::size_t{blockIdx.x} * warps_per_block + threadIdx.x / 32) * 32 * at_once; first < batch.count;
       first += step) {
    gpu_edge e[at_once];
    bool asks[at_once], open[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      const std::size_t i = first + k * 32 + lane;
      const bool here = i < batch.count;
      e[k] = here ? batch.pairs[i] : gpu_edge{0, 0};
      asks[k] = here && (batch.kinds == nullptr || batch.kinds[i] == operation::query);
      open[k] = here && e[k].u < vertices && e[k].v < vertices && e[k].u != e[k].v && (Inserts || asks[k]);
      own.refused += Inserts && here && !asks[k] && (e[k].u >= vertices || e[k].v >= vertices);
      if (Inserts && here && !asks[k] && e[k].u == e[k].v && e[k].u < vertices) notes.mark(e[k], own);
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
      if (open[k]) {
        const unsigned long long i = first + k * 32 + lane;
        queue[queued + __popc(kept & ((1u << lane) - 1))] = {{e[k].u, e[k].v}, 2 * i + (asks[k] ? 1 : 0)};
      }
      queued += __popc(kept);
      __syncwarp();
      if (queued >= 32) {
        queued -= 32;
        const waiting_pair next = queue[queued + lane];
        __syncwarp();
        take(next);
      }
    }
  }
  if (lane < queued) take(queue[lane]);
  own.add_to_tally(notes.tally);
}

}  // namespace copse::drivers
