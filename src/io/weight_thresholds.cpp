#include "io/weight_rule.hpp"

#include <copse/weighted_graph.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace copse {
namespace {

/// IEEE 754 binary formats narrower than a double.
struct narrow_format {
  int digits;             ///< of the significand, the implicit one included
  int smallest_exponent;  ///< of a normal number
  double largest;
};
constexpr narrow_format single_format{24, -126, std::numeric_limits<float>::max()}, half_format{11, -14, 65504};

double rounded(double number, const narrow_format& format) noexcept {
  if (number == 0 || !std::isfinite(number)) return number;
  const int exponent = std::max(std::ilogb(number), format.smallest_exponent);
  const double nearest = std::ldexp(std::nearbyint(std::ldexp(number, format.digits - 1 - exponent)), exponent - format.digits + 1);
  return std::abs(nearest) <= format.largest ? nearest : std::copysign(std::numeric_limits<double>::infinity(), number);
}

}  // namespace

double rounded_threshold(double threshold, weight_precision precision) noexcept {
  switch (precision) {
    case weight_precision::single:
      return rounded(threshold, single_format);
    case weight_precision::half:
      return rounded(threshold, half_format);
    case weight_precision::full:
      break;
  }
  return threshold;
}

std::string unreached_threshold(weights_view weights, double threshold) {
  return std::visit(
      [&](const auto column) -> std::string {
        if (column.empty()) return {};
        const auto largest = static_cast<double>(*std::ranges::max_element(column));
        if (largest >= rounded_threshold(threshold, weights.precision())) return {};
        return io::unreached_text(threshold, largest);
      },
      weights);
}

std::string io::unreached_text(double threshold, double largest) {
  return fmt::format("no weight reaches the threshold {}: the largest is {}", threshold, largest);
}

}  // namespace copse
