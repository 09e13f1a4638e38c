// The backend of one GPU: each loop is a kernel, launched on a stream, and ends later than the call that starts it. A loop runs an
// object of a named type, which is copied to the device, because nvcc cannot compile a kernel from a host lambda.
#pragma once
#include <copse/errors.hpp>
#include <copse/execution.hpp>
#include <copse/memory.hpp>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/gpu_events.hpp>
#include <gpu/settings.hpp>
#include <loops/edge_loads.hpp>
#include <parents/aux_arrays.hpp>
#include <parents/device.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cuda/atomic>
#include <span>
#include <string_view>
#include <type_traits>

namespace copse::backend {

/// A flag in the memory of a GPU that the steps of a loop can set and the host reads between loops.
class gpu_change_flag {
public:
  class noter {
  public:
    explicit noter(std::uint32_t* any) noexcept : any_{any} {}
    __device__ void note() const noexcept {
      const ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_device> any{*any_};
      if (any.load(::cuda::memory_order_relaxed) == 0) any.store(1, ::cuda::memory_order_relaxed);
    }

  private:
    std::uint32_t* any_;
  };

  template <class Backend>
  gpu_change_flag(const Backend& loops, std::pmr::memory_resource* memory) : stream_{loops.stream()}, word_(1, memory) {
    clear();
  }

  [[nodiscard]] noter notes() noexcept { return noter{word_.data()}; }
  /// Returns true if a step has called noter::note(), which sets the flag, since the previous call of happened(). Waits for all earlier
  /// loops.
  bool happened() {
    std::uint32_t any = 0;
    checked(cudaMemcpyAsync(&any, word_.data(), sizeof any, cudaMemcpyDeviceToHost, stream_), "asking for changes");
    checked(cudaStreamSynchronize(stream_), "waiting for a round");
    if (any != 0) clear();
    return any != 0;
  }

private:
  void clear() { checked(cudaMemsetAsync(word_.data(), 0, sizeof(std::uint32_t), stream_), "clearing a flag"); }

  cudaStream_t stream_;
  buffer<std::uint32_t> word_;
};

inline constexpr unsigned threads_a_block = 256, blocks_a_multiprocessor = 8;  // 2048 threads, as many as a multiprocessor holds

template <class F>
__global__ void __launch_bounds__(threads_a_block) run_each(std::size_t count, F f) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) f(i);
}

/// Finds the smallest i of [from, count) for which `predicate(i)` holds, or count if there is none. Launched with one block, which stops at
/// the first hit.
template <class F>
__global__ void __launch_bounds__(1024) find_first(std::size_t from, std::size_t count, F predicate, unsigned long long* found) {
  __shared__ unsigned long long best;
  if (threadIdx.x == 0) best = count;
  __syncthreads();
  for (std::size_t base = from; base < count; base += blockDim.x) {
    const std::size_t i = base + threadIdx.x;
    const bool found_one = i < count && predicate(i);
    if (found_one) atomicMin(&best, static_cast<unsigned long long>(i));
    if (__syncthreads_or(found_one)) break;
  }
  if (threadIdx.x == 0) *found = best;
}

class cuda {
public:
  static constexpr std::string_view name = "cuda";
  static constexpr bool concurrent = true, counts = false;
  static constexpr bool on_device = true;  ///< loops end later than the calls that start them
  /// true if the backend has kernels that do several passes of a sampler at once (forest::hook, forest::vote); fuses() tells whether a
  /// solve uses them
  static constexpr bool fuses_passes = true;
  template <class Id>
  using parents = copse::parents::cached<Id>;
  template <class Id>
  using fresh_parents = copse::parents::fresh<Id>;
  template <class Words>
  using flagged_parents = copse::parents::basic_flagged<Words, copse::parents::device_flags>;
  template <class Words, class Id>
  using ranked_parents = copse::parents::ranked<Words, Id>;
  using change_flag = gpu_change_flag;

  /// `memory` is memory of this GPU, from which loops allocate. `most_blocks` limits the blocks of a kernel; tests pass small numbers. 0
  /// stands for several times the number of blocks that the device runs at once, so that a multiprocessor whose block finishes early gets
  /// another one.
  cuda(const gpu& on, std::pmr::memory_resource* memory, observer* watcher, unsigned most_blocks, gpu_techniques techniques = {}) noexcept
      : on_{on},
        memory_{memory},
        watcher_{watcher},
        techniques_{techniques},
        few_{most_blocks != 0},
        most_blocks_{most_blocks != 0 ? most_blocks : 4 * on.multiprocessors() * blocks_a_multiprocessor} {}

