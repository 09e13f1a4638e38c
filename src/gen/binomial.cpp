// Fixed point throughout. P(0) = (1 - q)^(2^b) by b squarings of a 128-bit fraction, each off by at most 2^-128, which grows to at most
// 2^(b - 127); then P(k + 1) = P(k) (2^b - k) / (k + 1) q / (1 - q).
#include <gen/binomial.hpp>

#include <algorithm>

namespace copse::gen {
namespace {

__extension__ using wide = unsigned __int128;

// The upper 128 bits of x * x.
wide square_high(wide x) noexcept {
  const wide low = static_cast<std::uint64_t>(x);
  const wide high = x >> 64;
  const wide cross = high * low;  // counted twice
  const wide middle = (low * low >> 64) + (cross & ~std::uint64_t{0}) * 2;
  return high * high + (cross >> 64) * 2 + (middle >> 64);
}

}  // namespace

binomial_table::binomial_table(unsigned b, fraction q) noexcept {
  if (q.is_zero()) return;
  // 2^b q as 4.60 fixed point, exact to its last digit; q itself is that, b digits further down.
  const std::uint64_t mean = q.digits(b, 60);
  const wide one_minus_q = wide{0} - (static_cast<wide>(mean) << (68 - b));  // of 2^128, which itself does not fit: q is not 0
  wide none = one_minus_q;
  for (unsigned step = 0; step < b; ++step) none = square_high(none);

  // q / (1 - q) 2^b as 5.59 fixed point: at most 16.
  const auto odds = static_cast<std::uint64_t>((static_cast<wide>(mean) << 63) / static_cast<std::uint64_t>(one_minus_q >> 64));
  const unsigned trials = b >= 6 ? most : std::min(most, 1u << b);
  auto probability = static_cast<std::uint64_t>(none >> 64);
  std::uint64_t sum = probability;
  for (unsigned k = 0; k < trials; ++k) {
    cumulative_[k] = sum;
    const wide scaled = (static_cast<wide>(probability) * odds) >> 59;
    const wide next = (scaled - ((scaled * k) >> b)) / (k + 1);
    probability = static_cast<std::uint64_t>(std::min<wide>(next, ~std::uint64_t{0}));
    sum = sum > ~std::uint64_t{0} - probability ? ~std::uint64_t{0} : sum + probability;
  }
  most_here_ = trials;
}

}  // namespace copse::gen
