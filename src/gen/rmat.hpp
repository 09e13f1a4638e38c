// R-MAT: on each level, an edge falls into one of the four quadrants of the adjacency matrix, with shares a, b, c, 1 - a - b - c. Shares
// are cut to 31 binary digits. A random word serves two levels: its two halves are compared with the shares by one subtraction, whose top
// bits mean "not below". Levels are independent, so it does not matter which level gives which bit of an id. O(scale) per edge.
#pragma once
#include <gen/family.hpp>

#include <cstdint>

namespace copse::gen {

/// The sums a, a + b and a + b + c of the shares, as exact decimals.
struct shares_of_quadrants {
  fraction a, ab, abc;

  /// Throws usage_error if a + b + c is above 1.
  explicit shares_of_quadrants(const spec& s) : a{s.share("a")} {
    const std::optional<fraction> two = a.plus(s.share("b"));
    const std::optional<fraction> three = two ? two->plus(s.share("c")) : std::nullopt;
    if (!three) s.refuse("a + b + c above 1", "a + b + c of at most 1");
    ab = *two;
    abc = *three;
  }
};

class rmat_edges {
public:
  /// `a`, `ab` and `abc` are the shares of quadrant a, of a and b, and of a, b and c, in units of 2^-31. Precondition: scale <= 48.
  rmat_edges(random_stream random, unsigned scale, std::uint64_t a, std::uint64_t ab, std::uint64_t abc) noexcept
      : random_{random}, scale_{scale}, a_{twice(a)}, ab_{twice(ab)}, abc_{twice(abc)} {}

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    // The quadrants a, b, c, d give the bits (u, v) = (0,0) (0,1) (1,0) (1,1). So the bit of u is 1 if the random number is past a + b, and
    // the bit of v changes at each of the sums a, a + b and a + b + c.
    const unsigned words = (scale_ + 1) / 2;
    std::uint64_t u = 0;
    std::uint64_t v = 0;
    for (unsigned w = 0; w < words; ++w) {
      const std::uint64_t drawn = random_.word(i * 32 + w) | top_bits;
      const std::uint64_t past_ab = drawn - ab_;
      u = (u >> 1) | (past_ab & top_bits);
      v = (v >> 1) | (((drawn - a_) ^ past_ab ^ (drawn - abc_)) & top_bits);
    }
    return {static_cast<Id>(gather(u, words)), static_cast<Id>(gather(v, words))};
  }

  static constexpr parameter parameters[] = {{"scale", "2^scale vertices, 0 to 48", ""},
                                             {"edges", "edges per vertex, 0 to 65536", "16"},
                                             {"a", "share of the top left quadrant, 0 to 1", ".57"},
                                             {"b", "share of the top right quadrant, 0 to 1", ".19"},
                                             {"c", "share of the bottom left quadrant, 0 to 1; a + b + c <= 1", ".19"}};
  static constexpr family described{
      "rmat", "recursive matrix: skewed degrees, small diameter, like a social network",
      "Chakrabarti, Zhan, Faloutsos: R-MAT: a recursive model for graph mining, SDM 2004; the default shares are "
      "those of Graph500",
      parameters};
  static amount<rmat_edges> make(const spec& s) {
    const auto scale = static_cast<unsigned>(s.integer("scale", 0, 48));
    const std::uint64_t per_vertex = s.integer("edges", 0, 65536), n = std::uint64_t{1} << scale;
    const shares_of_quadrants shares{s};
    return {{stream_of(s, purpose::edges), scale, shares.a.scaled(31), shares.ab.scaled(31), shares.abc.scaled(31)}, n, n * per_vertex};
  }

private:
  static constexpr std::uint64_t top_bits = 0x8000000080000000u;
  static constexpr std::uint64_t twice(std::uint64_t share) noexcept { return share << 32 | share; }

  // Joins the upper `words` bits of each 32-bit half, and returns the first scale_ of these bits.
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t gather(std::uint64_t halves, unsigned words) const noexcept {
    if (words == 0) return 0;
    const std::uint64_t high = halves >> (64 - words);
    const std::uint64_t low = (halves & 0xFFFFFFFFu) >> (32 - words);
    return (high << words | low) >> (2 * words - scale_);
  }

  random_stream random_;
  unsigned scale_;
  std::uint64_t a_;
  std::uint64_t ab_;
  std::uint64_t abc_;
};

}  // namespace copse::gen
