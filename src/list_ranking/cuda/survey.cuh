// The first pass over a list, which checks and sums up the successors, and the search for its heads, on a GPU; survey.hpp describes both.
#pragma once
#include <gpu/loops/cuda.cuh>
#include <list_ranking/cuda/parts.hpp>
#include <list_ranking/list.hpp>

#include <algorithm>
#include <cstdint>

namespace copse::list_ranking {

using id = std::uint32_t;
using wide_count = unsigned long long;

struct gpu_survey {
  wide_count tails, successor_sum;
  wide_count out_of_range;
};

/// Adds up `own` over the threads of a block. Thread 0 gets the sum.
__device__ inline wide_count sum_of_block(wide_count own) {
  __shared__ wide_count of_warps[32];
  for (int apart = 16; apart > 0; apart /= 2) own += __shfl_down_sync(0xFFFFFFFFu, own, apart);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = own;
  __syncthreads();
  wide_count all = 0;
  if (threadIdx.x == 0) {
    for (unsigned w = 0; w < blockDim.x / 32; ++w) all += of_warps[w];
  }
  __syncthreads();
  return all;
}

/// Calls each.four(e, s) for every four adjacent elements, of which e is the first, with their four successors, and each.one(e, s) for each
/// of the last n % 4 elements; a tail is passed as its own successor. Adds the counts and sums of a gpu_survey to `found`.
template <class Each>
__global__ void __launch_bounds__(backend::threads_a_block) look_kernel(const id* successors, id n, Each each, gpu_survey* found) {
  wide_count tails = 0, sum = 0, bad = 0;
  const auto look = [&](id e, id s) {
    if (ends_at(e, s)) {
      ++tails;
      return e;
    }
    bad += s >= n ? 1 : 0;
    sum += s;
    return s;
  };
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x, fours = n / 4;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < fours; i += stride) {
    uint4 s = reinterpret_cast<const uint4*>(successors)[i];
    const id e = static_cast<id>(4 * i);
    s = {look(e, s.x), look(e + 1, s.y), look(e + 2, s.z), look(e + 3, s.w)};
    each.four(e, s);
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 4) {
    const id e = static_cast<id>(4 * fours + threadIdx.x);
    each.one(e, look(e, successors[e]));
  }
  tails = sum_of_block(tails);
  sum = sum_of_block(sum);
  bad = sum_of_block(bad);
  if (threadIdx.x == 0) {
    atomicAdd(&found->tails, tails);
    atomicAdd(&found->successor_sum, sum);
    atomicAdd(&found->out_of_range, bad);
  }
}

/// The argument `each` of look_at() for a pass that only counts tails, sums up successors and finds those out of range.
struct only_look {
  __device__ void four(id, uint4) const {}
  __device__ void one(id, id) const {}
};
struct copy_words {
  id* to;
  __device__ void four(id e, uint4 s) const { reinterpret_cast<uint4*>(to + e)[0] = s; }
  __device__ void one(id e, id s) const { to[e] = s; }
};
/// The argument `each` of look_at() made of a struct that has only one(): four() calls that for each of the four elements.
template <class One>
struct one_by_one : One {
  __device__ void four(id e, uint4 s) const {
    this->one(e, s.x);
    this->one(e + 1, s.y);
    this->one(e + 2, s.z);
    this->one(e + 3, s.w);
  }
};

template <class Each>
gpu_survey look_at(const backend::cuda& loops, gpu_list successors, Each each) {
  buffer<gpu_survey> found{1, loops.memory()};
  loops.clear(found.data(), sizeof(gpu_survey));
  loops.before_launch();
  look_kernel<<<loops.blocks_for(successors.size() / 4 + 4), backend::threads_a_block, 0, loops.stream()>>>(
      successors.data(), static_cast<id>(successors.size()), each, found.data());
  loops.launched();
  const gpu_survey seen = loops.fetched(found.data());
  if (seen.out_of_range != 0 || seen.tails == 0) throw broken_list{};
  return seen;
}

struct set_follower {
  const id* successors;
  unsigned* bits;
  __device__ void operator()(std::size_t i) const {
    const id e = static_cast<id>(i), s = successors[i];
    if (!ends_at(e, s)) atomicOr(bits + s / 32, 1u << s % 32);
  }
};

static __global__ void __launch_bounds__(backend::threads_a_block) count_bits(const unsigned* bits, std::size_t words, wide_count* found) {
  wide_count own = 0;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += stride) own += __popc(bits[i]);
  own = sum_of_block(own);
  if (threadIdx.x == 0) atomicAdd(found, own);
}

