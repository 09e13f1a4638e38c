// An instrument: counts the accesses of rules (algorithms that join trees arc by arc, such as unite::async) to the array of parents. Every
// thread counts in a cache line of its own.
#pragma once
#include <copse/extend/parents/atomic.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace copse::parents {

/// Accesses since the last reset, over all threads of the process.
struct access_counts {
  std::uint64_t loads = 0;
  std::uint64_t stores = 0;
  std::uint64_t swaps = 0;  ///< attempts, by cas or fetch_min
  std::uint64_t failed_swaps = 0;
  std::uint64_t arcs = 0;        ///< arcs that were read
  std::uint64_t calls = 0;       ///< calls of a rule's step, the function that handles one arc
  std::uint64_t call_loads = 0;  ///< loads that were made during calls of a rule's step
  std::uint64_t longest_call = 0;
};

/// Adds the counters of one cache line to the sum.
template <class Line>
void add_line(access_counts& sum, const Line& line) {
  sum.loads += line.loads;
  sum.stores += line.stores;
  sum.swaps += line.swaps;
  sum.failed_swaps += line.failed_swaps;
  sum.arcs += line.arcs;
  sum.calls += line.calls;
  sum.call_loads += line.call_loads;
  sum.longest_call = std::max<std::uint64_t>(sum.longest_call, line.longest_call);
}

namespace detail {

struct alignas(64) thread_counts {
  std::atomic<std::uint64_t> loads{0}, stores{0}, swaps{0}, failed_swaps{0}, arcs{0}, calls{0}, call_loads{0}, longest_call{0};
};

// A thread's counters are on a cache line of their own. If there are more than 256 threads, some share their counters: counting is slower
// then, and the loads that are counted for a call of a step may include loads of another thread.
inline std::array<thread_counts, 256> counts_of_threads;

inline thread_counts& own_counts() noexcept {
  static std::atomic<std::size_t> threads{0};
  thread_local thread_counts& own = counts_of_threads[threads.fetch_add(1, std::memory_order_relaxed) % counts_of_threads.size()];
  return own;
}

inline void bump(std::atomic<std::uint64_t>& counter, std::uint64_t by = 1) noexcept { counter.fetch_add(by, std::memory_order_relaxed); }

}  // namespace detail

template <unsigned_index Id>
class counting : public atomic<Id> {
public:
  using atomic<Id>::atomic;

  static void reset() noexcept {
    for (auto& line : detail::counts_of_threads) {
      for (auto* counter :
           {&line.loads, &line.stores, &line.swaps, &line.failed_swaps, &line.arcs, &line.calls, &line.call_loads, &line.longest_call}) {
        counter->store(0, std::memory_order_relaxed);
      }
    }
  }
  static access_counts totals() noexcept {
    access_counts sum;
    for (const auto& line : detail::counts_of_threads) add_line(sum, line);
    return sum;
  }

  /// Counts arcs that were read, also those for which call() is not called because the loop handles them without a rule.
  static void inspected(std::uint64_t arcs) noexcept { detail::bump(detail::own_counts().arcs, arcs); }
  /// Calls a rule's step for one arc. Counts the call and its loads, which measure the length of the paths that it walked.
  template <class Step>
  static auto call(Step step) noexcept {
    auto& own = detail::own_counts();
    const std::uint64_t before = own.loads.load(std::memory_order_relaxed);
    const auto result = step();
    const std::uint64_t loads = own.loads.load(std::memory_order_relaxed) - before;
    detail::bump(own.calls);
    detail::bump(own.call_loads, loads);
    if (loads > own.longest_call.load(std::memory_order_relaxed)) own.longest_call.store(loads, std::memory_order_relaxed);
    return result;
  }

  Id load(Id v) const noexcept { return detail::bump(detail::own_counts().loads), atomic<Id>::load(v); }
  void store(Id v, Id w) const noexcept { detail::bump(detail::own_counts().stores), atomic<Id>::store(v, w); }
  cas_result<Id> cas(Id v, Id expected, Id desired) const noexcept {
    auto& own = detail::own_counts();
    detail::bump(own.swaps);
    const auto result = atomic<Id>::cas(v, expected, desired);
    if (!result.ok) detail::bump(own.failed_swaps);
    return result;
  }
  Id fetch_min(Id v, Id w) const noexcept { return detail::bump(detail::own_counts().swaps), atomic<Id>::fetch_min(v, w); }
};

}  // namespace copse::parents
