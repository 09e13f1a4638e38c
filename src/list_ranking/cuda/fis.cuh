// Banerjee and Kothapalli's Algorithm 2 on a GPU: the GPU form of fis.hpp. How many elements a round finds and leaves stays on the GPU: the
// host launches all rounds without asking. A record is 16 bytes, read at once.
#pragma once
#include <list_ranking/coin.hpp>
#include <list_ranking/cuda/bits.cuh>
#include <list_ranking/cuda/helman_jaja.cuh>
#include <list_ranking/weights.hpp>

#include <memory>
#include <vector>

namespace copse::list_ranking {

template <class V>
struct alignas(16) gpu_linked {
  id after, before;  ///< itself at tails; all ones at heads
  V weight;          ///< the sum from this element to the one before `after`
};

template <class V>
__device__ gpu_linked<V> load_linked(const gpu_linked<V>* from) {
  const uint4 bytes = __ldcg(reinterpret_cast<const uint4*>(from));
  gpu_linked<V> value;
  memcpy(&value, &bytes, sizeof value);
  return value;
}

template <class V, class Weights>
struct fill_linked {
  gpu_linked<V>* all;
  Weights weights;
  __device__ void one(id e, id s) const { all[e] = {s, no_vertex<id>, weights(e, s == e)}; }
};
template <class V>
struct link_before {
  gpu_linked<V>* all;
  __device__ void operator()(std::size_t e) const {
    const id s = all[e].after;
    if (s != e) all[s].before = static_cast<id>(e);
  }
};
template <class V>
struct check_before {
  const gpu_linked<V>* all;
  unsigned* broken;
  __device__ void operator()(std::size_t e) const {
    const id s = all[e].after;
    if (s != e && all[s].before != e) *broken = 1;
  }
};

/// Elements that a block takes at a time.
inline constexpr unsigned each_thread = 4, tile = each_thread * backend::threads_a_block;

template <class Op, class V, class Bits>
__global__ void __launch_bounds__(backend::threads_a_block)
    remove_kernel(gpu_linked<V>* all, const id* active, const unsigned* active_count, id* stay, unsigned* stayed, id* leave, unsigned* left,
                  Bits bit) {
  __shared__ unsigned of_warps[2][backend::threads_a_block / 32], base[2];
  const unsigned count = *active_count;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (std::size_t first = std::size_t{blockIdx.x} * tile; first < count; first += std::size_t{gridDim.x} * tile) {
    // Loads of all before the first that depends on one: what the thread waits for, it waits for at once.
    id mine[each_thread];
    gpu_linked<V> own[each_thread];
    V weight[each_thread];
    unsigned candidates = 0, leaves = 0, present = 0;
#pragma unroll
    for (unsigned k = 0; k < each_thread; ++k) {
      const std::size_t i = first + k * backend::threads_a_block + threadIdx.x;
      if (i < count) {
        mine[k] = active[i];
        present |= 1u << k;
      }
    }
#pragma unroll
    for (unsigned k = 0; k < each_thread; ++k) {
      if ((present >> k & 1) == 0 || !bit(mine[k])) continue;
      own[k] = load_linked(all + mine[k]);
      candidates |= 1u << k;
    }
#pragma unroll
    for (unsigned k = 0; k < each_thread; ++k) {
      if ((candidates >> k & 1) == 0) continue;
      const gpu_linked<V>& o = own[k];
      if (o.before == no_vertex<id> || o.after == mine[k] || o.after == o.before || bit(o.before) || bit(o.after)) continue;
      weight[k] = all[o.before].weight;
      leaves |= 1u << k;
    }
#pragma unroll
    for (unsigned k = 0; k < each_thread; ++k) {
      if ((leaves >> k & 1) == 0) continue;
      gpu_linked<V>& p = all[own[k].before];
      p.after = own[k].after;
      p.weight = Op::of(weight[k], own[k].weight);
      all[own[k].after].before = own[k].before;
    }
    const unsigned stays = present & ~leaves;
    // Places: within the thread, the warp, the block, then one counter for the block.
    const unsigned sizes[2] = {static_cast<unsigned>(__popc(stays)), static_cast<unsigned>(__popc(leaves))};
    unsigned at[2];
    for (int which = 0; which < 2; ++which) {
      unsigned upto = sizes[which];
      for (unsigned apart = 1; apart < 32; apart *= 2) {
        const unsigned other = __shfl_up_sync(0xFFFFFFFFu, upto, apart);
        if (lane >= apart) upto += other;
      }
      at[which] = upto - sizes[which];
      if (lane == 31) of_warps[which][warp] = upto;
    }
    __syncthreads();
    if (threadIdx.x < 2) {
      unsigned total = 0;
      for (unsigned& w : of_warps[threadIdx.x]) {
        const unsigned size = w;
        w = total;
        total += size;
      }
      base[threadIdx.x] = atomicAdd(threadIdx.x == 0 ? stayed : left, total);
    }
    __syncthreads();
    id* const to_stay = stay + base[0] + of_warps[0][warp] + at[0];
    id* const to_leave = leave + base[1] + of_warps[1][warp] + at[1];
    unsigned put[2] = {0, 0};
#pragma unroll
    for (unsigned k = 0; k < each_thread; ++k) {
      if ((stays >> k & 1) != 0) to_stay[put[0]++] = mine[k];
      if ((leaves >> k & 1) != 0) to_leave[put[1]++] = mine[k];
    }
    __syncthreads();
  }
}

struct place_active {
  const id* active;
  id* place;
  __device__ void operator()(std::size_t k) const { place[active[k]] = static_cast<id>(k); }
};
/// The remaining elements, renumbered, along predecessors.
template <class V>
struct compact {
  const gpu_linked<V>* all;
  const id* active;
  const id* place;
  id* backwards;
  V* weights;
  __device__ void operator()(std::size_t k) const {
    const gpu_linked<V> own = load_linked(all + active[k]);
    backwards[k] = own.before == no_vertex<id> ? static_cast<id>(k) : place[own.before];
    weights[k] = own.weight;
  }
};
template <class V>
struct spread {
  const id* active;
  const V* found;
  V* ranks;
  __device__ void operator()(std::size_t k) const { ranks[active[k]] = found[k]; }
};

/// Those that left between two counts.
template <class Op, class V>
__global__ void __launch_bounds__(backend::threads_a_block)
    reinsert_kernel(const gpu_linked<V>* all, const id* left, const unsigned* ends, V* ranks) {
  const unsigned end = ends[1];
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = ends[0] + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < end; i += stride) {
    const id u = left[i];
    const gpu_linked<V> own = load_linked(all + u);
    ranks[u] = Op::of(own.weight, ranks[own.after]);
  }
}

