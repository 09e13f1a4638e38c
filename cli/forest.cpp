// copse forest: a spanning forest of a graph, any, the lightest or the heaviest, as edges or as parents and depths.
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
#include "gpu_solution.hpp"
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

/// What was found, and where the time went.
struct forest_solution {
  graph held;                            // unless the edges passed by once, or a weighted forest is neither to be proved nor solved again
  weight_column graph_weights, weights;  // of the graph and of the forest, where a weighted one was asked for
  forest_result forest;
  std::optional<tour_result> toured;
  double read_seconds = 0, build_seconds = 0, write_seconds = 0, total_seconds = 0;
  std::vector<double> solve_seconds;  // one per trial
  edge_summary counted;
};

void require_forest_variant(const std::string& variant) {
  constexpr auto forest = problem_kind::forest;
  if (is_chooser(variant) || find_variant(variant, input_kind::csr, forest) != nullptr ||
      find_variant(variant, input_kind::coo, forest) != nullptr) {
    return;
  }
  // Why a variant of components makes no forest is explained for the input that it takes.
  const input_kind input = find_variant(variant, input_kind::coo) != nullptr && find_variant(variant, input_kind::csr) == nullptr
                               ? input_kind::coo
                               : input_kind::csr;
  throw usage_error{fmt::format("--variant {}: {} (copse variants --problem forest lists all)", variant,
                                refusal(variant, input, forest).value_or("unknown"))};
}

/// The graph is held, and solved once for each trial.
void solve_held(forest_solution& found, const solve_options& settings, const execution& on, unsigned trials) {
  double copy_seconds = 0;
  for (unsigned trial = 0; trial < trials; ++trial) {
    found.forest = {};
    found.forest = spanning_forest(found.held, settings, on);
    found.solve_seconds.push_back(found.forest.report.solve_seconds);
    copy_seconds += found.forest.report.copy_seconds;
  }
  found.forest.report.copy_seconds = copy_seconds;
  found.build_seconds += found.forest.report.build_seconds;
}

/// The edges pass by once, and those of the forest alone are held.
void solve_streamed(forest_solution& found, const input& graph, const solve_options& settings, const execution& on) {
  found.forest = spanning_forest(graph.paths(), graph.read_options(), settings, on);
  found.counted = {.edges = found.forest.report.edges, .arcs = found.forest.report.edges};
  found.read_seconds = found.forest.report.read_seconds;
  found.solve_seconds.push_back(found.forest.report.solve_seconds);
}

/// The graph is copied to the GPU once, whatever the number of trials; the last forest is copied back.
void solve_on_gpu(forest_solution& found, const solve_options& settings, const execution& on, unsigned trials) {
  const stopwatch waking;
  auto solver = std::make_unique<gpu_solver>(gpu_solver_options{.short_fetches = true}, on);
  double copy_seconds = waking.seconds();
  const stopwatch building;
  const auto replacement = rebuilt(found.held, settings.variant, on);
  if (replacement) found.build_seconds += building.seconds();
  const stopwatch copying;
  std::optional<gpu_solver::resident_graph> resident;
  try {
    resident = solver->copy_in(replacement ? replacement->view() : found.held.view(), settings.variant, problem_kind::forest);
  } catch (const resource_error&) {
    if (settings.variant != "auto") throw;
    solver.reset();
    return solve_held(found, settings, on, trials);  // it streams the edges through the GPU, and says why
  }
  copy_seconds += copying.seconds();
  std::optional<gpu_solver::resident_forest> forest;
  for (unsigned trial = 0; trial < trials; ++trial) {
    forest.reset();  // its room is the next one's
    forest = solver->spanning_forest(*resident, settings, on);
    found.solve_seconds.push_back(forest->report().solve_seconds);
  }
  const stopwatch back;
  found.forest = solver->copy_out(*forest, found.held.names(), on.memory);
  found.forest.report.copy_seconds = copy_seconds + back.seconds();
}

/// The total of the weights, as JSON and people want it.
double total(const weight_column& weights) {
  double sum = 0;
  for (std::uint64_t i = 0; i < weights.size(); ++i) sum += weights[i];
  return sum;
}

