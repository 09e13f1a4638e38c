#include "io/weight_rule.hpp"

#include "io/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace copse::io {

weight_rule::weight_rule(const read_options& options, weight_precision precision)
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
  if (options_.counts != nullptr) options_.counts->missing_weights += all_.missing;
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
