// An instrument: counts the accesses of kernels to the parents in the memory of a GPU. A rule is an algorithm that joins trees arc by arc,
// such as unite::async, and a step is what it does for one arc. Every step counts in registers and adds its counts to the sums when it
// ends; accesses outside of steps are added at once. Sums are spread over many cache lines, so that warps seldom use the same line. Each
// unit that includes this file has its own lines; only one unit does, and it counts one solve at a time.
#pragma once
#include <cuda_runtime_api.h>
#include <instruments/counting.hpp>
#include <parents/aux_arrays.hpp>
#include <parents/device.cuh>

#include <array>
#include <cstddef>
#include <cstdint>

namespace copse::parents {

/// The accesses of one thread in one step of a rule, which handles one arc.
struct step_tally {
  unsigned loads = 0, stores = 0, swaps = 0, failed_swaps = 0;
};

namespace detail {

struct alignas(64) device_line {
  unsigned long long loads, stores, swaps, failed_swaps, arcs, calls, call_loads, longest_call;
};
inline constexpr unsigned device_line_count = 2048;
static __device__ device_line device_lines[device_line_count];

#if defined(__CUDACC__)
/// The counters of the calling warp.
__device__ inline device_line& own_line() { return device_lines[(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) % device_line_count]; }
__device__ inline void bump(unsigned long long& counter, unsigned by = 1) {
  if (by != 0) atomicAdd(&counter, static_cast<unsigned long long>(by));
}
/// Adds the counts of one step, which visited one arc, to the counters of the calling warp. Not inlined, because every kernel that runs
/// the steps of a rule calls this function, and compiling it takes longer than compiling such a kernel.
static __device__ __noinline__ void add_up(const step_tally& tally) {
  device_line& line = own_line();
  bump(line.arcs);
  bump(line.calls);
  bump(line.loads, tally.loads);
  bump(line.call_loads, tally.loads);
  bump(line.stores, tally.stores);
  bump(line.swaps, tally.swaps);
  bump(line.failed_swaps, tally.failed_swaps);
  atomicMax(&line.longest_call, static_cast<unsigned long long>(tally.loads));
}
#endif

}  // namespace detail

template <unsigned_index Id, ::cuda::thread_scope LoadScope>
class counting_device : public device_parents<Id, LoadScope> {
  using base = device_parents<Id, LoadScope>;

public:
  using base::base;

  /// Returns an accessor of the same words that counts in `tally`, which belongs to the calling thread.
  COPSE_HOST_DEVICE counting_device into(step_tally* tally) const noexcept {
    counting_device counted = *this;
    counted.tally_ = tally;
    return counted;
  }

  COPSE_HOST_DEVICE Id load(Id v) const noexcept {
    count(&step_tally::loads, &detail::device_line::loads);
    return base::load(v);
  }
  COPSE_HOST_DEVICE void store(Id v, Id w) const noexcept {
    count(&step_tally::stores, &detail::device_line::stores);
    base::store(v, w);
  }
  COPSE_HOST_DEVICE cas_result<Id> cas(Id v, Id expected, Id desired) const noexcept {
    count(&step_tally::swaps, &detail::device_line::swaps);
    const auto result = base::cas(v, expected, desired);
    if (!result.ok) count(&step_tally::failed_swaps, &detail::device_line::failed_swaps);
    return result;
  }
  COPSE_HOST_DEVICE Id fetch_min(Id v, Id w) const noexcept {
    count(&step_tally::swaps, &detail::device_line::swaps);
    return base::fetch_min(v, w);
  }

  /// Counts arcs that were read, also those that were handled without a step of a rule.
  COPSE_HOST_DEVICE static void inspected([[maybe_unused]] std::uint64_t arcs) noexcept {
#if defined(__CUDA_ARCH__)
    detail::bump(detail::own_line().arcs, static_cast<unsigned>(arcs));
#endif
  }
  /// Adds the counts of one step, which visited one arc, to the counters of the calling warp.
  COPSE_HOST_DEVICE static void add([[maybe_unused]] const step_tally& tally) noexcept {
#if defined(__CUDA_ARCH__)
    detail::add_up(tally);
#endif
  }

  /// reset() is for use between solves, totals() after them. Both wait for the device.
  static void reset() {
    const std::array<detail::device_line, detail::device_line_count> none{};
    static_cast<void>(cudaDeviceSynchronize());
    static_cast<void>(cudaMemcpyToSymbol(detail::device_lines, none.data(), sizeof none));
    static_cast<void>(cudaDeviceSynchronize());
  }
  static access_counts totals() {
    std::array<detail::device_line, detail::device_line_count> lines{};
    static_cast<void>(cudaDeviceSynchronize());
    static_cast<void>(cudaMemcpyFromSymbol(lines.data(), detail::device_lines, sizeof lines));
    access_counts sum;
    for (const auto& line : lines) add_line(sum, line);
    return sum;
  }

private:
  COPSE_HOST_DEVICE void count([[maybe_unused]] unsigned step_tally::*of_step,
                               [[maybe_unused]] unsigned long long detail::device_line::*of_line) const noexcept {
#if defined(__CUDA_ARCH__)
    if (tally_ != nullptr) {
      ++(tally_->*of_step);
    } else {
      detail::bump(detail::own_line().*of_line);
    }
#endif
  }

  step_tally* tally_ = nullptr;
};

/// An accessor of parents with ranks, which counts accesses by `Words`, the accessor of the words that hold both.
template <class Words, unsigned_index Id>
class counting_ranked : public ranked<Words, Id> {
public:
  COPSE_HOST_DEVICE explicit counting_ranked(Words words) noexcept : ranked<Words, Id>{words}, words_{words} {}
  COPSE_HOST_DEVICE counting_ranked into(step_tally* tally) const noexcept { return counting_ranked{words_.into(tally)}; }

private:
  Words words_;
};
/// An accessor of parents with flags, which counts accesses to the parents by `Words`, their accessor.
template <class Words, class Flags>
class counting_flagged : public basic_flagged<Words, Flags> {
public:
  COPSE_HOST_DEVICE counting_flagged(Words words, Flags flags) noexcept : basic_flagged<Words, Flags>{words, flags}, flags_{flags} {}
  COPSE_HOST_DEVICE counting_flagged into(step_tally* tally) const noexcept { return {Words::into(tally), flags_}; }

private:
  Flags flags_;
};

}  // namespace copse::parents