/// True if --variant or --device means a GPU, for a weighted forest. Throws usage_error where they do not fit together.
bool is_weighted_on_gpu(const solver_options& solver) {
  const std::string& variant = solver.solving.variant;
  if (solver.device == "cpu") return variant.starts_with("cuda.");
  if (variant == "auto" || variant.starts_with("cuda.")) return true;
  throw usage_error{fmt::format("--device: found a GPU for {}, expected a variant of cuda", variant)};
}

/// The forest alone is held, but for a proof, for trials, and for a GPU, which takes all edges at once.
forest_solution solve_weighted(const input& graph, const forest_command& options, resources& context) {
  forest_solution found;
  const stopwatch reading;
  const bool on_gpu = is_weighted_on_gpu(options.solver);
  const std::string asked_by = options.maximum ? "--maximum" : "--minimum";
  const weighted_forest_options settings{.variant = options.solver.solving.variant, .goal = options.goal()};
  const auto take = [&found](weighted_forest_result solved) {
    found.forest.edges = std::move(solved.edges);
    found.weights = std::move(solved.weights);
    found.forest.report = std::move(solved.report);
    const solve_report& report = found.forest.report;
    found.solve_seconds.push_back(report.solve_seconds);
    found.counted = {.edges = report.edges, .arcs = report.edges};
  };
  if (options.solver.verify || options.solver.trials > 1 || on_gpu) {
    auto [edges, weights] = graph.read_weighted(asked_by);
    found.held = std::move(edges);
    found.graph_weights = std::move(weights);
    found.read_seconds = reading.seconds();
    for (unsigned trial = 0; trial < options.solver.trials; ++trial) {
      found.forest = {};
      auto solved = weighted_forest(found.held.view(), found.graph_weights.view(), settings, options.solver.on(context));
      solved.edges = std::move(solved.edges).renamed(found.held.names());
      take(std::move(solved));
    }
  } else {
    take(graph.read_forest(asked_by, settings));
    found.read_seconds = reading.seconds() - found.forest.report.solve_seconds;
  }
  if (!options.labels.empty()) found.forest.labels = components(found.forest.edges, {}, context.on()).labels;
  return found;
}

/// True if the forest is found without holding the graph: it is not needed again, for a proof or for another trial, and its ids need not be
/// numbered for several GPUs.
bool is_streamed_once(const input& graph, const solver_options& solver, const execution& on) {
  if (graph.generated() || solver.verify || solver.trials > 1 || has_several_gpus(on.device)) return false;
  return is_streamed(graph.paths().front(), graph.read_options(), solver.solving, on);
}

forest_solution solve_unweighted(const input& graph, const forest_command& options, resources& context) {
  solve_options settings = options.solver.solving;
  settings.with_labels = !options.labels.empty();
  require_forest_variant(settings.variant);
  const bool on_gpu = is_on_gpu(options.solver);
  const execution on = options.solver.on(context);
  const bool several_gpus = has_several_gpus(on.device);
  if (several_gpus && settings.variant != "auto")
    throw usage_error{fmt::format("--variant: found {}, expected auto: edges for several GPUs are streamed in pieces", settings.variant)};
  forest_solution found;
  if (is_streamed_once(graph, options.solver, on)) {
    solve_streamed(found, graph, settings, on);
    return found;
  }
  const stopwatch reading;
  found.held = graph.read();
  found.read_seconds = reading.seconds();
  if (on_gpu && !several_gpus) {
    solve_on_gpu(found, settings, on, options.solver.trials);
  } else {
    if (!several_gpus && !found.held.has_rows() && !is_chooser(settings.variant) &&
        find_variant(settings.variant, input_kind::coo, problem_kind::forest) == nullptr) {
      const stopwatch building;
      found.held = build_csr(found.held, {}, on);
      found.build_seconds = building.seconds();
    }
    solve_held(found, settings, on, options.solver.trials);
  }
  found.counted = count_edges(found.held.view(), context.threads);
  return found;
}

/// One GPU ranks; of several the first.
std::string device_of_tour(const solver_options& solver) {
  if (!is_on_gpu(solver)) return "cpu";
  return solver.device == "cpu" ? "cuda:0" : solver.device.substr(0, solver.device.find(','));
}

