// An instrument: the atomic accessor, giving the processor away at pseudo-random accesses, so that a machine with few cores still
// interleaves threads in the middle of every rule.
#pragma once
#include <copse/parents/atomic.hpp>

#include <cstdint>
#include <thread>

namespace copse::parents {

template <unsigned_index Id>
class yield : public atomic<Id> {
public:
  using atomic<Id>::atomic;

  Id load(Id v) const noexcept { return pause(), atomic<Id>::load(v); }
  void store(Id v, Id w) const noexcept { pause(), atomic<Id>::store(v, w); }
  cas_result<Id> cas(Id v, Id expected, Id desired) const noexcept { return pause(), atomic<Id>::cas(v, expected, desired); }
  Id fetch_min(Id v, Id w) const noexcept { return pause(), atomic<Id>::fetch_min(v, w); }

private:
  // One access in 64 on average; each thread has its own xorshift sequence.
  static void pause() noexcept {
    thread_local std::uint32_t state = static_cast<std::uint32_t>(std::hash<std::thread::id>{}(std::this_thread::get_id())) | 1u;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    if ((state & 63u) == 0) std::this_thread::yield();
  }
};

}  // namespace copse::parents
