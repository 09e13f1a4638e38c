// copse plan: what a graph would cost, before anything is run.
#include <fmt/format.h>

#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <memory>
#include <vector>

#include "commands.hpp"
#include "estimate.hpp"
#include "exit_code.hpp"
#include "gpu_ways.hpp"
#include "graph_sizes.hpp"
#include "input.hpp"
#include "json.hpp"
#include "output.hpp"
#include "rates.hpp"

namespace copse::cli {
namespace {

struct plan_options {
  input_options input;
  run_options run;
  std::optional<std::uint64_t> vertices, edges, network;
  std::optional<unsigned> workers;
  id_shape ids = id_shape::dense;
  bool as_json = false;
};

constexpr std::uint64_t usual_network = 1250000000;  // 10 Gbit/s

sized size_of(const plan_options& options, resources& context) {
  if (options.network && !options.workers) throw usage_error{"--network: found no --workers, expected --workers N"};
  if (!options.input.graphs.empty()) {
    if (options.vertices || options.edges) throw usage_error{"--vertices, --edges: found a GRAPH, which says how large it is"};
    const input source{options.input, context};
    if (!source.read_once().empty()) throw usage_error{"plan: found an input that is gone once it was read, expected a file"};
    const sized found = look_at(source, host_memory());  // --memory is what the plan is for, and no limit of planning
    context.observer.clear();
    return found;
  }
  if (!options.vertices || !options.edges) throw usage_error{"plan: found no GRAPH, expected one, or --vertices N and --edges M"};
  graph_size size{.vertices = *options.vertices, .edges = *options.edges, .ids = options.ids, .slots = *options.vertices};
  if (size.ids == id_shape::sparse) size.slots = UINT64_MAX - 1;
  if (size.ids == id_shape::strings) size.string_bytes = 16 * size.vertices;
  return {size, "as given"};
}

std::string shape_text(id_shape ids) { return ids == id_shape::dense ? "dense" : ids == id_shape::sparse ? "sparse" : "strings"; }

/// What copse components does when nobody says how: the CPU, and of a list of edges without holding it.
std::string auto_text(const plan_options& options, resources& context) {
  if (options.input.graphs.empty()) return "stream";
  const input source{options.input, context};
  if (source.generated()) return "held";
  return source.several() || is_streamed(source.paths().front(), source.read_options(), {.threads = context.threads}) ? "stream" : "held";
}

int run_plan(const plan_options& options) {
  resources context{options.run};
  const sized found = size_of(options, context);
  const graph_size& size = found.size;
  const machine_rates rates = measure_rates(size.ids, context.threads);
  const plan_question asked{.size = size,
                            .threads = usable_threads(context.threads),
                            .memory_bytes = context.memory.limit_bytes(),
                            .workers = options.workers,
                            .network_bytes_per_second = static_cast<double>(options.network.value_or(usual_network))};
  std::vector<way> ways = ways_of(asked, rates);
  const std::vector<way> on_gpus = ways_of_gpus(gpus(), {.size = size}, rates);
  ways.insert(ways.end(), on_gpus.begin(), on_gpus.end());
  const std::string chosen = auto_text(options, context);
  context.observer.clear();
  if (options.as_json) {
    json list = json::array();
    for (const way& each : ways) {
      list.push_back({{"way", each.name},
                      {"device", each.device},
                      {"bytes", each.bytes},
                      {"seconds", each.seconds},
                      {"fits", each.fits},
                      {"remark", each.remark}});
    }
    print_json({{"vertices", size.vertices},
                {"edges", size.edges},
                {"ids", shape_text(size.ids)},
                {"sizes", found.how},
                {"threads", usable_threads(context.threads)},
                {"memory_bytes", asked.memory_bytes},
                {"auto", chosen},
                {"ways", std::move(list)}});
    return exit_code::done;
  }
  std::string text =
      fmt::format("graph       at most {} vertices, {} edges, {} ids, {}\nmachine     {} threads, {}\nauto        {}\n", size.vertices,
                  size.edges, shape_text(size.ids), found.how, usable_threads(context.threads), bytes_text(asked.memory_bytes), chosen);
  for (const way& each : ways) {
    text += fmt::format("{:<11} {} on {}{}, about {:.1f} s: {}\n", each.name, bytes_text(each.bytes), each.device,
                        each.fits ? "" : ", which it does not have", each.seconds, each.remark);
  }
  write_stdout(text);
  return exit_code::done;
}

}  // namespace

void add_plan(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("plan", "Estimate bytes and seconds of each way to solve a graph, from rates measured now");
  auto options = std::make_shared<plan_options>();
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
