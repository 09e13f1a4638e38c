// List ranking by Algorithm 2 of Banerjee and Kothapalli on a GPU (fis.hpp describes it): in each round, elements of which no two are
// neighbours leave the list. The host launches all rounds without waiting: the numbers of elements that leave and stay in a round are kept
// on the GPU. A record has 16 bytes and is read by one load.
#pragma once
#include <copse/memory.hpp>
#include <core/parallel.hpp>
#include <core/random.hpp>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/gpu_events.hpp>
#include <list_ranking/coin.hpp>
#include <list_ranking/cuda/helman_jaja.cuh>
#include <list_ranking/list.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace copse::list_ranking {

// In each round of Algorithm 2 of Banerjee and Kothapalli (list_ranking/fis.hpp), a random bit per element decides which elements leave the
// list. The GPU computes the bits by a counter-based generator, or the CPU makes and sends the bits of the next round while the GPU works
// on the current one.

/// The random bits of a round, which decide which elements leave the list. The bit of element e is bit e modulo the number of bits, a
/// power of two, so elements may share a bit. An element leaves only if its bit is 1 and its neighbours' bits are 0; so neighbours that
/// share a bit stay.
struct bit_array {
  const std::uint32_t* words;
  std::uint64_t mask;
  COPSE_HOST_DEVICE bool operator()(std::uint64_t e) const noexcept { return (words[(e & mask) / 32] >> (e & 31) & 1) != 0; }
};

/// Makes the random bits that decide which elements leave the list, for rounds 0, 1, ..., on the CPU. In each round there are about as many
/// bits as the list is expected to have elements, an eighth fewer than in the previous round.
class bits_from_cpu {
public:
  bits_from_cpu(const backend::gpu& on, std::pmr::memory_resource* memory, std::uint64_t elements, std::uint64_t seed, unsigned threads)
      : on_{on}, elements_{elements}, seed_{seed}, threads_{threads} {
    backend::checked(cudaStreamCreateWithFlags(&beside_, cudaStreamNonBlocking), "making a stream");
    const std::size_t words = count_of(0) / 32;
    try {
      for (side& s : sides_) {
        s.on_device = buffer<std::uint32_t>{words, memory};
        backend::checked(cudaMallocHost(&s.on_host, words * sizeof(std::uint32_t)), "allocating page-locked memory");
        for (cudaEvent_t* event : {&s.sent_from, &s.sent, &s.used}) backend::checked(cudaEventCreate(event), "making an event");
      }
      // The arrays must be allocated before the other stream writes to them.
      backend::checked(cudaStreamSynchronize(on.stream()), "allocating bits");
    } catch (...) {
      release();
      throw;
    }
  }
  bits_from_cpu(const bits_from_cpu&) = delete;
  ~bits_from_cpu() { release(); }

  /// Makes the random bits of a round and sends them to the GPU, both while the GPU works on the previous round.
  void make(unsigned round) {
    side& s = sides_[round % 2];
    if (round >= 2) note_transfer(round - 2);  // waits until the bits of round - 2, which are in the same page-locked array, have been sent
    const auto start = std::chrono::steady_clock::now();
    const std::uint64_t words = count_of(round) / 64;
    auto* const to = reinterpret_cast<std::uint64_t*>(s.on_host);
    const random_stream random{seed_, 16 + std::uint64_t{round}};
    parallel_blocks(threads_, words, std::size_t{1} << 15, [=](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) to[i] = random.word(i);
    });
    generate_seconds_.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (round >= 2) backend::checked(cudaStreamWaitEvent(beside_, s.used, 0), "waiting for a round");
    backend::checked(cudaEventRecord(s.sent_from, beside_), "recording an event");
    backend::checked(cudaMemcpyAsync(s.on_device.data(), s.on_host, words * 8, cudaMemcpyHostToDevice, beside_), "sending bits");
    backend::checked(cudaEventRecord(s.sent, beside_), "recording an event");
  }
  /// Returns the random bits of a round, in the GPU's memory. Kernels that are launched afterwards wait until the bits have arrived.
  [[nodiscard]] bit_array of(unsigned round) {
    side& s = sides_[round % 2];
    backend::checked(cudaStreamWaitEvent(on_.stream(), s.sent, 0), "waiting for bits");
    return {s.on_device.data(), count_of(round) - 1};
  }
  /// Must be called after the kernels of a round are launched: the array with the bits of that round is overwritten only when they have
  /// ended.
  void used(unsigned round) { backend::checked(cudaEventRecord(sides_[round % 2].used, on_.stream()), "recording an event"); }

  /// Return, for every round, the seconds that the CPU took to make the bits, and the seconds that sending them to the GPU took. Called
  /// after the last round.
  [[nodiscard]] const std::vector<double>& generate_seconds() const noexcept { return generate_seconds_; }
  [[nodiscard]] const std::vector<double>& transfer_seconds() {
    while (transfer_seconds_.size() < generate_seconds_.size()) note_transfer(static_cast<unsigned>(transfer_seconds_.size()));
    return transfer_seconds_;
  }

