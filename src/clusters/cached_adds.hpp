// Counting by many threads where a few counters may get most of the additions: each block of a loop caches the counters it added to last.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::clusters {

/// Adds to the counters `totals`, which all threads share, for one block of a parallel loop. Repeated additions to a counter are summed in
/// a cache of the block and reach `totals` together, at the latest in the destructor.
template <class Count>
class cached_adds {
public:
  explicit cached_adds(std::span<Count> totals) : totals_{totals} {}
  cached_adds(const cached_adds&) = delete;
  ~cached_adds() {
    for (const entry& held : entries_) pass_on(held);
  }

  void add_one(std::size_t counter) noexcept {
    entry& held = entries_[counter % entries_.size()];
    if (held.counter != counter) {
      pass_on(held);
      held = {counter, 0};
    }
    ++held.count;
  }

private:
  struct entry {
    std::size_t counter = 0;
    Count count = 0;
  };
  void pass_on(const entry& held) noexcept {
    if (held.count != 0) std::atomic_ref<Count>{totals_[held.counter]}.fetch_add(held.count, std::memory_order_relaxed);
  }

  std::span<Count> totals_;
  std::array<entry, 64> entries_{};
};

}  // namespace copse::clusters
