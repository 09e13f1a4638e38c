// Every vertex to the top of its tree, where nothing else changes the trees: passes in which each thread climbs a bounded number of steps
// and stores how far it came, so that others skip that way at once. Threads write their own places only, so a way that is short stays
// short.
#pragma once
#include <copse/memory.hpp>
#include <gpu/loops/cuda.cuh>

#include <cstddef>
#include <cstdint>

namespace copse::backend {

inline constexpr unsigned most_steps_up = 128;

struct go_up {
  volatile std::uint32_t* up;
  unsigned* deep;  ///< becomes 1 where some vertex has not reached its top
  __device__ void operator()(std::size_t v) const {
    const std::uint32_t before = up[v];
    std::uint32_t at = before;
    for (unsigned step = 0; step < most_steps_up; ++step) {
      const std::uint32_t above = up[at];
      if (above == at) {
        if (at != before) up[v] = at;
        return;
      }
      at = above;
    }
    up[v] = at;
    *deep = 1;
  }
};

/// Waits. `deep`: room for a flag.
inline void flatten_upwards(const cuda& loops, std::uint32_t* up, std::size_t count, unsigned* deep) {
  do {
    loops.clear(deep, sizeof(unsigned));
    loops.for_each(count, go_up{up, deep});
  } while (loops.fetched(deep) != 0);
}

}  // namespace copse::backend
