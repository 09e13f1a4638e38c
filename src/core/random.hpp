// Random numbers as functions of (seed, counter), with integer arithmetic only: any thread or device can compute any of them in any order,
// with the same result. The stream is SplitMix64 (Steele, Lea, Flood 2014) with random access: word i of a key is mix(key + (i + 1) *
// golden).
#pragma once
#include <copse/extend/host_device.hpp>

#include <cstdint>

namespace copse {

/// The finaliser of SplitMix64: a bijection of 64-bit words that mixes their bits.
COPSE_HOST_DEVICE constexpr std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// The upper 64 bits of the product.
COPSE_HOST_DEVICE constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<wide>(a) * b) >> 64);
}

/// Maps a uniform 64-bit word to a number below `bound` (the probability of each number is off by at most 2^-64).
COPSE_HOST_DEVICE constexpr std::uint64_t scale_below(std::uint64_t word, std::uint64_t bound) noexcept {
  return multiply_high(word, bound);
}

/// An infinite sequence of words with random access. Different purposes of the same seed give independent streams.
struct random_stream {
  std::uint64_t key;

  COPSE_HOST_DEVICE constexpr random_stream(std::uint64_t seed, std::uint64_t purpose) noexcept
      : key{mix(mix(seed + 0x9E3779B97F4A7C15u) + purpose * 0xD1B54A32D192ED03u)} {}

  COPSE_HOST_DEVICE constexpr std::uint64_t word(std::uint64_t counter) const noexcept {
    return mix(key + counter * 0x9E3779B97F4A7C15u + 0x9E3779B97F4A7C15u);
  }
  COPSE_HOST_DEVICE constexpr std::uint64_t below(std::uint64_t counter, std::uint64_t bound) const noexcept {
    return scale_below(word(counter), bound);
  }
};

/// Like std::bit_width, which nvcc does not support in device code.
COPSE_HOST_DEVICE constexpr unsigned bit_width_of(std::uint64_t x) noexcept {
  unsigned bits = 0;
  for (unsigned step = 32; step != 0; step /= 2) {
    if (x >> step == 0) continue;
    x >>= step;
    bits += step;
  }
  return bits + static_cast<unsigned>(x);
}

/// A pseudorandom permutation of 0 .. n - 1 that needs no memory. A round multiplies by an odd number, adds, and xors the upper half into
/// the lower one, each of which is a bijection of b-bit words, where 2^b >= n > 2^(b - 1). If the result is n or more, the rounds are
/// repeated on it (cycle walking), less than once on average.
class permutation {
public:
  COPSE_HOST_DEVICE constexpr permutation(std::uint64_t n, random_stream stream) noexcept
      : n_{n}, bits_{n <= 1 ? 0u : bit_width_of(n - 1)} {
    mask_ = bits_ == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits_);
    fold_ = (bits_ + 1) / 2;
    for (unsigned r = 0; r < rounds; ++r) {
      multiplier_[r] = stream.word(2 * r) | 1;
      addend_[r] = stream.word(2 * r + 1);
    }
  }

  /// The number to which the permutation maps x. Precondition: x < n.
  COPSE_HOST_DEVICE std::uint64_t operator()(std::uint64_t x) const noexcept {
    if (bits_ == 0) return x;
    do {
      for (unsigned r = 0; r < rounds; ++r) {
        x = (x * multiplier_[r] + addend_[r]) & mask_;
        x ^= x >> fold_;
      }
    } while (x >= n_);
    return x;
  }

private:
  static constexpr unsigned rounds = 4;
  std::uint64_t n_;
  std::uint64_t mask_ = 0;
  unsigned bits_;
  unsigned fold_ = 0;
  std::uint64_t multiplier_[rounds] = {};
  std::uint64_t addend_[rounds] = {};
};

}  // namespace copse