private:
  struct side {
    std::uint32_t* on_host = nullptr;  ///< page-locked
    buffer<std::uint32_t> on_device;
    cudaEvent_t sent_from = nullptr, sent = nullptr, used = nullptr;
  };

  [[nodiscard]] std::uint64_t count_of(unsigned round) const noexcept {
    std::uint64_t left = elements_;
    for (unsigned r = 0; r < round; ++r) left -= left / 8;
    return std::bit_ceil(std::max<std::uint64_t>(left, 64));
  }
  void note_transfer(unsigned round) {
    if (transfer_seconds_.size() > round) return;
    side& s = sides_[round % 2];
    float milliseconds = 0;
    backend::checked(cudaEventSynchronize(s.sent), "sending bits");
    backend::checked(cudaEventElapsedTime(&milliseconds, s.sent_from, s.sent), "asking for the time");
    transfer_seconds_.push_back(static_cast<double>(milliseconds) * 1e-3);
  }
  void release() noexcept {
    static_cast<void>(cudaStreamSynchronize(beside_));
    for (side& s : sides_) {
      static_cast<void>(cudaFreeHost(s.on_host));
      for (cudaEvent_t event : {s.sent_from, s.sent, s.used}) {
        if (event != nullptr) static_cast<void>(cudaEventDestroy(event));
      }
    }
    static_cast<void>(cudaStreamDestroy(beside_));
  }

  const backend::gpu& on_;
  std::uint64_t elements_, seed_;
  unsigned threads_;
  cudaStream_t beside_ = nullptr;
  std::array<side, 2> sides_;
  std::vector<double> generate_seconds_, transfer_seconds_;
};

template <class V>
struct alignas(16) gpu_linked {
  id after, before;  ///< the next and the previous element; at tails, `after` is the element itself; at heads, `before` is all ones
  V weight;          ///< the sum of the weights from this element to the one before `after`
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

/// The number of elements that a thread takes at a time, and that a block takes.
inline constexpr unsigned each_thread = 4, tile = each_thread * backend::threads_a_block;

template <class Op, class V, class Bits>
__global__ void __launch_bounds__(backend::threads_a_block)
    remove_kernel(gpu_linked<V>* all, const id* active, const unsigned* active_count, id* stay, unsigned* stayed, id* leave, unsigned* left,
                  Bits bit) {
  __shared__ unsigned of_warps[2][backend::threads_a_block / 32], base[2];
  const unsigned count = *active_count;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (std::size_t first = std::size_t{blockIdx.x} * tile; first < count; first += std::size_t{gridDim.x} * tile) {
    // The loads for all elements of a thread are issued before the first instruction that depends on one of them, so that the thread waits
    // for all at once.
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
    // The positions at which elements that stay and elements that leave are appended to two arrays: prefix sums within the thread, the warp
    // and the block, on top of the room that the block reserves by one addition to each array's count.
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
/// Renumbers the remaining elements 0, 1, ..., and writes their lists reversed: the successor of an element is its predecessor so far, and
/// heads become tails.
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
struct spread_totals {
  const id* active;
  const V* found;
  V* ranks;
  __device__ void operator()(std::size_t k) const { ranks[active[k]] = found[k]; }
};

/// Ranks the elements left[ends[0]] to left[ends[1] - 1], which left the list in one round: combines the weight of each with the rank of
/// its successor, which is known.
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

/// Sets ranks[e] to the sum of all weights from e to the end of its list.
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
  std::uint64_t most = n;  // about the most elements that may still be in the list, for the size of the grid
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
    list_outcome inner;
    list_settings tuning = task.tuning;
    tuning.splitters = std::min<std::uint64_t>(tuning.splitters, count / 8 + 1);
    const gpu_task inner_task{task.on, memory, task.watcher, task.job, tuning, inner, task.laps};
    scan_by_sublists<Op>(inner_task, loops, backwards.span(), given_weights<value>{kept.data()}, sums.data());
    loops.for_each(count, spread_totals<value>{active.data(), sums.data(), ranks});
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
