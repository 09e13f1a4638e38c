// Binomial(2^b, q) by inversion of a table of integers: no logarithm, no rounding that a machine could do differently.
#pragma once
#include <copse/extend/host_device.hpp>
#include <gen/fraction.hpp>

#include <cstdint>

namespace copse::gen {

class binomial_table {
public:
  static constexpr unsigned most = 63;  // P(more than 63) < 2^-64 for a mean of at most 8

  /// Preconditions: q <= 1/2, b <= 63, and 2^b q <= 8.
  binomial_table(unsigned b, fraction q) noexcept;

  /// The number of successes that a uniform word stands for; the mean number of comparisons is the mean plus one.
  COPSE_HOST_DEVICE unsigned draw(std::uint64_t word) const noexcept {
    unsigned k = 0;
    while (k < most_here_ && word >= cumulative_[k]) ++k;
    return k;
  }

  /// P(at most k) of 2^64, within 2^-50.
  [[nodiscard]] std::uint64_t cumulative(unsigned k) const noexcept { return k < most_here_ ? cumulative_[k] : ~std::uint64_t{0}; }
  [[nodiscard]] unsigned largest() const noexcept { return most_here_; }

private:
  std::uint64_t cumulative_[most] = {};
  unsigned most_here_ = 0;  // draw() gives 0 .. most_here_
};

}  // namespace copse::gen