  /// True if loops over rows use `technique`: each value of gpu_row_loop includes the techniques of the values before it.
  [[nodiscard]] bool has(gpu_row_loop technique) const noexcept { return techniques_.rows >= technique; }
  [[nodiscard]] bool fuses() const noexcept { return techniques_.rows == gpu_row_loop::fused; }
  /// True if k-out sampling may visit the first two arcs of all rows in one pass (arc_choice::first_two).
  [[nodiscard]] bool pairs_first_arcs() const noexcept { return has(gpu_row_loop::coalesced); }
  /// Returns an accessor by which a loop reads the edges of a list by their index.
  [[nodiscard]] edge_loads reads(std::span<const edge<std::uint32_t>> edges) const noexcept {
    return {edges, techniques_.edges == gpu_edge_load::pairs};
  }
  [[nodiscard]] bool searches_by_stores() const noexcept { return techniques_.search == gpu_search::idempotent; }
  /// True if rules that work in rounds on a list of edges visit only the edges whose ends were in different trees after the previous round.
  [[nodiscard]] bool filters_edges() const noexcept { return techniques_.rounds == gpu_round_edges::filtered; }

  [[nodiscard]] cudaStream_t stream() const noexcept { return on_.stream(); }
  [[nodiscard]] std::pmr::memory_resource* memory() const noexcept { return memory_; }

  /// The number of blocks of threads_a_block threads for `threads` threads, within limits.
  [[nodiscard]] unsigned blocks_for(std::size_t threads) const noexcept {
    return static_cast<unsigned>(std::clamp<std::size_t>((threads + threads_a_block - 1) / threads_a_block, 1, most_blocks_));
  }

  /// The number of blocks for a loop whose `blocks` parts are to begin in ascending order: one block per part, because a GPU begins blocks
  /// in order, unless the number of blocks is limited.
  [[nodiscard]] unsigned blocks_in_order(std::size_t blocks) const noexcept {
    return static_cast<unsigned>(std::clamp<std::size_t>(blocks, 1, few_ ? most_blocks_ : 1u << 30));
  }
  /// The number of blocks that the device holds at once, if a multiprocessor holds `each` of them.
  [[nodiscard]] unsigned places(unsigned each = blocks_a_multiprocessor) const noexcept {
    return std::min(most_blocks_, on_.multiprocessors() * each);
  }

  /// Calls f(i) for every i < count, concurrently.
  template <class F>
  void for_each(std::size_t count, F f) const {
    if (count == 0) return;
    before_launch();
    run_each<<<blocks_for(count), threads_a_block, 0, stream()>>>(count, f);
    launched();
  }
  /// Returns the smallest i of [from, count) for which `predicate(i)` holds, or count if there is none. Waits for the answer.
  template <class F>
  [[nodiscard]] std::size_t first_that(std::size_t from, std::size_t count, F predicate) const {
    buffer<unsigned long long> found{1, memory_};
    before_launch();
    find_first<<<1, 1024, 0, stream()>>>(from, count, predicate, found.data());
    launched();
    return static_cast<std::size_t>(fetched(found.data()));
  }
  /// Reads a value in the device's memory after all earlier loops have ended.
  template <class T>
  [[nodiscard]] T fetched(const T* from) const {
    static_assert(sizeof(T) <= gpu::answer_bytes && std::is_trivially_copyable_v<T>);
    checked(cudaMemcpyAsync(on_.answer(), from, sizeof(T), cudaMemcpyDeviceToHost, stream()), "asking for a value");
    wait();
    T value;
    std::memcpy(&value, on_.answer(), sizeof value);
    return value;
  }
  void clear(void* first, std::size_t bytes) const {
    if (bytes != 0) checked(cudaMemsetAsync(first, 0, bytes, stream()), "clearing memory");
  }
  void copy(void* to, const void* from, std::size_t bytes) const {
    if (bytes != 0) checked(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream()), "copying memory");
  }
  /// Waits until all loops have ended. Throws faults that occurred inside kernels.
  void wait() const { checked(cudaStreamSynchronize(stream()), "waiting for kernels"); }

  /// Throws if the caller has cancelled: a running kernel cannot be stopped, but the next one need not be started.
  void before_launch() const {
    if (watcher_ != nullptr && watcher_->cancel_requested()) throw cancelled{};
  }
  /// Must be called after every launch of a kernel: counts it, and throws if it failed.
  void launched() const {
    checked(cudaGetLastError(), "launching a kernel");
    ++launches_;
  }
  /// Kernels launched so far, except those inside CUB's functions.
  [[nodiscard]] unsigned launches() const noexcept { return launches_; }
  /// Makes phases report their end to `laps`, which measures time by the GPU's clock; the times are available when all work is done.
  void tell(gpu_laps& laps) noexcept { laps_ = &laps; }
  void lap(std::string_view phase) const {
    if (laps_ != nullptr) laps_->lap(phase);
  }
  [[nodiscard]] gpu_laps* laps() const noexcept { return laps_; }
  /// True if a kernel may be launched while its predecessor still runs (launch.cuh).
  [[nodiscard]] bool chains_kernels() const noexcept { return on_.major_capability() >= 9; }

private:
  const gpu& on_;
  std::pmr::memory_resource* memory_;
  observer* watcher_;
  gpu_techniques techniques_;
  bool few_;
  unsigned most_blocks_;
  mutable unsigned launches_ = 0;
  gpu_laps* laps_ = nullptr;
};

}  // namespace copse::backend
