// The command copse components, which finds the component of each vertex.
#include <fmt/format.h>

#include <copse/errors.hpp>
#include <copse/hierarchy.hpp>
#include <copse/io.hpp>
#include <copse/verify.hpp>
#include <copse/weighted_forest.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "degrees.hpp"
#include "hybrid.hpp"
#include "io/table_writer.hpp"
#include "json.hpp"
#include "label_output.hpp"
#include "output.hpp"
#include "solution.hpp"

namespace copse::cli {
namespace {

// The option --max-size: components are split at their weakest edges until none has more vertices, and --cuts lists these edges.

struct limited_options {
  std::optional<std::uint64_t> most;  ///< the value of --max-size
  std::string cuts;                   ///< the file that --cuts names; empty for none

  void add_options(CLI::App& app);
  /// Throws usage_error for options that cannot be combined with --max-size.
  void require_sense(const input_options& input, const solver_options& solver) const;
};

struct limited_solution {
  solution solved;      ///< the labels, the seconds of reading and solving, and what --verify found to be wrong with the forest
  weighted_graph held;  ///< the graph with its weights; empty unless the forest is to be proved
  weighted_forest_result forest;
  std::vector<std::uint64_t> cuts;  ///< indices of the cut edges in the forest, the heaviest first

  void write_cuts(const std::string& path) const;
};

constexpr std::string_view cuts_text = "edges that were cut";

void limited_options::add_options(CLI::App& app) {
  add_number(app, "--max-size", most, 1, UINT64_MAX,
             "With --weight: components of at most N vertices; larger ones are split by whole levels of weight, the weakest first");
  add_file(app, "--cuts", cuts, "With --max-size: write the edges that were cut and their weights here: .csv .txt .parquet .arrow");
}

void limited_options::require_sense(const input_options& input, const solver_options& solver) const {
  solver.require_sense();
  if (!most) {
    if (!cuts.empty()) throw usage_error{"--cuts needs --max-size N, which cuts edges"};
    return;
  }
  if (!cuts.empty()) expect_table_suffix(cuts, cuts_text);
  if (input.graphs.size() > 1) throw usage_error{"--max-size takes one GRAPH, with weights"};
  if (solver.device != "cpu" && solver.device != "auto") throw usage_error{"--max-size needs the CPU: leave out --device"};
  if (solver.trials > 1) throw usage_error{"--trials cannot be used with --max-size"};
}

void limited_solution::write_cuts(const std::string& path) const {
  using kind = io::column_kind;
  const vertex_names& names = forest.edges.names();
  io::table_writer file{path, table_format(path), {{"u", kind::ids, &names}, {"v", kind::ids, &names}, {"weight", kind::reals}}};
  for (const std::uint64_t i : cuts) {
    const auto [u, v] = edge_at(forest.edges, i);
    file.name(names, u);
    file.name(names, v);
    file.real(forest.weights[i]);
    file.end_row();
  }
  file.commit();
}

/// Splits components at their weakest edges until none has more than `most` vertices. With --verify, keeps the graph in
/// limited_solution::held, and proves the forest.
limited_solution solve_limited(const input& graph, const solver_options& options, std::uint64_t most, resources& context) {
  limited_solution found;
  const stopwatch reading;
  const weighted_forest_options settings{.variant = options.solving.variant, .goal = forest_goal::maximum};
  if (options.verify) {
    found.held = graph.read_weighted("--max-size");
    found.forest = weighted_forest(found.held, settings, context.on());
  } else {
    found.forest = graph.read_forest("--max-size", settings);
  }
  const double read_seconds = reading.seconds() - found.forest.report.solve_seconds;
  const stopwatch cutting;
  auto limited = hierarchy{found.forest.edges, found.forest.weights.view(), &context.memory}.at_most(most);
  found.cuts = std::move(limited.cuts);
  found.solved.result.labels = std::move(limited.labels);
  auto& report = found.solved.result.report;
  report.variant = found.forest.report.variant;
  report.explanation = found.forest.report.explanation;
  report.threads = found.forest.report.threads;
  report.phases = found.forest.report.phases;
  report.read_seconds = read_seconds;
  report.solve_seconds = found.forest.report.solve_seconds + cutting.seconds();
  found.solved.solve_seconds = {report.solve_seconds};
  found.solved.size = {found.forest.report.edges, found.forest.report.edges};
  if (options.verify)
    found.solved.fault = verify_weighted_forest(found.held.edges.view(), found.held.weights.view(), found.forest.edges,
                                                found.forest.weights.view(), forest_goal::maximum)
                             .reason;
  return found;
}

struct components_command {
  input_options input;
  run_options run;
  solver_options solver;
  limited_options limited;
  label_output labels;
  bool explain = false;
};

struct timing {
  double write_seconds = 0;
  double total_seconds = 0;
};

bool on_gpus(const solution& solved) { return solved.result.report.device.starts_with("cuda"); }

json as_json(const components_command& options, const solution& solved, const label_answer& answer, const std::string& positions_sum,
             const resources& context, timing spent) {
  const component_summary& summary = answer.summary();
  const auto& report = solved.result.report;
  json object{{"command", command_text()},
              {"vertices", summary.vertices},
              {"edges", solved.size.edges},
              {"arcs", solved.size.arcs},
              {"components", summary.components},
              {"largest", answer.largest_json()},
              {"isolated", summary.isolated},
              {"variant", report.variant},
              {"device", report.device},
              {"threads", report.threads},
              {"seconds",
               {{"read", report.read_seconds},
                {"build", report.build_seconds},
                {"solve", solved.median_solve_seconds()},
                {"write", spent.write_seconds},
                {"total", spent.total_seconds}}},
              {"solve_seconds_all", solved.solve_seconds},
              {"phases", phases_json(report.phases)},
              {"peak_bytes", context.memory.peak_bytes()},
              {"verified", options.solver.verify},
              {"checksum", answer.checksum()},
              {"positions_checksum", positions_sum},
              {"histogram", answer.histogram_json()}};
  if (report.hybrid) object["hybrid"] = hybrid_json(*report.hybrid);
  if (report.hybrid || on_gpus(solved)) object["seconds"]["copy"] = report.copy_seconds;
  if (report.launches != 0) object["launches"] = report.launches;
  answer.add_top(object);
  return object;
}

std::string as_text(const components_command& options, const solution& solved, const label_answer& answer, timing spent,
                    const input& graph) {
  const component_summary& summary = answer.summary();
  const auto& report = solved.result.report;
  const std::string copying = on_gpus(solved) ? fmt::format(", copy {:.3f}", report.copy_seconds) : "";
  std::string text = fmt::format(
      "vertices    {}\nedges       {}\ncomponents  {}\nlargest     {}\nisolated    {}\nvariant     {}\nthreads     {}\n"
      "seconds     {:.3f} (read {:.3f}, build {:.3f}{}, solve {:.3f}, write {:.3f})\n",
      summary.vertices, solved.size.edges, summary.components, answer.largest_text(), summary.isolated, report.variant, report.threads,
      spent.total_seconds, report.read_seconds, report.build_seconds, copying, solved.median_solve_seconds(), spent.write_seconds);
  text += graph.left_out_text();
  if (report.hybrid) text += hybrid_text(*report.hybrid);
  if (options.solver.verify) text += "verified    yes\n";
  return text + answer.top_text();
}

/// Throws usage_error for an input that --append cannot copy: it takes one file of edges in text.
void require_records(const input& graph) {
  const std::string once = graph.read_once();
  const char* const found = graph.generated()                   ? "a generated graph"
                            : graph.several()                   ? "several GRAPHs"
                            : !io::is_edge_list(graph.format()) ? "a file of another format"
                            : !once.empty()                     ? "an input that can be read only once"
                                                                : nullptr;
  if (found != nullptr) throw usage_error{fmt::format("--append takes one file of edges in text, not {}", found)};
}

int run_components(const components_command& options) {
  const stopwatch total;
  options.limited.require_sense(options.input, options.solver);
  options.labels.require_sense(files_of(options.input), {options.limited.cuts});
  resources context{options.run};
  const input graph{options.input, context, options.limited.most.has_value()};
  if (!options.labels.append.empty()) require_records(graph);
  solver_options solver = options.solver;
  solver.solving.explain = options.explain;
  std::optional<limited_solution> limited;
  if (options.limited.most) limited = solve_limited(graph, options.solver, *options.limited.most, context);
  const solution solved =
      limited ? std::move(limited->solved) : in_step(graph.text(), "solving", [&] { return solve(graph, solver, context); });
  if (options.explain) context.explain(solved.result.report.explanation);
  if (!solved.fault.empty()) return context.refuse(graph.text(), "labels", solved.fault);
  const label_answer answer{solved.labels(), options.labels, context};
  std::string positions_sum;
  if (options.labels.as_json) positions_sum = fmt::format("{:016x}", positions_checksum(solved.labels(), context.on()));
  timing spent;
  const stopwatch writing;
  answer.write(
      [&] { io::append_components(graph.paths().front(), graph.read_options(), answer.shown(), options.labels.append, {}, context.on()); });
  if (limited && !options.limited.cuts.empty()) limited->write_cuts(options.limited.cuts);
  spent.write_seconds = writing.seconds();
  spent.total_seconds = total.seconds();
  context.observer.clear();
  if (options.labels.as_json) {
    json object = as_json(options, solved, answer, positions_sum, context, spent);
    object["comment_lines"] = graph.counts().comment_lines.load();
    object["missing_ends"] = graph.counts().missing_ends.load();
    object["missing_weights"] = graph.counts().missing_weights.load();
    object["below_min_weight"] = graph.counts().below_min_weight.load();
    if (limited) {
      object["max_size"] = *options.limited.most;
      object["cuts"] = limited->cuts.size();
    }
    print_json(object);
  } else {
    std::string text = as_text(options, solved, answer, spent, graph);
    if (limited) text += fmt::format("cuts        {}\n", limited->cuts.size());
    std::vector<std::string> outputs = options.labels.files();
    outputs.push_back(options.limited.cuts);
    write_report(text, outputs);
  }
  return exit_code::done;
}

}  // namespace

void add_components(CLI::App& app, action& chosen) {
  auto [command, options] =
      add_command<components_command>(app, chosen, "components", "Find the connected components of a graph", run_components);
  add_graph(*command, options->input, true);
  options->labels.add_options(*command, {"vertex", "component", "components"},
                              "Copy the records of an edge list here, as they stand, each with the component of its first id behind");
  options->limited.add_options(*command);
  command->add_flag("--verify", options->solver.verify,
                    "Prove the labels (with --max-size the forest) before they are written; exit code 1 when they are wrong");
  add_number(*command, "--trials", options->solver.trials, 1, 1000000, "Solve N times; the time reported is the median (default 1)");
  command->add_flag("--explain", options->explain, "Say on stderr what auto saw, what it chose and why");
  add_input_options(*command, options->input);
  add_solver_options(*command, options->solver, devices::any);
  add_sampler_numbers(*command, options->solver.solving);
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
