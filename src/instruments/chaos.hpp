// An instrument for tests: a compare-and-swap fails now and then although the word is as expected, as on load-linked/store-conditional
// machines and with weak compare-exchange. A rule that takes `seen == expected` for success loses an edge here, which the tests detect.
#pragma once
#include <parents/ordered.hpp>

#include <atomic>
#include <cstdint>
#include <thread>

namespace copse::parents {

// An instrument for tests: an accessor for several threads that yields the processor at pseudo-random accesses, so that even a machine with
// few cores interleaves threads in the middle of every rule.

/// Yields once in `Every` accesses on average; `Every` is a power of two.
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
  // Yields the processor in one of `Every` calls on average, which a xorshift sequence of the calling thread decides.
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

/// True if `failing` makes every third compare-and-swap of a thread fail. Tests in which threads only yield set it to false, instead of
/// compiling all rules again with another accessor.
inline std::atomic<bool> swaps_fail{true};

struct only_yielding {
  only_yielding() { swaps_fail = false; }
  ~only_yielding() { swaps_fail = true; }
  only_yielding(const only_yielding&) = delete;
  only_yielding& operator=(const only_yielding&) = delete;
};

template <class Base, std::uint32_t Every = 64>
class failing : public yielding<Base, Every> {
public:
  using yielding<Base, Every>::yielding;
  using id = typename Base::id;

  cas_result<id> cas(id v, id expected, id desired) const noexcept {
    thread_local std::uint32_t calls = 0;
    if (swaps_fail.load(std::memory_order_relaxed) && ++calls % 3 == 0) return {false, this->load(v)};
    return yielding<Base, Every>::cas(v, expected, desired);
  }
};

template <unsigned_index Id>
using chaos = failing<atomic<Id>>;

template <class Base, std::uint32_t Every, bool Links>
struct in_one_order<failing<Base, Every>, Links> {
  using type = failing<typename in_one_order<Base, Links>::type, Every>;
};

}  // namespace copse::parents
