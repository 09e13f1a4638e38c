// Makes every vertex point to the root of its tree while nothing else changes the trees. In each pass a thread climbs a bounded number of
// steps and stores how far it came, so that other threads skip that part at once. A thread writes only the words of its own vertices, so
// that no late store makes a path longer again.
#pragma once
#include <copse/memory.hpp>
#include <gpu/loops/cuda.cuh>

#include <cstddef>
#include <cstdint>

namespace copse::backend {

inline constexpr unsigned most_steps_up = 128;

struct go_up {
  volatile std::uint32_t* up;
  unsigned* deep;  ///< set to 1 if some vertex has not reached its root
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

/// Runs passes until all vertices point to roots, and waits for them. `deep` is scratch memory for a flag.
inline void flatten_upwards(const cuda& loops, std::uint32_t* up, std::size_t count, unsigned* deep) {
  do {
    loops.clear(deep, sizeof(unsigned));
    loops.for_each(count, go_up{up, deep});
  } while (loops.fetched(deep) != 0);
}

}  // namespace copse::backend
