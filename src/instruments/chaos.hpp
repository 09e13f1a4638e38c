// An instrument: a swap fails now and then although the word is as expected, as load-linked/store-conditional machines and weak
// compare-exchange do. A rule that reads `seen == expected` as success loses an edge here, and the sweep shows it.
#pragma once
#include <instruments/yield.hpp>

#include <atomic>

namespace copse::parents {

/// Do swaps fail? Where they do not, threads only yield, by the same code: a sweep is compiled once for both.
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
