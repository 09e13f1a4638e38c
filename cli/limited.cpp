#include "limited.hpp"

#include <copse/hierarchy.hpp>
#include <copse/verify.hpp>

#include "degrees.hpp"
#include "output.hpp"
#include "table_file.hpp"

namespace copse::cli {
namespace {
constexpr std::string_view cuts_text = "edges that were cut";
}  // namespace

void limited_options::add_options(CLI::App& app) {
  add_number(app, "--max-size", most, 1, UINT64_MAX,
             "With --weight: components of at most N vertices; larger ones are split by whole levels of weight, the weakest first");
  add_file(app, "--cuts", cuts, "With --max-size: write the edges that were cut and their weights here: .csv .txt");
}

void limited_options::require_sense(const input_options& input, const solver_options& solver) const {
  if (!most) {
    if (!cuts.empty()) throw usage_error{"--cuts: found no --max-size, expected --max-size N, which cuts edges"};
    return;
  }
  if (!cuts.empty()) expect_table_suffix(cuts, cuts_text);
  if (input.graphs.size() > 1) throw usage_error{"--max-size: found several GRAPHs, expected one with weights"};
  if (solver.gpu || solver.hybrid.named) throw usage_error{"--device: found --max-size, expected the CPU for a weighted forest"};
  if (solver.trials > 1) throw usage_error{"--trials: found --max-size, expected only one of them"};
}

void limited_solution::write_cuts(const std::string& path) const {
  table_file file{path, cuts_text, {"u", "v", "weight"}};
  const vertex_names& names = forest.edges.names();
  for (const std::uint64_t i : cuts) {
    const auto [u, v] = edge_at(forest.edges, i);
    file.name(names, u).name(names, v).number(forest.weights[i]).end_line();
  }
  file.commit();
}

std::string limited_solution::fault() const {
  return verify_weighted_forest(held.edges.view(), held.weights.view(), forest.edges, forest.weights.view(), forest_goal::maximum).reason;
}

limited_solution solve_limited(const input& graph, const solver_options& options, std::uint64_t most, resources& context) {
  limited_solution found;
  const stopwatch reading;
  const weighted_forest_options settings{.variant = options.variant,
                                         .goal = forest_goal::maximum,
                                         .threads = context.threads,
                                         .observer = &context.observer,
                                         .memory = &context.memory};
  if (options.verify) {
    found.held = graph.read_weighted("--max-size");
    found.forest = weighted_forest(found.held, settings);
  } else {
    found.forest = graph.read_forest("--max-size", settings);
  }
  found.solved.read_seconds = reading.seconds() - found.forest.report.solve_seconds;
  const stopwatch cutting;
  auto limited = hierarchy{found.forest.edges, found.forest.weights.view(), &context.memory}.at_most(most);
  found.cuts = std::move(limited.cuts);
  found.solved.result.labels = std::move(limited.labels);
  auto& report = found.solved.result.report;
  report.variant = found.forest.report.variant;
  report.explanation = found.forest.report.explanation;
  report.threads = found.forest.report.threads;
  report.phases = found.forest.report.phases;
  report.solve_seconds = found.forest.report.solve_seconds + cutting.seconds();
  found.solved.solve_seconds = {report.solve_seconds};
  found.solved.edges = found.solved.arcs = found.forest.report.edges;
  return found;
}

}  // namespace copse::cli
