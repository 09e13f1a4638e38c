// copse plan: what a graph would cost, before anything is run.
#include <fmt/format.h>

#include <algorithm>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/mergeable_forest.hpp>
#include <filesystem>
#include <memory>
#include <mutex>

#include "commands.hpp"
#include "degrees.hpp"
#include "estimate.hpp"
#include "exit_code.hpp"
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

/// What passes by, counted.
class counting_sink final : public io::edge_sink {
public:
  void begin(const io::source_facts& facts) override {
    if (facts.vertices) declared = *facts.vertices;
    named = facts.named;
  }
  void edges(unsigned, std::span<const edge<std::uint64_t>> batch) override {
    std::uint64_t high = 0;
    for (const auto [u, v] : batch) high = std::max({high, u, v});
    add(batch.size(), high, 0);
  }
  void named_edges(unsigned, std::span<const io::named_edge> batch) override {
    std::uint64_t bytes = 0;
    for (const auto& [u, v] : batch) bytes += u.size() + v.size();
    add(batch.size(), 0, bytes);
  }

  std::uint64_t count = 0, largest = 0, name_bytes = 0, declared = 0;
  bool named = false;

private:
  void add(std::uint64_t edges, std::uint64_t high, std::uint64_t bytes) {
    const std::lock_guard lock{guard_};
    count += edges;
    largest = std::max(largest, high);
    name_bytes += bytes;
  }
  std::mutex guard_;
};

struct sized {
  graph_size size;
  std::string how;
};

/// Sixteen pieces of a large file stand for all of it.
sized look_at(const input& source, resources& context) {
  if (source.generated()) {
    const graph g = source.read();
    return {size_of(g.names(), count_edges(g.view()).edges), "generated"};
  }
  constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;
  constexpr unsigned most_pieces = 1u << 30, pieces = 16;
  std::uint64_t bytes = 0;
  for (const auto& path : source.paths()) bytes += path == "-" ? 0 : std::filesystem::file_size(path);
  const auto cut = static_cast<unsigned>(std::min<std::uint64_t>(bytes / piece_bytes, most_pieces));
  const bool sampled = cut > 4 * pieces && is_cut(source.paths(), source.read_options());
  counting_sink sink;
  if (!sampled) {
    parse_part(source.paths(), {}, source.read_options(), sink);
  } else {
    for (unsigned i = 0; i < pieces; ++i) {
      parse_part(source.paths(), {static_cast<unsigned>(std::uint64_t{cut} * i / pieces), cut}, source.read_options(), sink);
    }
  }
  const double scale = sampled ? static_cast<double>(cut) / pieces : 1;
  graph_size size;
  size.edges = static_cast<std::uint64_t>(static_cast<double>(sink.count) * scale);
  size.slots = sink.declared != 0 ? sink.declared : sink.count == 0 ? 0 : sink.largest + 1;
  if (sink.named) {
    size.ids = id_shape::strings;
    size.vertices = size.slots = 2 * size.edges;
    size.string_bytes = static_cast<std::uint64_t>(static_cast<double>(sink.name_bytes) * scale);
  } else {
    size.vertices = std::min(size.slots, sink.declared != 0 ? size.slots : 2 * size.edges);
    if (size.slots / 8 > size.vertices) size.ids = id_shape::sparse;
  }
  context.observer.clear();
  return {size, sampled ? fmt::format("from {} of {} pieces of about 1 MB", pieces, cut) : "counted"};
}

sized size_of(const plan_options& options, resources& context) {
  if (!options.input.graphs.empty()) {
    if (options.vertices || options.edges) throw usage_error{"--vertices, --edges: found a GRAPH, which says how large it is"};
    const input source{options.input, context};
    if (!source.read_once().empty()) throw usage_error{"plan: found an input that is gone once it was read, expected a file"};
    return look_at(source, context);
  }
  if (!options.vertices || !options.edges) throw usage_error{"plan: found no GRAPH, expected one, or --vertices N and --edges M"};
  graph_size size{.vertices = *options.vertices, .edges = *options.edges, .ids = options.ids, .slots = *options.vertices};
  if (size.ids == id_shape::sparse) size.slots = UINT64_MAX - 1;
  if (size.ids == id_shape::strings) size.string_bytes = 16 * size.vertices;
  return {size, "as given"};
}

/// The GPUs of this machine, with a list of edges on each.
void add_gpus(std::vector<way>& ways, const graph_size& size, const machine_rates& rates) {
  for (const gpu_facts& gpu : gpus()) {
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
  }
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
