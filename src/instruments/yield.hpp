// An instrument: an accessor of many threads, giving the processor away at pseudo-random accesses, so that a machine with few cores still
// interleaves threads in the middle of every rule.
#pragma once
#include <parents/ordered.hpp>

#include <cstdint>
#include <thread>

namespace copse::parents {

/// Gives it away once in `Every` accesses on average, a power of two.
template <class Base, std::uint32_t Every = 64>
class yielding : public Base {
public:
  using Base::Base;
  using id = typename Base::id;

  id load(id v) const noexcept { return pause(), Base::load(v); }
  void store(id v, id w) const noexcept { pause(), Base::store(v, w); }
  cas_result<id> cas(id v, id expected, id desired) const noexcept { return pause(), Base::cas(v, expected, desired); }
  id fetch_min(id v, id w) const noexcept { return pause(), Base::fetch_min(v, w); }

private:
  // Each thread has its own xorshift sequence.
  static void pause() noexcept {
    thread_local std::uint32_t state = static_cast<std::uint32_t>(std::hash<std::thread::id>{}(std::this_thread::get_id())) | 1u;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    if ((state & (Every - 1)) == 0) std::this_thread::yield();
  }
};

template <class Base, std::uint32_t Every, bool Links>
struct in_one_order<yielding<Base, Every>, Links> {
  using type = yielding<typename in_one_order<Base, Links>::type, Every>;
};

}  // namespace copse::parents
