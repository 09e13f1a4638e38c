// An instrument: a swap fails now and then although the word is as expected, as load-linked/store-conditional machines and weak
// compare-exchange do. A rule that reads `seen == expected` as success loses an edge here, and the sweep shows it.
#pragma once
#include <copse/parents/yield.hpp>

namespace copse::parents {

template <unsigned_index Id>
class chaos : public yield<Id> {
public:
  using yield<Id>::yield;

  cas_result<Id> cas(Id v, Id expected, Id desired) const noexcept {
    thread_local std::uint32_t calls = 0;
    if (++calls % 3 == 0) return {false, this->load(v)};
    return yield<Id>::cas(v, expected, desired);
  }
};

}  // namespace copse::parents
