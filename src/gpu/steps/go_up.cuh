// Moves every vertex to the root of its tree while nothing else changes the trees: in each pass a thread climbs a bounded number of steps
// and stores how far it came, so that other threads skip that part at once. A thread writes only its own vertices, so a short path stays
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

/// Runs the passes and waits for them. `deep`: room for a flag.
inline void flatten_upwards(const cuda& loops, std::uint32_t* up, std::size_t count, unsigned* deep) {
  do {
    loops.clear(deep, sizeof(unsigned));
    loops.for_each(count, go_up{up, deep});
  } while (loops.fetched(deep) != 0);
}

}  // namespace copse::backend
