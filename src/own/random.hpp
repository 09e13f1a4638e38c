// Random numbers by counter, for samples.
#pragma once
#include <cstdint>

namespace copse::own {

/// The k-th of a sequence of well-mixed 64-bit numbers (SplitMix64's finalizer; Steele, Lea, Flood 2014).
constexpr std::uint64_t mixed(std::uint64_t seed, std::uint64_t k) noexcept {
  std::uint64_t x = seed + (k + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace copse::own
