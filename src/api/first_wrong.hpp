// The first place of an array where something is wrong, looked for by all threads.
#pragma once
#include <atomic>
#include <cstddef>

namespace copse::api {

/// The smallest i < count that is wrong; count when there is none. A block is looked at as a whole first, without a branch per element.
template <class Backend, class Wrong>
std::size_t first_wrong(const Backend& loops, std::size_t count, Wrong wrong) {
  std::atomic<std::size_t> first{count};
  loops.for_blocks(count, [&first, wrong](std::size_t begin, std::size_t end) {
    bool any = false;
    for (std::size_t i = begin; i < end; ++i) any |= wrong(i);
    if (!any) return;
    while (!wrong(begin)) ++begin;
    std::size_t seen = first.load(std::memory_order_relaxed);
    while (begin < seen && !first.compare_exchange_weak(seen, begin, std::memory_order_relaxed)) {
    }
  });
  return first.load(std::memory_order_relaxed);
}

}  // namespace copse::api
