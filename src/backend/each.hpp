// One step for every number below a count, on any backend.
#pragma once
#include <cstddef>

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

}  // namespace copse::backend
