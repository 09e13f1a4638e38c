// Did one of two sets of samples tend to be smaller, or may chance alone have ordered them so? Mann-Whitney U: asks for ranks only, so one
// slow sample of a shared machine weighs no more than any other.
#pragma once
#include <span>

namespace copse::cli {

struct rank_test_result {
  double u = 0;  ///< pairs (a, b) with a > b, half a pair for each tie
  double p = 1;  ///< two-sided: how often equal contenders would differ at least so much
  /// -1: b tends to be smaller than a; 1: larger; 0: neither.
  int direction = 0;
};

/// Exact when no two samples are equal and there are at most 60 of them, otherwise the normal approximation with corrections for ties and
/// continuity. Precondition: neither is empty.
rank_test_result rank_test(std::span<const double> a, std::span<const double> b);

/// The smallest p that so many samples can give: where it is large, no difference can be distinguished from chance.
double smallest_p(std::size_t samples_of_a, std::size_t samples_of_b);

}  // namespace copse::cli
