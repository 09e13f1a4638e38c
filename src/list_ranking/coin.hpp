// Random bits that decide which elements may leave a list. They are functions of (seed, round, element), so that every thread gets the same
// bits.
#pragma once
#include <core/random.hpp>

namespace copse::list_ranking {

struct coin {
  std::uint64_t key;

  coin(std::uint64_t seed, unsigned round) noexcept : key{random_stream{seed, 16 + std::uint64_t{round}}.key} {}
  COPSE_HOST_DEVICE bool operator()(std::uint64_t e) const noexcept { return (mix(key + e * 0x9E3779B97F4A7C15u) >> 63) != 0; }
};

/// Returns the number of rounds that Banerjee and Kothapalli found best: 4 log log n, with logarithms to the base 2, rounded down.
inline unsigned rounds_for(std::uint64_t n) noexcept {
  const unsigned log = n < 2 ? 0 : 63 - static_cast<unsigned>(__builtin_clzll(n));
  // Rounded down, 4 log2(log) is floor(log2(log^4)), the position of the highest set bit of log^4.
  return log < 2 ? 0 : 63 - static_cast<unsigned>(__builtin_clzll(std::uint64_t{log} * log * log * log));
}

}  // namespace copse::list_ranking
