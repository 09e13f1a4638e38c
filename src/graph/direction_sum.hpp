// Tests whether rows are symmetric without random access. Hash the pair {smaller, larger} of each arc; the sum of the hashes over arcs to
// larger vertices equals the sum over arcs to smaller vertices if both directions hold the same arcs, and otherwise only if hashes collide.
// Two independent 64-bit sums make a collision negligibly unlikely.
#pragma once
#include <copse/extend/host_device.hpp>

#include <cstdint>

namespace copse {

COPSE_HOST_DEVICE constexpr std::uint64_t mix_bits(std::uint64_t x) noexcept {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}

struct direction_sum {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  COPSE_HOST_DEVICE void add(std::uint64_t low, std::uint64_t high) noexcept {
    const std::uint64_t hash = mix_bits(low * 0x9e3779b97f4a7c15u ^ mix_bits(high + 0x632be59bd9b4e019u));
    first += hash;
    second += mix_bits(hash + 0x8ebc6af09c88c6e3u);
  }
  COPSE_HOST_DEVICE void add(const direction_sum& other) noexcept {
    first += other.first;
    second += other.second;
  }
  friend bool operator==(const direction_sum&, const direction_sum&) = default;
};

}  // namespace copse