forest_solution solve(const input& graph, const forest_command& options, resources& context) {
  auto found = options.weighted() ? solve_weighted(graph, options, context) : solve_unweighted(graph, options, context);
  if (options.tour) found.toured = euler_tour(found.forest.edges, "auto", context.on(device_of_tour(options.solver)));
  return found;
}

json as_json(const forest_command& options, const forest_solution& found, const resources& context) {
  const auto& report = found.forest.report;
  json object{{"vertices", found.forest.edges.vertices()},
              {"edges", found.counted.edges},
              {"arcs", found.counted.arcs},
              {"components", found.forest.count()},
              {"forest_edges", found.forest.edge_count()},
              {"variant", report.variant},
              {"device", report.device},
              {"threads", report.threads},
              {"seconds",
               {{"read", found.read_seconds},
                {"build", found.build_seconds},
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
      found.forest.edges.vertices(), found.counted.edges, found.forest.count(), found.forest.edge_count(), report.variant, report.threads,
      found.total_seconds, found.read_seconds, found.build_seconds, median(found.solve_seconds), found.write_seconds);
  if (options.weighted()) text += fmt::format("weight      {}\n", total(found.weights));
  if (options.solver.verify) text += "verified    yes\n";
  return text;
}

void require_sense(const forest_command& options) {
  if (options.output == "-" && options.as_json) throw usage_error{"--json: found -o -, expected only one of them on standard output"};
  if (options.minimum && options.maximum) throw usage_error{"--maximum: found --minimum as well, expected one of them"};
  if (options.weighted() && !options.output.empty()) io::expect_weighted_suffix(options.output, format_only(options.output_format));
  if (!options.weighted() && !options.output.empty()) io::expect_forest_suffix(options.output, format_only(options.output_format));
  if (options.output.empty() && !options.output_format.empty()) throw usage_error{"--output-format: found no -o, expected -o FILE or -o -"};
  if (!options.rooted.empty()) io::expect_rooted_suffix(options.rooted);
  if (options.tour && options.rooted.empty()) throw usage_error{"--tour: found no --rooted, expected --rooted FILE"};
  if (!options.labels.empty()) io::expect_labels_suffix(options.labels);
  for (const std::string& path : {options.rooted, options.labels}) {
    if (path == "-") throw usage_error{"found - beside -o, expected a file: standard output is for the edges"};
  }
  require_outputs({options.output, options.rooted, options.labels}, files_of(options.input));
}

verdict proof_of_edges(const forest_command& options, const forest_solution& found) {
  if (!options.weighted()) return verify_forest(found.held.view(), found.forest.edges);
  return verify_weighted_forest(found.held.view(), found.graph_weights.view(), found.forest.edges, found.weights.view(), options.goal());
}

std::string fault_of(const forest_command& options, const forest_solution& found) {
  if (const verdict edges = proof_of_edges(options, found); !edges) return edges.reason;
  if (found.toured) {
    if (const verdict tour = verify_tour(found.forest.edges, found.toured->tour); !tour) return tour.reason;
  }
  if (!found.forest.labels) return {};
  return verify(found.held.view(), *found.forest.labels).reason;
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
  if (options.solver.verify) {
    if (const std::string fault = fault_of(options, found); !fault.empty()) return context.refuse(graph.text(), "forest", fault);
  }
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
           "Write the edges of the forest here: .csv .tsv .el .txt .npy (ids as in the input), .mtx .coo .coo64 (vertices numbered)");
  add_output_format(*command, options->output_format, "csv|tsv|el|txt|npy|mtx|coo|coo64");
  command->add_flag("--minimum", options->minimum,
                    "The forest of the lightest edges; -o writes their weights, too (.csv .tsv .el .txt .npy .mtx)");
  command->add_flag("--maximum", options->maximum, "The forest of the heaviest edges: those that tell most, where weights are likeness");
  add_file(*command, "--rooted", options->rooted, "Write id, parent and depth of every vertex here: .csv .txt .npy (roots: smallest ids)");
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
