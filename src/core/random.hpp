// Random numbers as functions of (seed, counter), on integers only: any thread or device computes any of them in any order and gets
// the same bits. The stream is SplitMix64 (Steele, Lea, Flood 2014) with random access: word i of a key is mix(key + i * golden).
#pragma once
#include <copse/extend/host_device.hpp>

#include <cstdint>

namespace copse {

/// The finaliser of SplitMix64: a bijection of 64-bit words that scatters them.
COPSE_HOST_DEVICE constexpr std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// The upper 64 bits of a product.
COPSE_HOST_DEVICE constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<wide>(a) * b) >> 64);
}

/// Turns a uniform word into a uniform number below `bound` (each value's share is off by at most 2^-64).
COPSE_HOST_DEVICE constexpr std::uint64_t scale_below(std::uint64_t word, std::uint64_t bound) noexcept {
  return multiply_high(word, bound);
}

/// An endless sequence of words, read at any place. Two purposes of one seed are two streams.
struct random_stream {
  std::uint64_t key;

  constexpr random_stream(std::uint64_t seed, std::uint64_t purpose) noexcept
      : key{mix(mix(seed + 0x9E3779B97F4A7C15u) + purpose * 0xD1B54A32D192ED03u)} {}

  COPSE_HOST_DEVICE constexpr std::uint64_t word(std::uint64_t counter) const noexcept {
    return mix(key + counter * 0x9E3779B97F4A7C15u + 0x9E3779B97F4A7C15u);
  }
  COPSE_HOST_DEVICE constexpr std::uint64_t below(std::uint64_t counter, std::uint64_t bound) const noexcept {
    return scale_below(word(counter), bound);
  }
};

}  // namespace copse
