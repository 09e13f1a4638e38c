// Links between pages in the order of a crawl. Pages belong to sites of 64; within a site, sources are skewed to the first pages (64 u^3
// for uniform u). 85 % of the links stay near: their distance has a uniform binary length (distances 1 to 4095), in either direction. The
// other links go to popular pages: n u^6 for uniform u, which gives page x a share proportional to x^(-5/6), an in-degree power law of
// exponent 2.2. All this is computed by products of 64-bit fractions, without logarithms.
#pragma once
#include <gen/family.hpp>

#include <cstdint>

namespace copse::gen {

struct web_edges {
  random_stream random;
  std::uint64_t n;

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    const std::uint64_t last = n - 1;
    const std::uint64_t u = random.word(4 * i + 1);
    const std::uint64_t page = scale_below(multiply_high(multiply_high(u, u), u), 64);
    const std::uint64_t in_site = random.below(4 * i, n) / 64 * 64 + page;
    const std::uint64_t source = in_site < last ? in_site : last;

    const std::uint64_t choice = random.word(4 * i + 2);
    const std::uint64_t word = random.word(4 * i + 3);
    std::uint64_t target = 0;
    if (scale_below(choice, 100) < 85) {
      const std::uint64_t length = std::uint64_t{1} << scale_below(word, 12);
      const std::uint64_t distance = length + (choice & (length - 1));  // the low bits of `choice`; the high bits made the link a near one
      if ((word & 1) == 0) {
        target = distance < last - source ? source + distance : last;
      } else {
        target = distance < source ? source - distance : 0;
      }
    } else {
      const std::uint64_t squared = multiply_high(word, word);
      target = scale_below(multiply_high(squared, multiply_high(squared, squared)), n);
    }
    return {static_cast<Id>(source), static_cast<Id>(target)};
  }

  static constexpr parameter parameters[] = {{"n", "pages", ""}, {"degree", "mean degree, 0 to 65536", "32"}};
  static constexpr family described{"web", "links of a crawl: 85 % to near pages, the others to popular ones (power law of exponent 2.2)",
                                    "shape after Broder et al.: Graph structure in the web, WWW 2000, and Boldi, Vigna: The WebGraph "
                                    "framework I, WWW 2004",
                                    parameters};
  static amount<web_edges> make(const spec& s) {
    const std::uint64_t n = s.integer("n", 0, most_dense_vertices);
    return {{stream_of(s, purpose::edges), n}, n, n * s.integer("degree", 0, 65536) / 2};
  }
};

}  // namespace copse::gen
