// The command copse plan, which estimates the memory and time of each way to solve a graph.
#include <copse/errors.hpp>
#include <copse/plan.hpp>
#include <memory>
#include <optional>
#include <string>

#include "commands.hpp"
#include "input.hpp"
#include "json.hpp"
#include "output.hpp"
#include "plan_report.hpp"

namespace copse::cli {
namespace {

struct plan_command {
  input_options input;
  run_options run;
  std::optional<std::uint64_t> vertices, edges, network;
  std::optional<unsigned> workers;
  id_shape ids = id_shape::dense;
  bool as_json = false;
};

/// Throws usage_error for options that do not go together.
void require_sense(const plan_command& options) {
  if (options.network && !options.workers) throw usage_error{"--network needs --workers N"};
  const bool sized = options.vertices || options.edges;
  if (!options.input.graphs.empty()) {
    if (sized) throw usage_error{"--vertices and --edges cannot be used with a GRAPH, which says how large it is"};
  } else if (!options.vertices || !options.edges) {
    throw usage_error{"plan needs a GRAPH, or --vertices N and --edges M"};
  }
}

sized_source given_size(const plan_command& options) {
  graph_size size{.vertices = *options.vertices, .edges = *options.edges, .ids = options.ids, .slots = *options.vertices};
  if (size.ids == id_shape::sparse) size.slots = UINT64_MAX - 1;
  if (size.ids == id_shape::strings) size.string_bytes = 16 * size.vertices;
  return {.size = size, .origin = "as given"};
}

solve_plan plan_of(const plan_command& options, resources& context) {
  plan_options settings{.workers = options.workers};
  if (options.network) settings.network_bytes_per_second = *options.network;
  const execution on = context.on();
  if (options.input.graphs.empty()) return plan_components(given_size(options), settings, on);
  const input source{options.input, context};
  if (!source.generated()) return plan_components(source.paths(), source.read_options(), settings, on);
  return plan_components({.size = size_of_graph(source.read().view()), .origin = "generated", .streamed = false}, settings, on);
}

int run_plan(const plan_command& options) {
  require_sense(options);
  resources context{options.run};
  const solve_plan plan = plan_of(options, context);
  context.observer.clear();
  if (options.as_json) {
    print_json(plan_json(plan));
  } else {
    write_stdout(plan_text(plan));
  }
  return exit_code::done;
}

}  // namespace

void add_plan(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand(
      "plan", "Estimate bytes and seconds of each way to solve a graph, from rates measured now, and say which one auto takes");
  auto options = std::make_shared<plan_command>();
  add_graph(*command, options->input, true);
  command->get_option("GRAPH")->required(false);  // --vertices and --edges may take its place
  add_number(*command, "--vertices", options->vertices, 1, UINT64_MAX - 1, "Without a GRAPH: how many vertices it will have");
  add_number(*command, "--edges", options->edges, 1, UINT64_MAX, "Without a GRAPH: how many edges");
  add_choice<id_shape>(*command, "--shape", options->ids,
                       {{"dense", id_shape::dense}, {"sparse", id_shape::sparse}, {"strings", id_shape::strings}},
                       "Without a GRAPH: what its ids are like (default dense: 0 .. N-1)");
  add_number(*command, "--workers", options->workers, 1, 1000000,
             "Also as many processes, machines like this one, by copse reduce and merge");
  add_bytes(*command, "--network", options->network, "Bytes per second between workers (default 1250M: 10 Gbit/s)");
  command->add_flag("--json", options->as_json, "Print one JSON object");
  add_id_kinds(*command, options->input.read);
  add_edge_options(*command, options->input.read);
  add_run_options(*command, options->run);
  command->callback([&chosen, options] { chosen = [options] { return run_plan(*options); }; });
}

}  // namespace copse::cli
