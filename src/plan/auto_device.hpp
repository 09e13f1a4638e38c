// A solve on the device `auto`: where it runs, and why.
#pragma once
#include <copse/components.hpp>
#include <copse/plan.hpp>
#include <core/devices.hpp>
#include <core/request.hpp>

#include <string>
#include <utility>

namespace copse::plan {

/// Prefixes the explanation of a report with the reason for the device that `auto` chose.
inline std::string with_reason(const std::string& reason, const std::string& explanation) {
  return "device auto: " + reason + (explanation.empty() ? "" : "; ") + explanation;
}

inline solve_report& report_of(solve_report& report) { return report; }
inline solve_report& report_of(components_result& result) { return result.report; }

/// Calls solve(on) with the device that choose() names; the report explains the choice. Variants by name, and counting, run on the CPU
/// without a choice. Precondition: the device is `auto`.
template <class Choose, class Solve>
auto solve_on_chosen(const solve_request& asked, Choose choose, Solve solve) {
  execution on = asked.on();
  on.device = "cpu";
  if (asked.variant != "auto" || asked.count) return solve(std::as_const(on));
  const device_choice chosen = choose();
  on.device = chosen.device;
  auto result = solve(std::as_const(on));
  std::string& explanation = report_of(result).explanation;
  explanation = with_reason(chosen.reason, explanation);
  return result;
}

}  // namespace copse::plan
