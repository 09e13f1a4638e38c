// copse plan: what a graph would cost, before anything is run.
#include <fmt/format.h>

#include <algorithm>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/gpu_edge_sink.hpp>
#include <memory>
#include <vector>

#include "commands.hpp"
#include "estimate.hpp"
#include "exit_code.hpp"
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
  if (!options.input.graphs.empty()) {
    if (options.vertices || options.edges) throw usage_error{"--vertices, --edges: found a GRAPH, which says how large it is"};
    const input source{options.input, context};
    if (!source.read_once().empty()) throw usage_error{"plan: found an input that is gone once it was read, expected a file"};
    const sized found = look_at(source, &context.memory);
    context.observer.clear();
    return found;
  }
  if (!options.vertices || !options.edges) throw usage_error{"plan: found no GRAPH, expected one, or --vertices N and --edges M"};
  graph_size size{.vertices = *options.vertices, .edges = *options.edges, .ids = options.ids, .slots = *options.vertices};
  if (size.ids == id_shape::sparse) size.slots = UINT64_MAX - 1;
  if (size.ids == id_shape::strings) size.string_bytes = 16 * size.vertices;
  return {size, "as given"};
}

/// Edges that are streamed through the GPUs: through the one `gpu`, or through all. Parsing goes on meanwhile.
way streamed(const std::vector<gpu_facts>& all, const gpu_facts* gpu, const graph_size& size, const machine_rates& rates) {
  way found{.name = "gpu stream", .remark = "the edges are streamed in pieces, none held there"};
  std::uint64_t free_bytes = UINT64_MAX;
  for (const gpu_facts& each : all) free_bytes = std::min(free_bytes, each.free_bytes);
  const double links = gpu != nullptr ? 1 : static_cast<double>(all.size());
  found.device = gpu != nullptr ? fmt::format("cuda:{}", gpu->index) : "cuda:all, each";
  found.bytes = gpu_edge_sink::bytes_needed(static_cast<std::uint32_t>(size.vertices));
  found.fits = found.bytes <= (gpu != nullptr ? gpu->free_bytes : free_bytes);
  const auto edges = static_cast<double>(size.edges), link = *rates.link_bytes_per_second;
  const double by_link = 8 * edges / (links * link), by_gpu = edges * *rates.gpu_seconds_per_edge / links;
  found.seconds = std::max({edges * rates.parse_seconds_per_edge, by_link, by_gpu}) + 4 * static_cast<double>(size.vertices) / link;
  return found;
}

/// The GPUs of this machine: a list of edges in the memory of each, or edges that are streamed through it, and through all.
void add_gpus(std::vector<way>& ways, const graph_size& size, const machine_rates& rates) {
  const std::vector<gpu_facts> all = gpus();
  for (const gpu_facts& gpu : all) {
    way on_gpu{.name = "gpu", .device = fmt::format("cuda:{}", gpu.index), .remark = "a list of edges in its memory"};
    if (size.vertices > UINT32_MAX) {
      on_gpu.fits = false;
      on_gpu.remark = "64-bit ids run on the CPU only";
    } else {
      // Only the sizes of this view are looked at.
      const coo_view<std::uint32_t> list{static_cast<std::uint32_t>(size.vertices),
                                         {static_cast<const edge<std::uint32_t>*>(nullptr), static_cast<std::size_t>(size.edges)}};
      on_gpu.bytes = gpu_solver::bytes_needed(list);
      on_gpu.fits = on_gpu.bytes <= gpu.free_bytes;
      on_gpu.seconds = static_cast<double>(size.edges) * (rates.parse_seconds_per_edge + *rates.gpu_seconds_per_edge) +
                       static_cast<double>(8 * size.edges + 4 * size.vertices) / *rates.link_bytes_per_second;
    }
    ways.push_back(on_gpu);
    if (size.vertices <= UINT32_MAX) ways.push_back(streamed(all, &gpu, size, rates));
  }
  if (all.size() > 1 && size.vertices <= UINT32_MAX) ways.push_back(streamed(all, nullptr, size, rates));
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
  const machine_rates rates = measure_rates(size.ids, context);
  const plan_question asked{.size = size,
                            .memory_bytes = context.memory.limit_bytes(),
                            .workers = options.workers,
                            .network_bytes_per_second = static_cast<double>(options.network.value_or(usual_network))};
  std::vector<way> ways = ways_of(asked, rates);
  add_gpus(ways, size, rates);
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
