#include "io/weight_rule.hpp"

#include "io/fields.hpp"

#include <copse/weighted_graph.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace copse::io {

weight_rule::weight_rule(const read_request& options, weight_precision precision)
    : options_{options},
      least_{rounded_threshold(options.min_weight.value_or(-std::numeric_limits<double>::infinity()), precision)},
      nan_is_missing_{std::ranges::any_of(options.missing, [](const std::string& word) {
        const auto number = real(word);
        return number && *number != *number;
      })} {}

judged_weight weight_rule::judge(std::string_view field) const {
  if (!options_.missing.empty() && std::ranges::find(options_.missing, field) != options_.missing.end()) {
    return {weight_verdict::missing, 0};
  }
  const auto weight = real(field);
  if (!weight) return {weight_verdict::not_a_number, 0};
  return {verdict_of(*weight), *weight};
}

void weight_rule::add(const tally& seen) {
  const std::lock_guard lock{guard_};
  all_.reached |= seen.reached;
  all_.light += seen.light;
  all_.missing += seen.missing;
  all_.largest = std::max(all_.largest, seen.largest);
}

void weight_rule::tell(std::string_view file, std::string_view entry) const {
  if (options_.counts != nullptr) {
    options_.counts->missing_weights += all_.missing;
    options_.counts->below_min_weight += all_.light;
  }
  if (options_.observer == nullptr) return;
  if (all_.missing != 0) {
    options_.observer->note(
        fmt::format("{}: {} {}{} dropped for a missing weight", file, all_.missing, entry, all_.missing == 1 ? "" : "s"));
  }
  if (!all_.reached && all_.light != 0) {
    options_.observer->note(fmt::format("{}: {}", file, unreached_text(*options_.min_weight, all_.largest)));
  }
}

}  // namespace copse::io

namespace copse {
namespace {

/// An IEEE 754 binary format that is narrower than a double.
struct narrow_format {
  int digits;             ///< number of bits of the significand, including the implicit one
  int smallest_exponent;  ///< the exponent of the smallest normal number
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
