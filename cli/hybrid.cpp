#include "hybrid.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <optional>

namespace copse::cli {
namespace {

std::optional<double> percent(const std::string& text) {
  const auto number = finite_number(text);
  return number && *number >= 0 && *number <= 100 ? number : std::nullopt;
}

choices<cross_rule> choices_of_cross() {
  choices<cross_rule> all;
  for (std::size_t k = 0; k < cross_rule_names.size(); ++k) all.emplace_back(cross_rule_names[k], static_cast<cross_rule>(k));
  return all;
}

}  // namespace

void add_hybrid_options(CLI::App& app, hybrid_options& choice) {
  const std::string group = "Solving on the CPU and a GPU together (--device hybrid)";
  add_parsed(app, "--share", choice.share, "T", "Percent of the vertices that the CPU gets (default: by a model of both sides)",
             "0 to 100 percent", percent)
      ->group(group);
  add_choice<cross_rule>(app, "--cross", choice.cross, choices_of_cross(), "How edges between the parts are solved (default keep)")
      ->group(group);
}

json hybrid_json(const hybrid_report& report) {
  const bool contracted = report.cross != cross_rule::keep;
  return {{"share", report.share},
          {"reason", report.reason},
          {"scattered", report.scattered < 0 ? json() : json(report.scattered)},
          {"cpu_vertices", report.cpu_vertices},
          {"cross", cross_rule_names[static_cast<std::size_t>(report.cross)]},
          {"cross_arcs", contracted ? json(report.cross_arcs) : json()},
          {"super_edges", contracted ? json(report.super_edges) : json()},
          {"cpu_seconds", report.cpu_seconds},
          {"spare_seconds", report.spare_seconds},
          {"gpu_seconds", report.gpu_seconds},
          {"cross_seconds", report.cross_seconds},
          {"cpu_idle", report.cpu_idle()},
          {"gpu_idle", report.gpu_idle()}};
}

std::string hybrid_text(const hybrid_report& report) {
  return fmt::format("hybrid      {:.1f} % to the CPU: CPU {:.3f} s (idle {:.0f} %), GPU {:.3f} s (idle {:.0f} %), cross edges {:.3f} s\n",
                     report.share, report.cpu_seconds, 100 * report.cpu_idle(), report.gpu_seconds, 100 * report.gpu_idle(),
                     report.cross_seconds);
}

}  // namespace copse::cli
