// Random pairs of a left and a right vertex, which may repeat. Left ends are uniform. The right end is right * u^(skew + 1) for a uniform
// u, so that right vertex x gets a share of the edges in proportion to x^(-skew / (skew + 1)), as popular items do.
#pragma once
#include <gen/family.hpp>

#include <cstdint>

namespace copse::gen {

struct bipartite_edges {
  random_stream random;
  std::uint64_t left, right;
  unsigned skew;

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    const std::uint64_t u = random.word(2 * i + 1);
    std::uint64_t power = u;
    for (unsigned k = 0; k < skew; ++k) power = multiply_high(power, u);
    return {static_cast<Id>(random.below(2 * i, left)), static_cast<Id>(left + scale_below(power, right))};
  }

  static constexpr parameter parameters[] = {{"left", "vertices on the left, 1 to 2^55", ""},
                                             {"right", "vertices on the right, 1 to 2^55", ""},
                                             {"m", "edges drawn", ""},
                                             {"skew", "how popular the first on the right are: 0 (as the others) to 20", "0"}};
  static constexpr family described{"bipartite", "random edges between two sides, as of users and things, uniform or skewed to few things",
                                    by_definition, parameters};
  static amount<bipartite_edges> make(const spec& s) {
    const std::uint64_t left = s.integer("left", 1, most_vertices / 2), right = s.integer("right", 1, most_vertices / 2);
    return {{stream_of(s, purpose::edges), left, right, static_cast<unsigned>(s.integer("skew", 0, 20))},
            left + right,
            s.integer("m", 0, most_vertices)};
  }
};

}  // namespace copse::gen
