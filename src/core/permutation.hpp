// A random bijection of 0 .. n - 1 that needs no memory. Rounds of multiply by an odd number, add, and fold the upper half down are each a
// bijection of b-bit words, 2^b >= n > 2^(b - 1); a result of n or more is sent through again (cycle walking), less than once on average.
#pragma once
#include <copse/extend/host_device.hpp>
#include <core/random.hpp>

#include <bit>
#include <cstdint>

namespace copse {

class permutation {
public:
  permutation(std::uint64_t n, random_stream stream) noexcept : n_{n}, bits_{n <= 1 ? 0u : static_cast<unsigned>(std::bit_width(n - 1))} {
    mask_ = bits_ == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits_);
    fold_ = (bits_ + 1) / 2;
    for (unsigned r = 0; r < rounds; ++r) {
      multiplier_[r] = stream.word(2 * r) | 1;
      addend_[r] = stream.word(2 * r + 1);
    }
  }

  /// Precondition: x < n.
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
