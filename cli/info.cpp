// The command copse info, which describes a graph and the memory that solving it needs.
#include <fmt/format.h>

#include <algorithm>
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/graph.hpp>
#include <copse/plan.hpp>
#include <copse/variants.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "degrees.hpp"
#include "gpu_list.hpp"
#include "input.hpp"
#include "json.hpp"
#include "output.hpp"

namespace copse::cli {
namespace {

// The memory that finding components of a graph needs, for every class of variants.

struct memory_need {
  std::string variants;  ///< description of the variants of this class
  std::uint64_t bytes = 0;
};

/// Returns the bytes of the rows that build_csr() makes: symmetric, with ids and offsets of the smallest width that fits.
std::uint64_t bytes_of_rows(std::uint64_t vertices, const edge_counts& counted) {
  const std::uint64_t arcs = 2 * counted.edges - counted.loops;
  const std::uint64_t id_bytes = id_bytes_for(vertices), offset_bytes = std::max(id_bytes, id_bytes_for(arcs));
  return (vertices + 1) * offset_bytes + arcs * id_bytes;
}

/// The memory needed for the graph, the labels and the auxiliary arrays: one entry for each input (rows, list) and each size of auxiliary
/// arrays among the variants.
std::vector<memory_need> memory_needs(const graph& g, const edge_counts& counted) {
  const std::uint64_t vertices = g.vertices();
  const std::uint64_t id_bytes = id_bytes_for(vertices);
  const std::uint64_t list_bytes = bytes_of_list({.vertices = vertices, .edges = counted.edges});
  std::map<std::pair<input_kind, std::uint32_t>, std::vector<std::string>> classes;
  for (const variant_info& info : variants()) {
    if (info.backend != "cuda") classes[{info.input, info.aux_bytes_per_vertex}].push_back(info.name);  // a GPU has memory of its own
  }
  std::vector<memory_need> needs;
  for (const auto& [key, names] : classes) {
    const auto [input, aux_bytes] = key;
    const std::uint64_t held_bytes = input == input_kind::csr ? bytes_of_rows(vertices, counted) + id_bytes * vertices : list_bytes;
    needs.push_back(
        {fmt::format("{} variants over {}, such as {}", names.size(), input == input_kind::csr ? "rows" : "a list of edges", names.front()),
         held_bytes + aux_bytes * vertices});
  }
  return needs;
}

struct info_command {
  input_options input;
  run_options run;
  bool as_json = false;
  bool gpus = false;
  bool all = false;
};

/// What copse components would do with this input, and the memory and the disk space that it needs.
struct forecast {
  std::string path;
  std::uint64_t memory_bytes = 0;  ///< an estimate
  std::uint64_t csv_bytes = 0;     ///< about how many bytes the labels take as CSV
};

struct info_findings {
  std::string format;
  std::string ids;
  std::string stored;  ///< how edges are stored: "list", "rows" or "symmetric rows"
  edge_counts edges;
  degree_summary degrees;
  component_summary components;
  std::vector<memory_need> needs;
  forecast ahead;
};

std::string ids_text(const vertex_names& names) {
  if (names.what() == vertex_names::kind::strings) return "strings";
  if (names.size() == 0) return "integers";
  return fmt::format("integers {} to {}", name_text(names, 0), name_text(names, names.size() - 1));
}

std::string stored_text(const graph& g) {
  return std::visit(
      [](const auto& view) -> std::string {
        if constexpr (requires { view.symmetric; }) {
          return view.symmetric == symmetry::yes ? "symmetric rows" : "rows";
        } else {
          return "list of edges";
        }
      },
      g.view());
}

/// Estimates the bytes of the labels as CSV: each line has an id, a component and two separators.
std::uint64_t csv_bytes(const vertex_names& names) {
  if (names.size() == 0) return 0;
  const std::uint64_t middle = names.size() / 2;
  return names.size() * (2 * name_text(names, middle).size() + 2);
}

forecast look_ahead(const input& source, const graph& g, const solve_report& report, resources& context) {
  const bool streamed = !source.generated() && is_streamed(source.paths().front(), source.read_options(), {}, context.on());
  forecast ahead;
  ahead.csv_bytes = csv_bytes(g.names());
  if (streamed) {
    ahead.path = "edges are united while they are parsed, none is held";
    ahead.memory_bytes = bytes_of_stream(size_of_list(g.names(), report.edges));
  } else {
    ahead.path = "held, then " + report.variant;
    ahead.memory_bytes = context.memory.peak_bytes();
  }
  return ahead;
}

info_findings look_at(const input& source, const graph& g, resources& context) {
  info_findings found;
  found.format = source.generated() ? "generated" : std::string{io::to_string(source.format())};
  found.ids = ids_text(g.names());
  found.stored = stored_text(g);
  found.edges = count_edges(g.view(), context.on());
  const auto solved = components(g, {}, context.on());
  found.ahead = look_ahead(source, g, solved.report, context);
  found.degrees = summarise_degrees(g.view(), &context.memory);
  found.components = summarise(solved.labels, 0, context.on());
  found.needs = memory_needs(g, found.edges);
  return found;
}

json as_json(const info_findings& found, const vertex_names& names) {
  json needs = json::array();
  for (const memory_need& need : found.needs) needs.push_back({{"variants", need.variants}, {"bytes", need.bytes}});
  return {
      {"format", found.format},
      {"ids", found.ids},
      {"stored", found.stored},
      {"vertices", found.components.vertices},
      {"edges", found.edges.edges},
      {"arcs", found.edges.arcs},
      {"loops", found.edges.loops},
      {"degree", {{"min", found.degrees.min}, {"median", found.degrees.median}, {"mean", found.degrees.mean}, {"max", found.degrees.max}}},
      {"components", found.components.components},
      {"largest", component_json(found.components.largest, names)},
      {"isolated", found.components.isolated},
      {"histogram", histogram_json(found.components.histogram)},
      {"path", found.ahead.path},
      {"memory_bytes", found.ahead.memory_bytes},
      {"csv_bytes", found.ahead.csv_bytes},
      {"memory", std::move(needs)}};
}

std::string as_text(const info_findings& found, const vertex_names& names, bool all) {
  const component_summary& components = found.components;
  std::string text = fmt::format(
      "format      {}, {}\nids         {}\nvertices    {}\nedges       {}\narcs        {}\nloops       {}\n"
      "degree      min {}, median {}, mean {:.2f}, max {}\ncomponents  {}\n",
      found.format, found.stored, found.ids, components.vertices, found.edges.edges, found.edges.arcs, found.edges.loops, found.degrees.min,
      found.degrees.median, found.degrees.mean, found.degrees.max, components.components);
  if (components.largest.size > 0)
    text += fmt::format("largest     {} (label {})\n", components.largest.size, name_text(names, components.largest.label));
  text += fmt::format("isolated    {}\n", components.isolated);
  for (std::size_t b = 0; b < components.histogram.size(); ++b) {
    if (components.histogram[b] == 0) continue;
    const std::uint64_t low = std::uint64_t{1} << b;
    const std::string range = b == 0 ? "1" : fmt::format("{}-{}", low, low + (low - 1));
    text += fmt::format("size {:<11} {} components\n", range, components.histogram[b]);
  }
  text += fmt::format("path        {}\nmemory      about {}\nlabels      about {} as .csv, {} as .npy\n", found.ahead.path,
                      bytes_text(found.ahead.memory_bytes), bytes_text(found.ahead.csv_bytes),
                      bytes_text(components.vertices * (components.vertices <= UINT32_MAX ? 4 : 8)));
  for (const memory_need& need : found.needs) {
    if (all) text += fmt::format("memory      {} for {}\n", bytes_text(need.bytes), need.variants);
  }
  return text;
}

int run_info(const info_command& options) {
  if (options.input.graphs.empty()) {
    if (!options.gpus) throw usage_error{"GRAPH is required (see copse info --help)"};
    if (options.as_json) {
      print_json({{"gpus", gpu_list_json()}});
    } else {
      write_stdout(gpu_list_text());
    }
    return exit_code::done;
  }
  resources context{options.run};
  const input source{options.input, context};
  const graph g = source.read();
  const info_findings found = look_at(source, g, context);
  context.observer.clear();
  if (options.as_json) {
    json object = as_json(found, g.names());
    if (options.gpus) object["gpus"] = gpu_list_json(&g);
    print_json(object);
  } else {
    write_stdout(as_text(found, g.names(), options.all) + (options.gpus ? gpu_list_text(&g) : ""));
  }
  return exit_code::done;
}

}  // namespace

void add_info(CLI::App& app, action& chosen) {
  auto [command, options] = add_command<info_command>(
      app, chosen, "info", "Describe a graph: sizes, degrees, components, the memory that solving it needs", run_info);
  add_graph(*command, options->input, false);
  command->get_option("GRAPH")->required(false);  // --device alone needs no graph
  command->add_flag("--device", options->gpus, "List the GPUs of this machine, and whether the GRAPH fits them, when there is one");
  command->add_flag("--all", options->all, "Also what each group of variants would need");
  command->add_flag("--json", options->as_json, "Print one JSON object");
  add_input_options(*command, options->input);
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
