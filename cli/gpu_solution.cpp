#include "gpu_solution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <api/through_gpus.hpp>
#include <copse/build.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/hybrid.hpp>
#include <copse/variants.hpp>
#include <utility>

#include "degrees.hpp"
#include "output.hpp"
#include "plan/room.hpp"

namespace copse::cli {
namespace {

/// For auto on one GPU and a list in a file that is surely too large for the memory of the GPU, or for what --gpu-memory leaves of it: what
/// was found and expected. Empty otherwise, also if only reading the file would tell.
std::string too_large_for_gpu(const input& graph, const solver_options& options, resources& context) {
  constexpr std::uint64_t any_gpu_has = std::uint64_t{1} << 30;  // asking for the free memory initialises CUDA on all GPUs
  if (graph.generated()) return {};
  const auto list_above = [&](std::uint64_t bytes) {
    return plan::bytes_of_list_above(graph.paths(), graph.read_options(), bytes, context.on());
  };
  if (!options.gpu_memory_bytes && !list_above(any_gpu_has)) return {};
  const auto all = gpus();
  const auto gpu =
      std::find_if(all.begin(), all.end(), [&](const gpu_facts& each) { return fmt::format("cuda:{}", each.index) == options.device; });
  if (gpu == all.end()) return {};
  const std::uint64_t room = std::min(gpu->free_bytes, options.gpu_memory_bytes.value_or(UINT64_MAX));
  const auto bytes = list_above(room);
  if (!bytes) return {};
  return fmt::format("{}: found {} free, expected {} and more for a list of edges", options.device, bytes_text(room), bytes_text(*bytes));
}

}  // namespace

void solve_streaming(solution& solved, const input& graph, const solver_options& options, resources& context, const std::string& why) {
  const execution on = options.on(context);
  if (!solved.held && (graph.generated() || !graph.read_once().empty())) {
    const stopwatch reading;
    solved.held = graph.read();
    solved.read_seconds = reading.seconds();
  }
  solved.copy_seconds = 0;
  for (unsigned trial = 0; trial < options.trials; ++trial) {
    solved.result = {};
    if (solved.held) {
      solved.result = api::components_through_gpus(solved.held->view(), solved.held->names(), {{}, on});
    } else {
      auto found =
          api::components_of_files_through_gpus(graph.paths(), trial == 0 ? graph.read_options() : graph.uncounted_options(), {{}, on});
      solved.edges = found.report.edges;
      solved.arcs = found.arcs;
      solved.result = std::move(found);
    }
    const solve_report& report = solved.result.report;
    solved.solve_seconds.push_back(report.solve_seconds);
    solved.copy_seconds += report.copy_seconds;
    solved.read_seconds += report.read_seconds;
  }
  if (solved.held) solved.count_held(on.threads);
  solve_report& report = solved.result.report;
  report.explanation = api::streaming_explanation(why, std::ranges::count(report.device, ',') + 1, api::united_as_they_come);
}

namespace {

/// The variant of that name, over rows or over edge lists; null for a chooser.
const variant_info* info_of(const std::string& variant) {
  const variant_info* over_rows = find_variant(variant, input_kind::csr);
  return over_rows != nullptr ? over_rows : find_variant(variant, input_kind::coo);
}

/// Straight from the file or the spec, where that is possible, and what it holds is what the variant can work on.
bool read_to_gpu(solution& solved, const input& graph, const std::string& variant, const execution& on) {
  if (!graph.read_once().empty() || variant == "gconn_tree") return false;  // it may be read again below; the tree looks at rows
  const bool over_rows = is_chooser(variant) || find_variant(variant, input_kind::csr) != nullptr;
  if (graph.generated() ? !over_rows : !gpu_solver::reads(graph.paths().front(), graph.read_options())) return false;
  const stopwatch reading;
  auto& solver = solved.gpu->solver;
  auto read = graph.generated() ? solver.generate(graph.text(), variant)
                                : solver.read(graph.paths().front(), graph.read_options(), variant, problem_kind::components, on);
  solved.read_seconds = reading.seconds();
  if (const variant_info* info = info_of(variant); info != nullptr && info->both_directions && !read.both_directions) return false;
  solved.edges = read.edges;
  solved.arcs = read.arcs;
  solved.gpu->graph = std::move(read.graph);
  return true;
}

void copy_to_gpu(solution& solved, const input& graph, const std::string& variant, const execution& on) {
  const stopwatch reading;
  solved.held = graph.read();
  solved.read_seconds += reading.seconds();
  solved.count_held(on.threads);
  const stopwatch building;
  const auto replacement = rebuilt(*solved.held, variant, on);
  if (replacement) solved.build_seconds = building.seconds();
  const stopwatch copying;
  solved.gpu->graph = solved.gpu->solver.copy_in(replacement ? replacement->view() : solved.held->view(), variant);
  solved.copy_seconds += copying.seconds();
}

}  // namespace

bool is_on_gpu(const solver_options& options) {
  const std::string& variant = options.solving.variant;
  const variant_info* info = info_of(variant);
  const bool named = options.device != "cpu";
  if (named && info != nullptr && info->backend != "cuda")
    throw usage_error{fmt::format("device: found variant {}, expected a variant of cuda: the others run on the CPU", variant)};
  return named || (info != nullptr && info->backend == "cuda");
}

std::optional<graph> rebuilt(const graph& g, const std::string& variant, const execution& on) {
  if (!g.has_rows()) {
    if (is_chooser(variant) || find_variant(variant, input_kind::coo) != nullptr) return std::nullopt;
    return build_csr(g, {}, on);
  }
  const variant_info* info = info_of(variant);
  if (info == nullptr || !info->both_directions || std::visit([](const auto& view) { return stores_both_directions(view); }, g.view()))
    return std::nullopt;
  return build_csr(g, {.drop_duplicates = false, .drop_loops = false}, on);
}

void solve_on_gpu(solution& solved, const input& graph, const solver_options& options, resources& context) {
  const std::string& variant = options.solving.variant;
  const bool may_pass = variant == "auto";
  if (may_pass) {
    if (const std::string why = too_large_for_gpu(graph, options, context); !why.empty())
      return solve_streaming(solved, graph, options, context, why);
  }
  const execution on = options.on(context);
  const stopwatch waking;
  solved.gpu = std::make_shared<gpu_session>(on);
  solved.copy_seconds = waking.seconds();
  try {
    if (!read_to_gpu(solved, graph, variant, on)) copy_to_gpu(solved, graph, variant, on);
  } catch (const resource_error& problem) {
    if (!may_pass) throw;
    solved.gpu.reset();
    return solve_streaming(solved, graph, options, context, problem.what());
  }
  gpu_session& gpu = *solved.gpu;
  std::optional<gpu_solver::resident_labels> labels;
  for (unsigned trial = 0; trial < options.trials; ++trial) {
    labels.reset();  // their room is the next ones'
    labels = gpu.solver.solve(*gpu.graph, options.solving, on);
    solved.solve_seconds.push_back(labels->report().solve_seconds);
  }
  const stopwatch copying;
  auto names = solved.held ? solved.held->names() : vertex_names::identity(labels->on_device().size());
  solved.result.labels = gpu.solver.copy_out(*labels, std::move(names), on.memory);
  solved.copy_seconds += copying.seconds();
  solved.result.report = labels->report();
  solved.result.report.copy_seconds = solved.copy_seconds;
}

std::string fault_on_gpu(const solution& solved) { return solved.gpu->solver.verify(*solved.gpu->graph, solved.labels()).reason; }

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

std::string variant_of(const solver_options& options) {
  return options.solving.variant == "auto" ? "hybrid.auto" : options.solving.variant;
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

bool is_hybrid(const solver_options& options) {
  const std::string& variant = options.solving.variant;
  const hybrid_options& choice = options.solving.hybrid;
  const bool named = options.device.starts_with("hybrid"), by_name = copse::is_hybrid(variant);
  if (named && !by_name && variant != "auto")
    throw usage_error{fmt::format("--device hybrid: found variant {}, expected one of hybrid", variant)};
  if (by_name && options.device.starts_with("cuda"))
    throw usage_error{fmt::format("--device cuda: found variant {}, expected one of cuda", variant)};
  if (named || by_name) {
    if (const auto why = refusal(variant_of(options), input_kind::csr)) throw usage_error{fmt::format("--variant {}", *why)};
    return true;
  }
  const char* alone = choice.share ? "--share" : choice.cross ? "--cross" : nullptr;
  if (alone != nullptr) throw usage_error{fmt::format("{}: found one device, expected --device hybrid", alone)};
  if (options.gpu_memory_bytes && options.device == "cpu" && !variant.starts_with("cuda."))
    throw usage_error{"--gpu-memory: found the CPU, expected --device cuda or hybrid"};
  return false;
}

void solve_hybrid(solution& solved, const input& graph, const solver_options& options, resources& context) {
  if (graph.several()) throw usage_error{"--device: found several graphs, expected one: a GPU solves a graph that is held"};
  const solve_options settings{.variant = variant_of(options), .seed = options.solving.seed, .hybrid = options.solving.hybrid};
  const execution on = options.on(context);
  const stopwatch reading;
  solved.held = graph.read();
  solved.read_seconds = reading.seconds();
  const stopwatch building;
  if (!solved.held->has_rows()) {
    solved.held = build_csr(*solved.held, {}, on);
    solved.build_seconds = building.seconds();
  }
  for (unsigned trial = 0; trial < options.trials; ++trial) {
    solved.result = {};
    solved.result = components(*solved.held, settings, on);
    solved.solve_seconds.push_back(solved.result.report.solve_seconds);
    solved.copy_seconds += solved.result.report.copy_seconds;
  }
  solved.count_held(on.threads);
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
