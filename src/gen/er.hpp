// Erdos-Renyi graphs, exact in distribution up to the quality of the random words.
//
// Given n and m: edge i is pair order(i) of all n (n - 1) / 2 pairs, where `order` is a random bijection, so the m pairs are different.
// O(1) per edge.
//
// Given n and p: every pair is an edge with probability p, independently. Pairs are numbered and cut into blocks of 2^b. For p <= 1/2, 2^b
// p is between 4 and 8, unless b reaches its limit of 62. A block draws how many of its pairs are edges from a table of the binomial
// distribution, then which of them by Floyd's sampling (Bentley, Floyd 1987). Drawn pairs beyond the last pair of the graph are dropped,
// which is exact because pairs are independent. For p > 1/2, b is 4, and the pairs that are not edges are drawn. The time is O(edges) and a
// constant per block, of which there are at most pairs * p / 4 + 4.
#pragma once
#include <gen/family.hpp>
#include <gen/pairs.hpp>

#include <cstdint>
#include <variant>

namespace copse::gen {

/// Draws from the binomial distribution of 2^b trials with probability q by inversion of a table of integers. It uses no floating point, so
/// that all machines draw the same values.
class binomial_table {
public:
  static constexpr unsigned most = 63;  // more than 63 successes have a probability below 2^-64 for a mean of at most 8

  /// Preconditions: q <= 1/2, b <= 63, and 2^b q <= 8.
  binomial_table(unsigned b, fraction q) noexcept;

  /// Returns the number of successes for a uniform random word, by a search from the start of the table cumulative_. On average it reads
  /// mean + 1 entries.
  COPSE_HOST_DEVICE unsigned draw(std::uint64_t word) const noexcept {
    unsigned k = 0;
    while (k < most_here_ && word >= cumulative_[k]) ++k;
    return k;
  }

  /// P(at most k successes) in units of 2^-64, with an error of at most 2^-50.
  [[nodiscard]] std::uint64_t cumulative(unsigned k) const noexcept { return k < most_here_ ? cumulative_[k] : ~std::uint64_t{0}; }
  [[nodiscard]] unsigned largest() const noexcept { return most_here_; }

private:
  std::uint64_t cumulative_[most] = {};
  unsigned most_here_ = 0;  // the largest result of draw()
};

struct er_p_edges;

struct er_m_edges {
  permutation order;
  std::uint64_t n;

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    return pair_at<Id>(order(i), n);
  }

  static constexpr parameter parameters[] = {{"n", "vertices, 0 to 6074001000", ""},
                                             {"m", "edges, all different; give m or p", "none"},
                                             {"p", "probability of each pair, 0 to 1 with at most 18 decimals; give m or p", "none"}};
  static constexpr family described{
      "er", "uniform random: m different pairs, or each pair with probability p",
      "Erdos, Renyi: On random graphs I, Publ. Math. Debrecen 1959; Gilbert: Random graphs, Ann. Math. Stat. 1959", parameters};
  static std::variant<amount<er_m_edges>, amount<er_p_edges>> make(const spec& s);
};

struct er_p_edges {
  random_stream random;
  binomial_table table;
  std::uint64_t n;
  std::uint64_t pairs;
  unsigned block_bits;
  bool draw_absent;  // true for p > 1/2: the drawn pairs are those that are not edges

  /// The drawn pairs of a block in ascending order, as offsets from the block's first pair.
  struct drawn {
    std::uint64_t offset[binomial_table::most + 1];
    unsigned count = 0;
  };

  COPSE_HOST_DEVICE std::uint64_t block_pairs(std::uint64_t block) const noexcept {
    const std::uint64_t left = pairs - (block << block_bits);
    return left < (std::uint64_t{1} << block_bits) ? left : std::uint64_t{1} << block_bits;
  }

  COPSE_HOST_DEVICE void draw(std::uint64_t block, drawn& result) const noexcept {
    const std::uint64_t size = std::uint64_t{1} << block_bits;
    const std::uint64_t words = block * (binomial_table::most + 1);
    const unsigned wanted = table.draw(random.word(words));
    for (unsigned k = 0; k < wanted; ++k) {
      const std::uint64_t last = size - wanted + k;
      const std::uint64_t pick = random.below(words + 1 + k, last + 1);
      if (!insert(result, pick)) insert(result, last);
    }
    const std::uint64_t present = block_pairs(block);
    while (result.count > 0 && result.offset[result.count - 1] >= present) --result.count;
  }

  COPSE_HOST_DEVICE std::uint64_t count(std::uint64_t block) const noexcept {
    drawn hits;
    draw(block, hits);
    return draw_absent ? block_pairs(block) - hits.count : hits.count;
  }

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id>* fill(std::uint64_t block, edge<Id>* out) const noexcept {
    drawn hits;
    draw(block, hits);
    const std::uint64_t first = block << block_bits;
    if (!draw_absent) {
      for (unsigned k = 0; k < hits.count; ++k) *out++ = pair_at<Id>(first + hits.offset[k], n);
      return out;
    }
    unsigned k = 0;
    for (std::uint64_t offset = 0; offset < block_pairs(block); ++offset) {
      if (k < hits.count && hits.offset[k] == offset) {
        ++k;
      } else {
        *out++ = pair_at<Id>(first + offset, n);
      }
    }
    return out;
  }

  // Inserts `offset` in ascending order. Returns false if it is present already. There are at most `binomial_table::most` offsets, and
  // about six on average, so insertion sort is fast.
  COPSE_HOST_DEVICE static bool insert(drawn& hits, std::uint64_t offset) noexcept {
    unsigned at = hits.count;
    while (at > 0 && hits.offset[at - 1] > offset) --at;
    if (at > 0 && hits.offset[at - 1] == offset) return false;
    for (unsigned k = hits.count; k > at; --k) hits.offset[k] = hits.offset[k - 1];
    hits.offset[at] = offset;
    ++hits.count;
    return true;
  }
};

}  // namespace copse::gen
