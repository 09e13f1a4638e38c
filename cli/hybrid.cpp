#include "hybrid.hpp"

#include <fmt/format.h>

#include <copse/build.hpp>
#include <copse/errors.hpp>
#include <copse/hybrid.hpp>
#include <copse/variants.hpp>

#include "output.hpp"
#include "solution.hpp"

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

std::string variant_of(const solver_options& options) { return options.variant == "auto" ? "hybrid.auto" : options.variant; }

}  // namespace

void add_hybrid_options(CLI::App& app, hybrid_choice& choice) {
  const std::string group = "Solving on the CPU and a GPU together (--device hybrid)";
  add_parsed(app, "--share", choice.share, "T", "Percent of the vertices that the CPU gets (default: by a model of both sides)",
             "0 to 100 percent", percent)
      ->group(group);
  add_choice<cross_rule>(app, "--cross", choice.cross, choices_of_cross(), "How edges between the parts are solved (default keep)")
      ->group(group);
}

bool is_hybrid(const solver_options& options) {
  const hybrid_choice& choice = options.hybrid;
  const bool by_name = copse::is_hybrid(options.variant);
  if (choice.named && !by_name && options.variant != "auto")
    throw usage_error{fmt::format("--device hybrid: found variant {}, expected one of hybrid", options.variant)};
  if (by_name && !choice.named && options.gpu)
    throw usage_error{fmt::format("--device cuda: found variant {}, expected one of cuda", options.variant)};
  if (choice.named || by_name) {
    if (const auto why = refusal(variant_of(options), input_kind::csr)) throw usage_error{fmt::format("--variant {}", *why)};
    return true;
  }
  const char* alone = choice.share ? "--share" : choice.cross ? "--cross" : nullptr;
  if (alone != nullptr) throw usage_error{fmt::format("{}: found one device, expected --device hybrid", alone)};
  if (choice.gpu_memory_bytes && !options.gpu && !options.device_by_cost && !options.variant.starts_with("cuda."))
    throw usage_error{"--gpu-memory: found the CPU, expected --device cuda or hybrid"};
  return false;
}

void solve_hybrid(solution& solved, const input& graph, const solver_options& options, const resources& context) {
  if (graph.several()) throw usage_error{"--device: found several graphs, expected one: a GPU solves a graph that is held"};
  const hybrid_choice& choice = options.hybrid;
  const solve_options settings{.variant = variant_of(options),
                               .threads = context.threads,
                               .seed = options.seed,
                               .gpu = options.gpu.value_or(0),
                               .observer = graph.read_options().observer,
                               .memory = graph.read_options().memory};
  const hybrid_options parts{
      .share = choice.share, .cross = choice.cross, .gpu_memory_bytes = choice.gpu_memory_bytes.value_or(UINT64_MAX)};
  const stopwatch reading;
  solved.held = graph.read();
  solved.read_seconds = reading.seconds();
  const stopwatch building;
  if (!solved.held->has_rows()) {
    solved.held = build_csr(*solved.held, {.threads = context.threads, .observer = settings.observer, .memory = settings.memory});
    solved.build_seconds = building.seconds();
  }
  for (unsigned trial = 0; trial < options.trials; ++trial) {
    solved.result = {};
    solved.result = components(*solved.held, settings, parts);
    solved.solve_seconds.push_back(solved.result.report.solve_seconds);
    solved.copy_seconds += solved.result.report.copy_seconds;
  }
  solved.count_held(context.threads);
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
