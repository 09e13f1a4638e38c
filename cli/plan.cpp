// copse plan: what a graph would cost, before anything is run.
#include <algorithm>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <memory>
#include <optional>
#include <string>

#include "commands.hpp"
#include "estimate.hpp"
#include "input.hpp"
#include "json.hpp"
#include "output.hpp"
#include "plan_report.hpp"
#include "probes.hpp"

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

constexpr std::uint64_t usual_network = 1250000000;  // 10 Gbit/s

sized size_of(const plan_command& options, resources& context, const execution& on) {
  if (options.network && !options.workers) throw usage_error{"--network: found no --workers, expected --workers N"};
  if (!options.input.graphs.empty()) {
    if (options.vertices || options.edges) throw usage_error{"--vertices, --edges: found a GRAPH, which says how large it is"};
    const input source{options.input, context};
    if (!source.read_once().empty()) throw usage_error{"plan: found an input that is gone once it was read, expected a file"};
    const sized found = look_at(source, on);
    context.observer.clear();
    return found;
  }
  if (!options.vertices || !options.edges) throw usage_error{"plan: found no GRAPH, expected one, or --vertices N and --edges M"};
  graph_size size{.vertices = *options.vertices, .edges = *options.edges, .ids = options.ids, .slots = *options.vertices};
  if (size.ids == id_shape::sparse) size.slots = UINT64_MAX - 1;
  if (size.ids == id_shape::strings) size.string_bytes = 16 * size.vertices;
  return {size, "as given"};
}

/// How auto goes on the CPU: of a list of edges without holding it.
std::string cpu_way(const plan_command& options, resources& context) {
  if (options.input.graphs.empty()) return "stream";
  const input source{options.input, context};
  if (source.generated()) return "held";
  return source.several() || is_streamed(source.paths().front(), source.read_options(), {}, context.on()) ? "stream" : "held";
}

/// Why auto would not look at the graph. Sizes alone are those of a graph that can be looked at.
std::string hidden_graph(const plan_command& options, resources& context) {
  return options.input.graphs.empty() ? "" : hidden(input{options.input, context});
}

int run_plan(const plan_command& options) {
  resources context{options.run};
  const std::uint64_t limit = context.memory.limit_bytes();
  tracked_memory planning{std::max(limit, least_planning_bytes)};  // so that what needs little memory can be planned with less
  execution on = context.on();
  on.memory = &planning;
  const sized found = size_of(options, context, on);
  const machine_rates rates = measure_rates(found.size.ids, found.size.arcs != 0, {.threads = context.threads, .memory = &planning}, limit);
  const plan_question asked{.size = found.size,
                            .threads = usable_threads(context.threads),
                            .memory_bytes = limit,
                            .workers = options.workers,
                            .network_bytes_per_second = static_cast<double>(options.network.value_or(usual_network))};
  const plan_report plan = make_plan(asked, found.how, cpu_way(options, context), hidden_graph(options, context), rates, gpus());
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
  command->get_option("GRAPH")->required(false);  // sizes do, too
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
