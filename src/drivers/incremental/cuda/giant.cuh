// The giant of a structure on a GPU. Once about as many edges are in as there are vertices, most vertices of most graphs are in one tree,
// and most edges to come have both ends in it. One bit per vertex marks those inside: 1/32 of the parents, so it fits the L2 cache. One bit
// per group of 2^shift vertices marks groups that are inside as a whole: few enough for the shared memory of a block, which answers ten
// times as often as the L2 cache. Edges that are inside by either need no parent at all; the others are gathered until they fill a warp,
// and united. No vertex ever leaves the giant, so the bits stay right, whatever is inserted after they were made, and a marked vertex may
// stand for the giant's root.
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <core/random.hpp>
#include <drivers/incremental/cuda/fast_batches.cuh>
#include <gpu/steps/ballot.cuh>

#include <cstddef>
#include <cstdint>

namespace copse::drivers {

/// The arrays of bits; passed to kernels by value.
struct giant_bits {
  std::uint32_t* inside;  ///< one bit per vertex
  std::uint32_t* groups;  ///< one bit per 2^shift vertices
  unsigned shift;         ///< at most 5
  unsigned group_words;   ///< 0: too many, so they are not used
  giant_facts* facts;

  static constexpr unsigned most_shift = 5;  ///< a group lies in one word of bits
};

__device__ inline bool bit_of(const std::uint32_t* words, gpu_id i) { return (words[i >> 5] >> (i & 31) & 1) != 0; }

/// The tree in which most ends of edges are, of some drawn at random from those still to come. One block of backend::voters. `marked`:
/// have bits been made since there was room for them?
__global__ void __launch_bounds__(backend::voters) find_giant(const gpu_edge* pairs, std::size_t count, gpu_parents p, gpu_id vertices,
                                                              random_stream random, giant_facts* facts, bool marked) {
  using box_of_votes = backend::ballot<backend::voters>;
  __shared__ box_of_votes box;
  box.begin();
  const gpu_id end = pairs[random.below(threadIdx.x, count)].u;
  box.put(end < vertices ? find::naive{}(p, end) : box_of_votes::nobody);
  const auto outcome = box.end();
  if (threadIdx.x != 0) return;
  giant_facts now{outcome.winner, outcome.votes, marked ? facts->marked : no_vertex<gpu_id>, 0, 0};
  now.grown = now.marked != no_vertex<gpu_id> && find::naive{}(p, now.marked) == now.root;
  if (now.worth_asking()) now.marked = now.root;
  *facts = now;
}

/// The vertices of a few words of bits, to their roots: those that `before` has stay as they are. `marks`: which are in the giant. A thread
/// asks for all of its parents before it uses one, as the loads of one word at a time would wait for each other.
template <unsigned Words>
__device__ void mark_words(gpu_parents p, gpu_id vertices, gpu_id giant, std::size_t first_word, unsigned words,
                           const std::uint32_t (&before)[Words], std::uint32_t (&marks)[Words]) {
  const unsigned lane = threadIdx.x % 32;
  gpu_id above[Words], root[Words];
  bool climbs = false;
#pragma unroll
  for (unsigned k = 0; k < Words; ++k) {
    const std::size_t v = (first_word + k) * 32 + lane;
    const bool asks = k < words && v < vertices && (before[k] >> lane & 1) == 0;
    above[k] = root[k] = asks ? p.load(static_cast<gpu_id>(v)) : giant;
    climbs |= root[k] != giant;
  }
  while (climbs) {
    climbs = false;
#pragma unroll
    for (unsigned k = 0; k < Words; ++k) {
      const gpu_id higher = root[k] == giant ? giant : p.load(root[k]);
      climbs |= higher != root[k];
      root[k] = higher;
    }
  }
#pragma unroll
  for (unsigned k = 0; k < Words; ++k) {
    const std::size_t v = (first_word + k) * 32 + lane;
    if (root[k] != above[k]) p.store(static_cast<gpu_id>(v), root[k]);
    marks[k] = __ballot_sync(0xffffffffu, k < words && v < vertices && root[k] == giant);
  }
}

/// If worth_asking(), makes the bits of find_giant's winner, and points every vertex at its root that was not inside before. A warp makes a
/// word of group bits, or of vertices where there are no groups.
__global__ void __launch_bounds__(backend::threads_a_block) mark_giant(gpu_parents p, gpu_id vertices, giant_bits bits) {
  constexpr unsigned at_once = 4;
  if (!bits.facts->worth_asking()) return;
  const gpu_id giant = bits.facts->root;
  const bool grown = bits.facts->grown != 0;
  const unsigned lane = threadIdx.x % 32, shift = bits.group_words == 0 ? 0 : bits.shift;
  const unsigned groups_per_word = 32u >> shift, whole = shift == 5 ? 0xffffffffu : (1u << (1u << shift)) - 1;
  const std::size_t words = (std::size_t{vertices} + 31) / 32, warps = std::size_t{gridDim.x} * (blockDim.x / 32);
  unsigned full = 0;
  for (std::size_t tile = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32; tile << shift < words; tile += warps) {
    std::uint32_t groups = 0;
    for (unsigned j = 0; j < 1u << shift; j += at_once) {
      const std::size_t first_word = (tile << shift) + j;
      const auto here = static_cast<unsigned>(min(std::size_t{(1u << shift) - j}, words > first_word ? words - first_word : 0));
      const std::uint32_t own = grown && lane < here && lane < at_once ? bits.inside[first_word + lane] : 0;
      std::uint32_t before[at_once], marks[at_once];
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) before[k] = __shfl_sync(0xffffffffu, own, static_cast<int>(k));
      mark_words(p, vertices, giant, first_word, here, before, marks);
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) {
        if (lane == 0 && k < here && (!grown || marks[k] != before[k])) bits.inside[first_word + k] = marks[k];
        for (unsigned g = 0; bits.group_words != 0 && k < here && g < groups_per_word; ++g) {
          const std::uint32_t mask = whole << (g << shift);
          if ((marks[k] & mask) == mask) groups |= 1u << ((j + k) * groups_per_word + g);
        }
      }
    }
    if (bits.group_words != 0 && lane == 0) {
      bits.groups[tile] = groups;
      full += __popc(groups);
    }
  }
  __shared__ unsigned of_block;  // one addition to the count in global memory takes about 3 ns
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  if (full != 0) atomicAdd(&of_block, full);
  __syncthreads();
  if (threadIdx.x == 0 && of_block != 0) atomicAdd(&bits.facts->full_groups, of_block);
}