/// ranks[e] = all weights from e to the end of its list.
template <class Op, class Weights>
void scan_by_independent_sets(const gpu_task& task, const backend::cuda& loops, gpu_list successors, Weights weights,
                              typename Weights::value* ranks) {
  using value = typename Weights::value;
  const std::size_t n = successors.size();
  if (n >= std::uint64_t{1} << 31) refuse_size(n, 1);
  auto* const memory = loops.memory();
  const unsigned rounds = task.tuning.rounds;
  buffer<gpu_linked<value>> held{n, memory};
  auto* const all = held.data();
  const gpu_survey seen = look_at(loops, successors, one_by_one<fill_linked<value, Weights>>{{all, weights}});
  task.report.lists = seen.tails;
  buffer<unsigned> broken{1, memory};
  loops.clear(broken.data(), sizeof(unsigned));
  loops.for_each(n, link_before<value>{all});
  loops.for_each(n, check_before<value>{all, broken.data()});
  if (loops.fetched(broken.data()) != 0) throw broken_list{};
  buffer<id> active{n, memory}, next{n, memory}, left{n, memory};
  buffer<unsigned> counts{rounds + 1, memory}, ends{rounds + 1, memory}, gone{1, memory};
  loops.for_each(n, set_own{active.data()});
  for (const auto& [to, bytes] : {std::pair{counts.data(), counts.size()}, {ends.data(), ends.size()}, {gone.data(), gone.size()}})
    loops.clear(to, bytes * sizeof(unsigned));
  loops.for_each(1, set_one{counts.data(), static_cast<id>(n)});
  task.laps.lap("check");

  std::unique_ptr<bits_from_cpu> sent;
  if (task.job.bits_from_cpu && rounds != 0) {
    sent = std::make_unique<bits_from_cpu>(task.on, memory, n, task.tuning.seed, task.job.threads);
    sent->make(0);
  }
  std::vector<backend::gpu_event> before, after;
  std::uint64_t most = n;  // that may be active, roughly: more just take another turn
  const auto remove = [&](unsigned round, auto bit) {
    loops.before_launch();
    before.emplace_back(task.on);
    const unsigned blocks = static_cast<unsigned>(std::clamp<std::uint64_t>((most + tile - 1) / tile, 1, 4 * loops.places()));
    remove_kernel<Op><<<blocks, backend::threads_a_block, 0, loops.stream()>>>(all, active.data(), counts.data() + round, next.data(),
                                                                               counts.data() + round + 1, left.data(), gone.data(), bit);
    loops.launched();
    backend::checked(cudaMemcpyAsync(ends.data() + round + 1, gone.data(), sizeof(unsigned), cudaMemcpyDeviceToDevice, loops.stream()),
                     "counting who left");
    after.emplace_back(task.on);
  };
  for (unsigned round = 0; round < rounds; ++round) {
    if (sent) {
      remove(round, sent->of(round));
      sent->used(round);
      if (round + 1 < rounds) sent->make(round + 1);
    } else {
      remove(round, coin{task.tuning.seed, round});
    }
    most -= most / 8;
    std::swap(active, next);
  }
  std::vector<unsigned> host_counts(rounds + 1);
  backend::checked(
      cudaMemcpyAsync(host_counts.data(), counts.data(), (rounds + 1) * sizeof(unsigned), cudaMemcpyDeviceToHost, loops.stream()),
      "asking for counts");
  task.laps.lap("reduce");
  loops.wait();
  const std::size_t count = host_counts[rounds];
  {
    buffer<id> backwards{count, memory};
    buffer<value> kept{count, memory}, sums{count, memory};
    loops.for_each(count, place_active{active.data(), next.data()});
    loops.for_each(count, compact<value>{all, active.data(), next.data(), backwards.data(), kept.data()});
    outcome inner;
    settings tuning = task.tuning;
    tuning.splitters = std::min<std::uint64_t>(tuning.splitters, count / 8 + 1);
    const gpu_task inner_task{task.on, memory, task.watcher, task.job, tuning, inner, task.laps};
    scan_by_sublists<Op>(inner_task, loops, backwards.span(), given_weights<value>{kept.data()}, sums.data());
    loops.for_each(count, spread<value>{active.data(), sums.data(), ranks});
    task.laps.lap("rank");
  }
  for (unsigned round = rounds; round-- > 0;) {
    reinsert_kernel<Op><<<loops.blocks_for(host_counts[round] - host_counts[round + 1]), backend::threads_a_block, 0, loops.stream()>>>(
        all, left.data(), ends.data() + round, ranks);
    loops.launched();
  }
  task.laps.lap("reinsert");
  for (unsigned round = 0; round < rounds; ++round)
    task.report.rounds.push_back({.elements = host_counts[round], .remove_seconds = after[round].seconds_since(before[round])});
  if (!sent) return;
  for (unsigned round = 0; round < rounds; ++round) {
    task.report.rounds[round].generate_seconds = sent->generate_seconds()[round];
    task.report.rounds[round].transfer_seconds = sent->transfer_seconds()[round];
  }
}

}  // namespace copse::list_ranking
