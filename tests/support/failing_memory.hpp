// Memory that ends: each allocation of a piece of work fails once.
#pragma once
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/memory.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>

namespace copse::test {

/// Takes memory from `upstream` until it is told to fail. Thread-safe. A tracked_memory above it counts what is held.
class failing_memory final : public std::pmr::memory_resource {
public:
  explicit failing_memory(std::pmr::memory_resource* upstream = host_memory()) noexcept : upstream_{upstream} {}

  /// The allocation after `countdown` more successful ones throws resource_error, and so do all after it.
  void fail_after(std::uint64_t countdown) noexcept { allocations_left_.store(countdown, std::memory_order_relaxed); }
  void never_fail() noexcept { fail_after(UINT64_MAX); }

private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    std::uint64_t left = allocations_left_.load(std::memory_order_relaxed);
    while (left != UINT64_MAX) {
      if (left == 0) throw resource_error{"out of memory: allocation of " + std::to_string(bytes) + " bytes made to fail"};
      if (allocations_left_.compare_exchange_weak(left, left - 1, std::memory_order_relaxed)) break;
    }
    return upstream_->allocate(bytes, alignment);
  }
  void do_deallocate(void* pointer, std::size_t bytes, std::size_t alignment) override { upstream_->deallocate(pointer, bytes, alignment); }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::pmr::memory_resource* upstream_;
  std::atomic<std::uint64_t> allocations_left_{UINT64_MAX};
};

/// Runs `run()` with no allocation from `source` that succeeds, then with one, two, ... until it needs no more than succeed. Before that it
/// fails as a resource_error that leaves nothing behind in `memory`, which takes from `source`. How often it did.
template <class Run>
std::uint64_t failures_of(failing_memory& source, const tracked_memory& memory, Run run) {
  const std::uint64_t held = memory.current_bytes();
  constexpr std::uint64_t most = 10000;
  for (std::uint64_t allowed = 0; allowed < most; ++allowed) {
    source.fail_after(allowed);
    bool failed = false;
    try {
      run();
    } catch (const resource_error&) {
      failed = true;
    }
    EXPECT_EQ(memory.current_bytes(), held) << "after " << allowed << " allocations";
    if (failed) continue;
    source.never_fail();
    return allowed;
  }
  ADD_FAILURE() << "it fails after " << most << " allocations too";
  return most;
}

/// The same with memory of its own: `run(memory)`.
template <class Run>
std::uint64_t failures_of(Run run) {
  failing_memory source;
  tracked_memory memory{UINT64_MAX, &source};
  return failures_of(source, memory, [&] { run(&memory); });
}

}  // namespace copse::test
