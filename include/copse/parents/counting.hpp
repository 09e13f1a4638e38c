// An instrument: counts what rules do to the array. Every thread counts in a cache line of its own.
#pragma once
#include <copse/parents/atomic.hpp>

#include <array>
#include <atomic>
#include <cstdint>

namespace copse::parents {

/// Accesses since the last reset, over all threads of the process.
struct access_counts {
  std::uint64_t loads = 0;
  std::uint64_t stores = 0;
  std::uint64_t swaps = 0;  ///< tried, by cas or fetch_min
  std::uint64_t failed_swaps = 0;
};

namespace detail {

struct alignas(64) thread_counts {
  std::atomic<std::uint64_t> loads{0}, stores{0}, swaps{0}, failed_swaps{0};
};

// Threads beyond 256 share lines, which costs speed and no count.
inline std::array<thread_counts, 256> counts_of_threads;

inline thread_counts& own_counts() noexcept {
  static std::atomic<std::size_t> threads{0};
  thread_local thread_counts& own = counts_of_threads[threads.fetch_add(1, std::memory_order_relaxed) % counts_of_threads.size()];
  return own;
}

inline void bump(std::atomic<std::uint64_t>& counter) noexcept { counter.fetch_add(1, std::memory_order_relaxed); }

}  // namespace detail

template <unsigned_index Id>
class counting : public atomic<Id> {
public:
  using atomic<Id>::atomic;

  static void reset() noexcept {
    for (auto& line : detail::counts_of_threads) line.loads = line.stores = line.swaps = line.failed_swaps = 0;
  }
  static access_counts totals() noexcept {
    access_counts sum;
    for (const auto& line : detail::counts_of_threads) {
      sum.loads += line.loads;
      sum.stores += line.stores;
      sum.swaps += line.swaps;
      sum.failed_swaps += line.failed_swaps;
    }
    return sum;
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
