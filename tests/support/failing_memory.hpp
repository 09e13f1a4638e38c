// Memory that ends: each allocation of a piece of work fails once.
#pragma once
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/memory.hpp>

#include <cstdint>

namespace copse::test {

/// Runs `run()` with no allocation from `memory` that succeeds, then with one, two, ... until it needs no more than succeed. Before that it
/// fails as a resource_error that leaves nothing behind. How often it did.
template <class Run>
std::uint64_t failures_of(tracked_memory& memory, Run run) {
  const std::uint64_t held = memory.current_bytes();
  constexpr std::uint64_t most = 10000;
  for (std::uint64_t allowed = 0; allowed < most; ++allowed) {
    memory.fail_after(allowed);
    bool failed = false;
    try {
      run();
    } catch (const resource_error&) {
      failed = true;
    }
    EXPECT_EQ(memory.current_bytes(), held) << "after " << allowed << " allocations";
    if (failed) continue;
    memory.fail_after(UINT64_MAX);
    return allowed;
  }
  ADD_FAILURE() << "it fails after " << most << " allocations too";
  return most;
}

/// The same with memory of its own: `run(memory)`.
template <class Run>
std::uint64_t failures_of(Run run) {
  tracked_memory memory;
  return failures_of(memory, [&] { run(&memory); });
}

}  // namespace copse::test
