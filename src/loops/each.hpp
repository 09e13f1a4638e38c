// One step for every number below a count, on any backend.
#pragma once
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

/// The smallest i of [from, count) for which `predicate(i)` holds; count when there is none. For searches that end soon.
template <class Backend, class F>
std::size_t first_that(const Backend& loops, std::size_t from, std::size_t count, F predicate) {
  if constexpr (requires { loops.first_that(from, count, predicate); }) {
    return loops.first_that(from, count, predicate);
  } else {
    while (from < count && !predicate(from)) ++from;
    return from;
  }
}

}  // namespace copse::backend
