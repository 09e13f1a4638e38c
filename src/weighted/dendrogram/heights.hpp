// Where SciPy's heights lie: the largest weight less that of an edge; components join last.
#pragma once
#include <copse/errors.hpp>

#include <cmath>
#include <optional>
#include <string>

namespace copse::weighted {

struct heights {
  double largest_weight = 0;
  double top = 0;  ///< where components join
};

/// Of a forest whose largest and smallest weights are given, 0 for one without edges. Throws as hierarchy::linkage().
inline heights heights_of(double largest, double smallest, std::optional<double> top) {
  for (const double end : {largest, smallest}) {
    if (std::isinf(end)) throw input_error{"weights: found an infinite one, expected finite weights, whose differences are heights"};
  }
  const double highest = largest - smallest;
  if (top && !(*top >= highest))
    throw usage_error{"top: found " + std::to_string(*top) + ", expected the largest height, " + std::to_string(highest) + ", or more"};
  const double last = top.value_or(highest == 0 ? 1 : 2 * highest);
  if (std::isinf(highest) || std::isinf(last))
    throw input_error{"weights: found a range beyond the largest double, expected heights that are numbers"};
  return {largest, last};
}

}  // namespace copse::weighted
