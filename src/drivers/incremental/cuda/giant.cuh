// The giant of a structure on a GPU. Once there are about as many edges as vertices, most vertices of most graphs are in one tree, and most
// edges to come have both ends in it. One bit per vertex marks the vertices inside: 1/32 of the parents' memory, so it fits the L2 cache.
// One bit per group of 2^shift vertices marks the groups that are inside as a whole: few enough for the shared memory of a block, which
// answers ten times as often as the L2 cache. Edges that are inside according to either kind of bit need no parent at all; the others are
// gathered until they fill a warp, and united. No vertex ever leaves the giant, so the bits stay right, whatever is inserted later, and a
// marked vertex may be replaced by the giant's root.
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <core/random.hpp>
#include <drivers/incremental/cuda/fast_batches.cuh>
#include <gpu/steps/device_list.cuh>
#include <gpu/steps/vote.cuh>

#include <cstddef>
#include <cstdint>

namespace copse::drivers {

/// Which vertices are in the giant, as arrays of bits in GPU memory; passed to kernels by value.
struct device_giant_bits {
  std::uint32_t* inside;  ///< one bit per vertex, set if it is known to be in the giant
  std::uint32_t* groups;  ///< one bit per 2^shift vertices, set if all of them are in the giant
  unsigned shift;         ///< log2 of the number of vertices in a group, at most 5
  /// Number of words of the array `groups`; 0: these would be too many, so there are no bits for groups of vertices.
  unsigned group_words;
  giant_facts* facts;

  static constexpr unsigned most_shift = 5;  ///< the largest `shift`, so that the bits of a group's vertices are in one word
};

__device__ inline bool bit_of(const std::uint32_t* words, gpu_id i) { return (words[i >> 5] >> (i & 31) & 1) != 0; }

/// Finds the tree that most ends of edges are in, by a vote of some ends drawn at random from the edges still to come. Launched as one
/// block of backend::voters threads.
__global__ void __launch_bounds__(backend::voters)
    find_giant(const gpu_edge* pairs, std::size_t count, gpu_parents p, gpu_id vertices, random_stream random, giant_facts* facts) {
  using box_of_votes = backend::ballot<backend::voters>;
  __shared__ box_of_votes box;
  box.begin();
  const gpu_id end = pairs[random.below(threadIdx.x, count)].u;
  box.put(end < vertices ? find::naive{}(p, end) : box_of_votes::nobody);
  const auto outcome = box.end();
  if (threadIdx.x == 0) *facts = {outcome.winner, outcome.votes, 0};
}

/// Points every vertex at its root, and sets the bits of the vertices in the tree that find_giant found. A warp computes one word of group
/// bits at a time, or one word of vertex bits if there are no groups.
__global__ void __launch_bounds__(backend::threads_a_block) mark_giant(gpu_parents p, gpu_id vertices, device_giant_bits bits) {
  const gpu_id giant = bits.facts->root;
  const unsigned lane = threadIdx.x % 32, shift = bits.group_words == 0 ? 0 : bits.shift;
  const unsigned groups_per_word = 32u >> shift, whole = shift == 5 ? 0xffffffffu : (1u << (1u << shift)) - 1;
  const std::size_t words = (std::size_t{vertices} + 31) / 32, warps = std::size_t{gridDim.x} * (blockDim.x / 32);
  unsigned full = 0;
  for (std::size_t tile = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32; tile << shift < words; tile += warps) {
    std::uint32_t groups = 0;
#pragma unroll 4
    for (unsigned j = 0; j < 1u << shift; ++j) {
      const std::size_t word = (tile << shift) + j, i = word * 32 + lane;
      bool in = false;
      if (i < vertices) {
        const gpu_id v = static_cast<gpu_id>(i), above = p.load(v), root = find::naive{}(p, above);
        if (root != above) p.store(v, root);
        in = root == giant;
      }
      const std::uint32_t marks = __ballot_sync(0xffffffffu, in);
      if (lane == 0 && word < words) bits.inside[word] = marks;
      for (unsigned g = 0; bits.group_words != 0 && g < groups_per_word; ++g) {
        const std::uint32_t mask = whole << (g << shift);
        if ((marks & mask) == mask) groups |= 1u << (j * groups_per_word + g);
      }
    }
    if (bits.group_words != 0 && lane == 0) {
      bits.groups[tile] = groups;
      full += __popc(groups);
    }
  }
  backend::add_of_block(full, &bits.facts->full_groups);
}

inline constexpr unsigned threads_past_giant = 1024;  ///< threads per block; there is one block per multiprocessor
inline constexpr unsigned edges_waiting = 64;         ///< room for the edges of a warp that wait to be united 32 at a time

/// Copies the bits of groups into shared memory if that pays: if more than half of the groups are in the giant as a whole. Returns whether
/// it has. Every thread of the block gets the same answer.
__device__ inline bool load_groups(const device_giant_bits& bits, gpu_id vertices, std::uint32_t* groups) {
  const bool by_group = bits.group_words != 0 && bits.facts->full_groups * 2 > vertices >> bits.shift;
  if (by_group) {
    for (unsigned k = threadIdx.x; k < bits.group_words; k += blockDim.x) groups[k] = bits.groups[k];
  }
  __syncthreads();
  return by_group;
}

/// Inserts a batch, skipping edges inside the giant. Does nothing if too few ends are in the giant (worth_asking()); then
/// insert_batch_kernel, which is launched, too, does the work. Needs dynamic shared memory for group_words words.
template <class Reader>
__global__ void __launch_bounds__(threads_past_giant)
    insert_past_giant(Reader batch, gpu_parents p, gpu_id vertices, device_giant_bits bits, device_notes notes) {
  constexpr unsigned warps_per_block = threads_past_giant / 32;
  constexpr int at_once = 8;
  extern __shared__ std::uint32_t groups[];
  __shared__ uint2 waiting[warps_per_block][edges_waiting];
  if (!bits.facts->worth_asking()) return;
  const gpu_id giant = bits.facts->root;
  const bool by_group = load_groups(bits, vertices, groups);
  // A recorded forest consists of edges as they were inserted, so ends in the giant are replaced by its root only if none is recorded.
  const bool marks = static_cast<bool>(notes.exists), replaces = notes.slots == nullptr;

  const unsigned lane = threadIdx.x % 32;
  uint2* const queue = waiting[threadIdx.x / 32];
  unsigned queued = 0;
  counted_links own;
  const auto take = [&](uint2 e) {
    if (by_group) {
      const bool u = bit_of(bits.inside, e.x), v = bit_of(bits.inside, e.y);
      if (u & v) return;
      if (u & replaces) e.x = giant;
      if (v & replaces) e.y = giant;
    }
    batch_rule{}(p, e.x, e.y, note_device_link{notes, {e.x, e.y}, own});
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
    // Marks the vertices of loops as existing, because a loop makes no link that would mark its ends. The loads of all edges have been
    // issued before, because a branch between two loads would make the second wait for the first.
    if (marks) {
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
      if (queued >= 32) {
        queued -= 32;
        const uint2 queued_edge = queue[queued + lane];
        __syncwarp();
        take(queued_edge);
      }
    }
  }
  if (lane < queued) take(queue[lane]);
  own.add_to_tally(notes.tally);
}

}  // namespace copse::drivers
