// The command copse forest, which writes a spanning forest of a graph (any, the lightest or the heaviest) as edges, or as parents and
// depths.
#include <fmt/format.h>

#include <copse/build.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <copse/rooted_forest.hpp>
#include <copse/spanning_forest.hpp>
#include <copse/variants.hpp>
#include <copse/verify.hpp>
#include <copse/weighted_forest.hpp>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "degrees.hpp"
#include "io/written_suffix.hpp"
#include "json.hpp"
#include "output.hpp"
#include "solution.hpp"

namespace copse::cli {
namespace {

struct forest_command {
  input_options input;
  run_options run;
  solver_options solver;
  std::string output, output_format, rooted, labels;
  bool minimum = false, maximum = false;
  bool tour = false;
  bool as_json = false;
  bool explain = false;

  [[nodiscard]] bool weighted() const noexcept { return minimum || maximum; }
  [[nodiscard]] forest_goal goal() const noexcept { return maximum ? forest_goal::maximum : forest_goal::minimum; }
};

/// A forest, its weights and Euler tour if these were asked for, and the times.
struct forest_solution {
  forest_result forest;
  weight_column weights;  // if a weighted forest was asked for
  std::optional<tour_result> toured;
  std::string fault;  // what the proof found to be wrong; empty if nothing is, or if no proof was asked for
  double write_seconds = 0, total_seconds = 0;
  std::vector<double> solve_seconds;  // one per trial
  prepared_graph::size size;
};

/// The sum of the weights, as a double.
double total(const weight_column& weights) {
  double sum = 0;
  for (std::uint64_t i = 0; i < weights.size(); ++i) sum += weights[i];
  return sum;
}

/// True if --variant or --device selects a GPU for a weighted forest. Throws usage_error if they contradict each other.
bool is_weighted_on_gpu(const solver_options& solver) {
  const std::string& variant = solver.solving.variant;
  if (solver.device == "cpu") return variant.starts_with("cuda.");
  if (variant == "auto" || variant.starts_with("cuda.")) return true;
  throw usage_error{fmt::format("--variant {} runs on the CPU: leave out --device, or choose a variant of cuda", variant)};
}

/// Returns what is wrong with the forest: the reason of `of_edges`, the proof of its edges, or of the proof of its labels, if there are
/// any. Empty if both are right.
std::string fault_of(graph_view g, const forest_result& forest, const verdict& of_edges) {
  if (!of_edges || !forest.labels) return of_edges.reason;
  return verify(g, *forest.labels).reason;
}

/// Finds a weighted forest. The graph is held in memory for a proof, for several trials, and for a GPU; otherwise only the forest is.
forest_solution solve_weighted(const input& graph, const forest_command& options, resources& context) {
  options.solver.require_sense();
  forest_solution found;
  const stopwatch reading;
  const bool on_gpu = is_weighted_on_gpu(options.solver);
  const std::string asked_by = options.maximum ? "--maximum" : "--minimum";
  const weighted_forest_options settings{.variant = options.solver.solving.variant, .goal = options.goal()};
  const auto take = [&](weighted_forest_result solved, double read_seconds) {
    found.forest.edges = std::move(solved.edges);
    found.weights = std::move(solved.weights);
    found.forest.report = std::move(solved.report);
    found.forest.report.read_seconds = read_seconds;
    found.solve_seconds.push_back(found.forest.report.solve_seconds);
  };
  std::optional<weighted_graph> held;
  if (options.solver.verify || options.solver.trials > 1 || on_gpu) {
    held = graph.read_weighted(asked_by);
    const double read_seconds = reading.seconds();
    for (unsigned trial = 0; trial < options.solver.trials; ++trial) {
      found.forest = {};
      auto solved = weighted_forest(held->edges.view(), held->weights.view(), settings, options.solver.on(context));
      solved.edges = std::move(solved.edges).renamed(held->edges.names());
      take(std::move(solved), read_seconds);
    }
  } else {
    auto solved = graph.read_forest(asked_by, settings);
    const double read_seconds = reading.seconds() - solved.report.solve_seconds;
    take(std::move(solved), read_seconds);
  }
  found.size = {found.forest.report.edges, found.forest.report.edges};
  if (!options.labels.empty()) found.forest.labels = components(found.forest.edges, {}, context.on()).labels;
  if (options.solver.verify) {
    found.fault = fault_of(
        held->edges.view(), found.forest,
        verify_weighted_forest(held->edges.view(), held->weights.view(), found.forest.edges, found.weights.view(), options.goal()));
  }
  return found;
}

/// Finds a spanning forest. The graph is held in memory only for a proof and for several trials.
forest_solution solve_unweighted(const input& graph, const forest_command& options, resources& context) {
  solver_options solver = options.solver;
  solver.solving.problem = problem_kind::forest;
  solver.solving.with_labels = !options.labels.empty();
  solver.solving.hold = solver.verify || solver.trials > 1;
  prepared_graph ready = prepare(graph, solver, context);
  forest_solution found;
  for (unsigned trial = 0; trial < solver.trials; ++trial) {
    found.forest = {};
    found.forest = ready.spanning_forest();
    found.solve_seconds.push_back(found.forest.report.solve_seconds);
  }
  found.size = ready.edge_count();
  if (solver.verify) {
    const graph_view held = ready.held()->view();
    found.fault = fault_of(held, found.forest, verify_forest(held, found.forest.edges));
  }
  return found;
}

/// The device that makes the Euler tour; the first GPU if --device names several.
std::string device_of_tour(const solver_options& solver) {
  if (!solver.on_gpu()) return "cpu";
  const named_devices named = devices_of({.device = solver.device});
  return fmt::format("cuda:{}", named.gpus.empty() ? 0 : named.gpus.front());
}

forest_solution solve(const input& graph, const forest_command& options, resources& context) {
  auto found = options.weighted() ? solve_weighted(graph, options, context) : solve_unweighted(graph, options, context);
  if (!options.tour) return found;
  found.toured = euler_tour(found.forest.edges, "auto", context.on(device_of_tour(options.solver)));
  if (options.solver.verify && found.fault.empty()) found.fault = verify_tour(found.forest.edges, found.toured->tour).reason;
  return found;
}

json as_json(const forest_command& options, const forest_solution& found, const resources& context) {
  const auto& report = found.forest.report;
  json object{{"vertices", found.forest.edges.vertices()},
              {"edges", found.size.edges},
              {"arcs", found.size.arcs},
              {"components", found.forest.count()},
              {"forest_edges", found.forest.edge_count()},
              {"variant", report.variant},
              {"device", report.device},
              {"threads", report.threads},
              {"seconds",
               {{"read", report.read_seconds},
                {"build", report.build_seconds},
                {"solve", median(found.solve_seconds)},
                {"write", found.write_seconds},
                {"total", found.total_seconds}}},
              {"solve_seconds_all", found.solve_seconds},
              {"phases", phases_json(report.phases)},
              {"peak_bytes", context.memory.peak_bytes()},
              {"verified", options.solver.verify}};
  if (report.device != "cpu") object["seconds"]["copy"] = report.copy_seconds;
  if (options.weighted()) {
    object["goal"] = options.maximum ? "maximum" : "minimum";
    object["weight"] = total(found.weights);
  }
  if (found.toured) object["seconds"]["tour"] = found.toured->report.solve_seconds;
  return object;
}

std::string as_text(const forest_command& options, const forest_solution& found) {
  const auto& report = found.forest.report;
  std::string text = fmt::format(
      "vertices    {}\nedges       {}\ncomponents  {}\nforest      {} edges\nvariant     {}\nthreads     {}\n"
      "seconds     {:.3f} (read {:.3f}, build {:.3f}, solve {:.3f}, write {:.3f})\n",
      found.forest.edges.vertices(), found.size.edges, found.forest.count(), found.forest.edge_count(), report.variant, report.threads,
      found.total_seconds, report.read_seconds, report.build_seconds, median(found.solve_seconds), found.write_seconds);
  if (options.weighted()) text += fmt::format("weight      {}\n", total(found.weights));
  if (options.solver.verify) text += "verified    yes\n";
  return text;
}

void require_sense(const forest_command& options) {
  if (options.as_json) require_free_stdout({options.output});
  if (options.minimum && options.maximum) throw usage_error{"--maximum cannot be used with --minimum"};
  if (options.weighted() && !options.output.empty()) io::expect_weighted_suffix(options.output, format_only(options.output_format));
  if (!options.weighted() && !options.output.empty()) io::expect_forest_suffix(options.output, format_only(options.output_format));
  if (options.output.empty() && !options.output_format.empty()) throw usage_error{"--output-format needs -o FILE or -o -"};
  if (!options.rooted.empty()) io::expect_rooted_suffix(options.rooted);
  if (options.tour && options.rooted.empty()) throw usage_error{"--tour needs --rooted FILE"};
  if (!options.labels.empty()) io::expect_labels_suffix(options.labels);
  for (const std::string& path : {options.rooted, options.labels}) {
    if (path == "-") throw usage_error{"only the edges (-o) can go to standard output; give a file for the other outputs"};
  }
  require_outputs({options.output, options.rooted, options.labels}, files_of(options.input));
}

void write_files(const forest_command& options, const forest_solution& found, resources& context) {
  if (!options.output.empty() && options.weighted()) {
    io::write_weighted_edges(found.forest.edges, found.weights.view(), options.output, format_only(options.output_format), context.on());
  } else if (!options.output.empty()) {
    io::write_forest(found.forest.edges, options.output, format_only(options.output_format), context.on());
  }
  if (!options.output.empty()) context.note_new_ids(found.forest.edges.names(), options.output, options.output_format);
  if (found.toured) {
    io::write_tour(found.toured->tour, options.rooted, {}, context.on());
  } else if (!options.rooted.empty()) {
    io::write_rooted(root_forest(found.forest.edges, context.on()), options.rooted, {}, context.on());
  }
  if (!options.labels.empty()) io::write_labels(*found.forest.labels, options.labels, {}, context.on());
}

int run_forest(const forest_command& options) {
  const stopwatch total;
  require_sense(options);
  resources context{options.run};
  const input graph{options.input, context, options.weighted()};
  forest_solution found = solve(graph, options, context);
  if (options.explain) context.explain(found.forest.report.explanation);
  if (!found.fault.empty()) return context.refuse(graph.text(), "forest", found.fault);
  const stopwatch writing;
  write_files(options, found, context);
  found.write_seconds = writing.seconds();
  found.total_seconds = total.seconds();
  context.observer.clear();
  if (options.as_json) {
    print_json(as_json(options, found, context));
  } else {
    write_report(as_text(options, found), {options.output});
  }
  return exit_code::done;
}

}  // namespace

void add_forest(CLI::App& app, action& chosen) {
  auto [command, options] = add_command<forest_command>(app, chosen, "forest",
                                                        "Find a spanning forest of a graph: edges of it, one tree a component", run_forest);
  add_graph(*command, options->input, false);
  add_file(*command, "-o,--output", options->output,
           "Write the edges of the forest here: .csv .tsv .el .txt .parquet .arrow .npy (ids as in the input), .mtx .coo .coo64 (vertices "
           "numbered)");
  add_output_format(*command, options->output_format, "csv|tsv|el|txt|parquet|arrow|npy|mtx|coo|coo64");
  command->add_flag("--minimum", options->minimum,
                    "The forest of the lightest edges; -o writes their weights, too (.csv .tsv .el .txt .parquet .arrow .npy .mtx)");
  command->add_flag("--maximum", options->maximum, "The forest of the heaviest edges: those that tell most, where weights are likeness");
  add_file(*command, "--rooted", options->rooted,
           "Write id, parent and depth of every vertex here: .csv .txt .parquet .arrow .npy (roots: smallest ids)");
  command->add_flag("--tour", options->tour, "With --rooted: the size of every vertex's subtree and its place in preorder, too");
  add_file(*command, "--labels", options->labels, "Write the label of every vertex here, as copse components does");
  command->add_flag("--verify", options->solver.verify, "Prove the forest before it is written; exit code 1 when it is wrong");
  add_number(*command, "--trials", options->solver.trials, 1, 1000000, "Solve N times; the time reported is the median (default 1)");
  command->add_flag("--json", options->as_json, "Print one JSON object");
  command->add_flag("--explain", options->explain, "Say on stderr what auto saw, what it chose and why");
  add_input_options(*command, options->input);
  add_solver_options(*command, options->solver, devices::several);
  add_sampler_numbers(*command, options->solver.solving);
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
