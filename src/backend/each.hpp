// One step for every number below a count, on any backend.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstring>

namespace copse::backend {

/// f(i) for every i < count, concurrently where the backend is. f is copied to wherever the loop runs, so on a device it must be a named
/// type, not a lambda.
template <class Backend, class F>
void for_each(const Backend& loops, std::size_t count, F f) {
  if constexpr (requires { loops.for_each(count, f); }) {
    loops.for_each(count, f);
  } else {
    loops.for_blocks(count, [f](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) f(i);
    });
  }
}

/// Zero bytes.
template <class Backend>
void clear(const Backend& loops, void* first, std::size_t bytes) {
  if constexpr (requires { loops.clear(first, bytes); }) {
    loops.clear(first, bytes);
  } else {
    loops.for_blocks(bytes,
                     [first](std::size_t begin, std::size_t end) { std::memset(static_cast<char*>(first) + begin, 0, end - begin); });
  }
}

/// How many i < count are `wanted(i)`.
template <class Backend, class F>
std::size_t count_that(const Backend& loops, std::size_t count, F wanted) {
  if constexpr (requires { loops.count_that(count, wanted); }) {
    return loops.count_that(count, wanted);
  } else {
    std::atomic<std::size_t> sum{0};
    loops.for_blocks(count, [&sum, wanted](std::size_t begin, std::size_t end) {
      std::size_t found = 0;
      for (std::size_t i = begin; i < end; ++i) found += wanted(i) ? 1 : 0;
      sum.fetch_add(found, std::memory_order_relaxed);
    });
    return sum.load(std::memory_order_relaxed);
  }
}

/// The smallest i of [from, count) of which `wanted(i)`; count when there is none. For searches that end soon.
template <class Backend, class F>
std::size_t first_that(const Backend& loops, std::size_t from, std::size_t count, F wanted) {
  if constexpr (requires { loops.first_that(from, count, wanted); }) {
    return loops.first_that(from, count, wanted);
  } else {
    while (from < count && !wanted(from)) ++from;
    return from;
  }
}

}  // namespace copse::backend