/// Lists the heads in any order: the elements that follow no other, whose bit in `bits` (one per element) is not set. A warp takes 32 words
/// of bits at a time, and reserves room for all heads among them by one addition.
static __global__ void __launch_bounds__(backend::threads_a_block)
    list_heads(const unsigned* bits, std::size_t words, id n, id* heads, unsigned* used) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const unsigned lane = threadIdx.x % 32;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane; base < words; base += stride) {
    const std::size_t w = base + lane;
    unsigned none = 0;
    if (w < words) {
      const std::size_t left = n - w * 32;
      none = ~bits[w] & (left >= 32 ? 0xFFFFFFFFu : (1u << left) - 1);
    }
    const unsigned own = __popc(none);
    unsigned upto = own;
    for (unsigned apart = 1; apart < 32; apart *= 2) {
      const unsigned other = __shfl_up_sync(0xFFFFFFFFu, upto, apart);
      if (lane >= apart) upto += other;
    }
    unsigned at = 0;
    if (lane == 31 && upto != 0) at = atomicAdd(used, upto);
    at = __shfl_sync(0xFFFFFFFFu, at, 31) + upto - own;
    for (; none != 0; none &= none - 1) heads[at++] = static_cast<id>(w * 32 + __ffs(static_cast<int>(none)) - 1);
  }
}

/// Returns a bit for every element that follows another one. Throws broken_list when an element follows two.
inline buffer<unsigned> followers_of(const backend::cuda& loops, gpu_list successors, std::uint64_t links) {
  const std::size_t words = (successors.size() + 31) / 32;
  buffer<unsigned> bits{words, loops.memory()};
  buffer<wide_count> ones{1, loops.memory()};
  loops.clear(bits.data(), words * sizeof(unsigned));
  loops.clear(ones.data(), sizeof(wide_count));
  loops.for_each(successors.size(), set_follower{successors.data(), bits.data()});
  count_bits<<<loops.blocks_for(words), backend::threads_a_block, 0, loops.stream()>>>(bits.data(), words, ones.data());
  loops.launched();
  if (loops.fetched(ones.data()) != links) throw broken_list{};
  return bits;
}

struct set_one {
  id* to;
  id value;
  __device__ void operator()(std::size_t) const { *to = value; }
};

/// Returns the heads of all lists, which are the elements that follow none. The head of a single list is computed from the sum of all
/// successors, by which an element that follows two others is not noticed. With `proved` heads are searched for instead, as for several
/// lists, and such an element is noticed. Throws broken_list for a fault that is noticed.
inline buffer<id> heads_of(const backend::cuda& loops, gpu_list successors, const gpu_survey& seen, bool proved) {
  const std::uint64_t n = successors.size();
  buffer<id> heads{seen.tails, loops.memory()};
  if (seen.tails == 1 && !proved) {
    const std::uint64_t head = sum_below(n) - seen.successor_sum;
    if (head >= n) throw broken_list{};
    loops.for_each(1, set_one{heads.data(), static_cast<id>(head)});
    return heads;
  }
  const buffer<unsigned> bits = followers_of(loops, successors, n - seen.tails);
  buffer<unsigned> used{1, loops.memory()};
  loops.clear(used.data(), sizeof(unsigned));
  list_heads<<<loops.blocks_for(bits.size()), backend::threads_a_block, 0, loops.stream()>>>(bits.data(), bits.size(), static_cast<id>(n),
                                                                                             heads.data(), used.data());
  loops.launched();
  return heads;
}

struct set_own {
  id* to;
  __device__ void operator()(std::size_t i) const { to[i] = static_cast<id>(i); }
};
struct set_predecessor {
  const id* successors;
  id* to;
  __device__ void operator()(std::size_t i) const {
    const id e = static_cast<id>(i), s = successors[i];
    if (!ends_at(e, s)) to[s] = e;
  }
};

/// Returns the successors of the reversed lists, in which heads become tails. Throws broken_list if an element is out of range or follows
/// two.
inline buffer<id> reversed(const backend::cuda& loops, gpu_list successors) {
  const gpu_survey seen = look_at(loops, successors, only_look{});
  static_cast<void>(followers_of(loops, successors, successors.size() - seen.tails));
  buffer<id> predecessors{successors.size(), loops.memory()};
  loops.for_each(successors.size(), set_own{predecessors.data()});
  loops.for_each(successors.size(), set_predecessor{successors.data(), predecessors.data()});
  return predecessors;
}

}  // namespace copse::list_ranking
