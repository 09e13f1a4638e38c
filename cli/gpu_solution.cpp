#include "gpu_solution.hpp"

#include <fmt/format.h>

#include <copse/build.hpp>
#include <copse/errors.hpp>
#include <copse/variants.hpp>
#include <utility>

#include "degrees.hpp"
#include "gpu_streaming.hpp"
#include "output.hpp"

namespace copse::cli {
namespace {

/// The variant of that name, over rows or over edge lists; null for a chooser.
const variant_info* info_of(const std::string& variant) {
  const variant_info* over_rows = find_variant(variant, input_kind::csr);
  return over_rows != nullptr ? over_rows : find_variant(variant, input_kind::coo);
}

/// Straight from the file or the spec, where that is possible, and what it holds is what the variant can work on.
bool read_to_gpu(solution& solved, const input& graph, const solver_options& options) {
  if (!graph.read_once().empty() || options.variant == "gconn_tree") return false;  // it may be read again below; the tree looks at rows
  const bool over_rows = is_chooser(options.variant) || find_variant(options.variant, input_kind::csr) != nullptr;
  if (graph.generated() ? !over_rows : !gpu_solver::reads(graph.paths().front(), graph.read_options())) return false;
  const stopwatch reading;
  auto& solver = solved.gpu->solver;
  auto read = graph.generated() ? solver.generate(graph.text(), options.variant)
                                : solver.read(graph.paths().front(), graph.read_options(), options.variant);
  solved.read_seconds = reading.seconds();
  if (const variant_info* info = info_of(options.variant); info != nullptr && info->both_directions && !read.both_directions) return false;
  solved.edges = read.edges;
  solved.arcs = read.arcs;
  solved.gpu->graph = std::move(read.graph);
  return true;
}

void copy_to_gpu(solution& solved, const input& graph, const solver_options& options, const solve_options& settings) {
  const stopwatch reading;
  solved.held = graph.read();
  solved.read_seconds += reading.seconds();
  solved.count_held(settings.threads);
  const stopwatch building;
  const auto replacement = rebuilt(*solved.held, options.variant, settings);
  if (replacement) solved.build_seconds = building.seconds();
  const stopwatch copying;
  solved.gpu->graph = solved.gpu->solver.copy_in(replacement ? replacement->view() : solved.held->view(), options.variant);
  solved.copy_seconds += copying.seconds();
}

}  // namespace

std::optional<unsigned> gpu_of(const solver_options& options) {
  const variant_info* info = info_of(options.variant);
  if (info == nullptr) return options.gpu;
  if (info->backend == "cuda") return options.gpu.value_or(0);
  if (options.gpu)
    throw usage_error{fmt::format("device: found variant {}, expected a variant of cuda: the others run on the CPU", options.variant)};
  return std::nullopt;
}

std::optional<graph> rebuilt(const graph& g, const std::string& variant, const solve_options& settings) {
  build_options building{.threads = settings.threads, .observer = settings.observer, .memory = settings.memory};
  if (!g.has_rows()) {
    if (is_chooser(variant) || find_variant(variant, input_kind::coo) != nullptr) return std::nullopt;
    return build_csr(g, building);
  }
  const variant_info* info = info_of(variant);
  if (info == nullptr || !info->both_directions || std::visit([](const auto& view) { return stores_both_directions(view); }, g.view()))
    return std::nullopt;
  building.drop_duplicates = building.drop_loops = false;
  return build_csr(g, building);
}

void solve_on_gpu(solution& solved, const input& graph, const solver_options& options, const solve_options& settings) {
  const bool may_pass = options.variant == "auto";
  if (may_pass) {
    if (const std::string why = too_large_for_gpu(graph, options); !why.empty())
      return solve_streaming(solved, graph, options, settings, why);
  }
  const stopwatch waking;
  solved.gpu = std::make_shared<gpu_session>(*settings.gpu, options.hybrid.gpu_memory_bytes.value_or(UINT64_MAX), settings.threads);
  solved.copy_seconds = waking.seconds();
  try {
    if (!read_to_gpu(solved, graph, options)) copy_to_gpu(solved, graph, options, settings);
  } catch (const resource_error& problem) {
    if (!may_pass) throw;
    solved.gpu.reset();
    return solve_streaming(solved, graph, options, settings, problem.what());
  }
  gpu_session& gpu = *solved.gpu;
  std::optional<gpu_solver::resident_labels> labels;
  for (unsigned trial = 0; trial < options.trials; ++trial) {
    labels.reset();  // their room is the next ones'
    labels = gpu.solver.solve(*gpu.graph, settings);
    solved.solve_seconds.push_back(labels->report().solve_seconds);
  }
  const stopwatch copying;
  auto names = solved.held ? solved.held->names() : vertex_names::identity(labels->on_device().size());
  solved.result.labels = gpu.solver.copy_out(*labels, std::move(names), settings.memory);
  solved.copy_seconds += copying.seconds();
  solved.result.report = labels->report();
  solved.result.report.copy_seconds = solved.copy_seconds;
}

std::string fault_on_gpu(const solution& solved) { return solved.gpu->solver.verify(*solved.gpu->graph, solved.labels()).reason; }

}  // namespace copse::cli
