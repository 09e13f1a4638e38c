#include <gen/er.hpp>

#include <algorithm>

namespace copse::gen {
namespace {

// Returns the size of a block of pairs, 2^b, as b: the smallest with 2^b q >= 4, but at most 62, so that a block has 4 to 8 edges on
// average if each pair is an edge with probability q. Precondition: q <= 1/2.
unsigned block_bits_for(fraction q) {
  unsigned b = 3;
  while (b < 62 && q.digits(b, 0) < 4) ++b;
  return b;
}

}  // namespace

std::variant<amount<er_m_edges>, amount<er_p_edges>> er_m_edges::make(const spec& s) {
  const std::uint64_t n = s.integer("n", 0, most_vertices_with_pairs);
  const std::uint64_t pairs = pair_count(n);
  if (s.has("m") == s.has("p"))
    s.refuse(s.has("m") ? "both m and p" : "neither m nor p", "one of m (edges) and p (probability of each pair)");
  const er_m_edges drawn{permutation{pairs, stream_of(s, purpose::edges)}, n};
  if (s.has("m")) return amount<er_m_edges>{drawn, n, s.integer("m", 0, pairs)};
  const fraction p = s.share("p");
  if (p.is_zero()) return amount<er_m_edges>{drawn, n, 0};
  const fraction q = p.above_half() ? p.complement() : p;
  const unsigned b = p.above_half() ? 4 : block_bits_for(q);
  const er_p_edges family{stream_of(s, purpose::edges), binomial_table{b, q}, n, pairs, b, p.above_half()};
  return amount<er_p_edges>{family, n, divided_up(pairs, std::uint64_t{1} << b)};
}

// The table of the binomial distribution is computed in fixed point. P(0) = (1 - q)^(2^b) takes b squarings of a 128-bit fraction, each
// with an error of at most 2^-128, which adds up to at most 2^(b - 127). Then P(k + 1) = P(k) (2^b - k) / (k + 1) q / (1 - q).
namespace {

__extension__ using wide = unsigned __int128;

// The upper 128 bits of x * x.
wide square_high(wide x) noexcept {
  const wide low = static_cast<std::uint64_t>(x);
  const wide high = x >> 64;
  const wide cross = high * low;  // counts twice in the square of high * 2^64 + low
  const wide middle = (low * low >> 64) + (cross & ~std::uint64_t{0}) * 2;
  return high * high + (cross >> 64) * 2 + (middle >> 64);
}

}  // namespace

binomial_table::binomial_table(unsigned b, fraction q) noexcept {
  if (q.is_zero()) return;
  // `mean` is 2^b q, rounded down to fixed point with 4 integer and 60 fraction bits. q has the same digits, b places lower.
  const std::uint64_t mean = q.digits(b, 60);
  const wide one_minus_q = wide{0} - (static_cast<wide>(mean) << (68 - b));  // in units of 2^-128; 1 would not fit, but q is not 0
  wide none = one_minus_q;
  for (unsigned step = 0; step < b; ++step) none = square_high(none);

  // q / (1 - q) 2^b in fixed point with 5 integer and 59 fraction bits: at most 16.
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
