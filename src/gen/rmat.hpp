// R-MAT: an edge falls, level by level, into one of the four quadrants of the adjacency matrix, with shares a, b, c, 1 - a - b - c.
// Shares are cut to 32 binary digits, so that one random word serves two levels. O(scale) an edge.
#pragma once
#include <copse/core/host_device.hpp>
#include <copse/graph/coo.hpp>
#include <gen/random.hpp>

#include <cstdint>

namespace copse::gen {

struct rmat_edges {
  random_stream random;
  unsigned scale;
  std::uint64_t below_a;    // the share of quadrant a, of 2^32
  std::uint64_t below_ab;   // of a and b
  std::uint64_t below_abc;  // of a, b and c

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    std::uint64_t u = 0;
    std::uint64_t v = 0;
    for (unsigned level = 0; level < scale; level += 2) {
      const std::uint64_t word = random.word(i * 32 + level / 2);
      descend(word >> 32, u, v);
      if (level + 1 < scale) descend(word & 0xFFFFFFFFu, u, v);
    }
    return {static_cast<Id>(u), static_cast<Id>(v)};
  }

  // Quadrants in order a b c d are (0,0) (0,1) (1,0) (1,1): the bit of u changes once, that of v at every border.
  COPSE_HOST_DEVICE void descend(std::uint64_t r, std::uint64_t& u, std::uint64_t& v) const noexcept {
    const std::uint64_t past_a = r >= below_a;
    const std::uint64_t past_ab = r >= below_ab;
    const std::uint64_t past_abc = r >= below_abc;
    u = 2 * u + past_ab;
    v = 2 * v + (past_a ^ past_ab ^ past_abc);
  }
};

}  // namespace copse::gen