inline constexpr unsigned threads_past_giant = 1024;  ///< of the one block of a multiprocessor
inline constexpr unsigned edges_waiting = 64;         ///< of a warp, at most

/// Is the group map worth its copy into shared memory? All threads of the block get the copy.
__device__ inline bool load_groups(const giant_bits& bits, gpu_id vertices, std::uint32_t* groups) {
  const bool by_group = bits.group_words != 0 && bits.facts->full_groups * 2 > vertices >> bits.shift;
  if (by_group) {
    for (unsigned k = threadIdx.x; k < bits.group_words; k += blockDim.x) groups[k] = bits.groups[k];
  }
  __syncthreads();
  return by_group;
}

/// Does the work of insert_batch_kernel if worth_asking(); otherwise nothing. Dynamic shared memory: group_words.
template <class Reader>
__global__ void __launch_bounds__(threads_past_giant)
    insert_past_giant(Reader batch, gpu_parents p, gpu_id vertices, giant_bits bits, device_notes notes) {
  constexpr unsigned warps_per_block = threads_past_giant / 32;
  constexpr int at_once = 8;
  extern __shared__ std::uint32_t groups[];
  __shared__ uint2 waiting[warps_per_block][edges_waiting];
  if (!bits.facts->worth_asking()) return;
  const gpu_id giant = bits.facts->root;
  const bool by_group = load_groups(bits, vertices, groups);
  // A recorded forest is made of edges that were inserted: there the giant's root takes no vertex's place.
  const bool marks = static_cast<bool>(notes.exists), replaces = notes.slots == nullptr;

  const unsigned lane = threadIdx.x % 32;
  uint2* const queue = waiting[threadIdx.x / 32];
  unsigned queued = 0;
  counted_links own;
  rem_walk<gpu_parents> walk{p};
  gpu_edge united{0, 0};  // by the walk
  // Threads whose walks have ended take from the queue; then every walk goes a step.
  const auto step_all = [&] {
    const unsigned free = __ballot_sync(0xffffffffu, walk.done()), place = __popc(free & ((1u << lane) - 1));
    if (walk.done() && place < queued) {
      uint2 e = queue[queued - 1 - place];
      bool inside = false;
      if (by_group) {
        const bool u = bit_of(bits.inside, e.x), v = bit_of(bits.inside, e.y);
        inside = u & v;
        if (u & replaces) e.x = giant;
        if (v & replaces) e.y = giant;
      }
      united = {e.x, e.y};
      if (!inside) walk.begin(e.x, e.y);
    }
    queued -= min(queued, static_cast<unsigned>(__popc(free)));
    __syncwarp();
    if (!walk.done()) walk.step(note_device_link{notes, united, own});
  };

  const std::size_t step = std::size_t{gridDim.x} * warps_per_block * 32 * at_once;
  for (std::size_t first = (std::size_t{blockIdx.x} * warps_per_block + threadIdx.x / 32) * 32 * at_once; first < batch.count;
       first += step) {
    gpu_edge e[at_once];
    bool keep[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      const std::size_t i = first + k * 32 + lane;
      e[k] = batch.wanted(i) ? batch.pair(i) : gpu_edge{0, 0};
    }
    if (marks) {  // behind all loads, or they would wait for each other
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        if (e[k].u == e[k].v && e[k].u < vertices && batch.wanted(first + k * 32 + lane)) notes.mark(e[k], own);
      }
    }
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      const bool good = e[k].u < vertices && e[k].v < vertices;
      own.refused += !good;
      if (!good) e[k] = {0, 0};
    }
    if (by_group) {
#pragma unroll
      for (int k = 0; k < at_once; ++k) keep[k] = !(bit_of(groups, e[k].u >> bits.shift) & bit_of(groups, e[k].v >> bits.shift));
    } else {
      bool u[at_once], v[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        u[k] = bit_of(bits.inside, e[k].u);
        v[k] = bit_of(bits.inside, e[k].v);
      }
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        keep[k] = !(u[k] & v[k]);
        if (u[k] & replaces) e[k].u = giant;
        if (v[k] & replaces) e[k].v = giant;
      }
    }
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      keep[k] = keep[k] && e[k].u != e[k].v;
      const unsigned kept = __ballot_sync(0xffffffffu, keep[k]);
      if (keep[k]) queue[queued + __popc(kept & ((1u << lane) - 1))] = uint2{e[k].u, e[k].v};
      queued += __popc(kept);
      __syncwarp();
      while (queued >= 32) step_all();
    }
  }
  while (queued != 0 || __any_sync(0xffffffffu, !walk.done())) step_all();
  own.add_to_tally(notes.tally);
}

}  // namespace copse::drivers
