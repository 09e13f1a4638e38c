// The command copse extract, which writes one component as a graph. Vertices keep their ids.
#include <fmt/format.h>

#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/weighted_graph.hpp>
#include <cstdint>
#include <optional>
#include <utility>

#include "commands.hpp"
#include "input.hpp"
#include "output.hpp"
#include "weighted_edges.hpp"

namespace copse::cli {
namespace {

// Extracts one component of a graph. Vertices keep their order, so rows stay sorted and names stay ascending. O(vertices + arcs), serial.

/// Returns the new number of every vertex of the component, and no_vertex for all other vertices.
template <unsigned_index Id>
struct part_numbers {
  buffer<Id> number;
  Id count = 0;
};

template <unsigned_index Id>
part_numbers<Id> number_component(std::uint64_t vertices, const labelling& labels, std::uint64_t label, std::pmr::memory_resource* memory) {
  part_numbers<Id> result{buffer<Id>(vertices, memory)};
  for (std::uint64_t v = 0; v < vertices; ++v) result.number[v] = labels.label(v) == label ? result.count++ : no_vertex<Id>;
  return result;
}

template <unsigned_index Id>
coo<Id> part_of(const coo_view<Id>& g, const part_numbers<Id>& numbers, std::pmr::memory_resource* memory) {
  std::size_t kept = 0;
  for (const auto& e : g.edges) kept += numbers.number[e.u] != no_vertex<Id>;
  coo<Id> part{numbers.count, buffer<edge<Id>>(kept, memory)};
  auto* next = part.edges.data();
  for (const auto& [u, v] : g.edges) {
    if (numbers.number[u] != no_vertex<Id>) *next++ = {numbers.number[u], numbers.number[v]};
  }
  return part;
}

template <unsigned_index Id, unsigned_index Offset>
csr<Id, Offset> part_of(const csr_view<Id, Offset>& g, const part_numbers<Id>& numbers, std::pmr::memory_resource* memory) {
  std::size_t kept = 0;
  for (Id v = 0; v < g.vertices(); ++v) {
    if (numbers.number[v] != no_vertex<Id>) kept += g.row(v).size();
  }
  csr<Id, Offset> part{buffer<Offset>(std::size_t{numbers.count} + 1, memory), buffer<Id>(kept, memory), g.symmetric, g.sorted};
  Offset arc = 0;
  part.offsets[0] = 0;
  for (Id v = 0; v < g.vertices(); ++v) {
    if (numbers.number[v] == no_vertex<Id>) continue;
    for (const Id target : g.row(v)) part.targets[arc++] = numbers.number[target];
    part.offsets[std::size_t{numbers.number[v]} + 1] = arc;
  }
  return part;
}

template <unsigned_index Id>
vertex_names names_of_part(const vertex_names& names, const part_numbers<Id>& numbers, std::pmr::memory_resource* memory) {
  const auto each_kept = [&](auto visit) {
    for (std::uint64_t v = 0; v < numbers.number.size(); ++v) {
      if (numbers.number[v] != no_vertex<Id>) visit(v, std::uint64_t{numbers.number[v]});
    }
  };
  if (names.what() != vertex_names::kind::strings) {
    buffer<std::uint64_t> ids(numbers.count, memory);
    each_kept([&](std::uint64_t v, std::uint64_t i) { ids[i] = names.integer(v); });
    return vertex_names::integers(std::move(ids), names.is_signed());
  }
  std::uint64_t bytes = 0;
  each_kept([&](std::uint64_t v, std::uint64_t) { bytes += names.string(v).size(); });
  buffer<char> text(bytes, memory);
  buffer<std::uint64_t> offsets(std::size_t{numbers.count} + 1, memory);
  offsets[0] = 0;
  each_kept([&](std::uint64_t v, std::uint64_t i) {
    const auto name = names.string(v);
    name.copy(text.data() + offsets[i], name.size());
    offsets[i + 1] = offsets[i] + name.size();
  });
  return vertex_names::strings(std::move(text), std::move(offsets));
}

/// Returns the subgraph of the vertices with label `label`, with their names: as rows if `g` has rows, otherwise as a list.
graph component_of(const graph& g, const labelling& labels, std::uint64_t label, std::pmr::memory_resource* memory) {
  return std::visit(
      [&]<class View>(const View& view) {
        const auto numbers = number_component<typename View::id_type>(view.vertices(), labels, label, memory);
        return graph{part_of(view, numbers, memory), names_of_part(g.names(), numbers, memory)};
      },
      g.view());
}

/// Extracts a component from a list of edges with weights.
weighted_graph component_of(const weighted_graph& g, const labelling& labels, std::uint64_t label, std::pmr::memory_resource* memory) {
  weighted_graph part{component_of(g.edges, labels, label, memory), {}};
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.edges; }) {
          buffer<double> weights{shape.edges.size(), memory};
          std::size_t kept = 0;
          for (std::size_t i = 0; i < shape.edges.size(); ++i) {
            if (labels.label(shape.edges[i].u) == label) weights[kept++] = g.weights[i];
          }
          weights.shrink(kept);
          part.weights = weight_column{std::move(weights), g.weights.precision()};
        }
      },
      g.edges.shape());
  return part;
}

struct extract_command {
  input_options input;
  run_options run;
  bool largest = false;
  std::string component;
  graph_output output;
};

std::uint64_t wanted_label(const extract_command& options, const graph& g, const labelling& labels, resources& context) {
  if (options.largest) return summarise(labels, 0, context.on()).largest.label;
  const auto vertex = find_vertex(g.names(), options.component);
  if (!vertex) throw usage_error{fmt::format("--component: no vertex of {} is called {}", options.input.graphs.front(), options.component)};
  return labels.label(*vertex);
}

int run_extract(const extract_command& options) {
  if (options.largest == !options.component.empty()) throw usage_error{"extract takes either --largest or --component ID"};
  options.output.require_sense();
  require_outputs({options.output.path, options.output.id_map}, files_of(options.input));
  resources context{options.run};
  const input source{options.input, context, !options.output.drop_weights};
  auto [g, weights] =
      options.output.drop_weights ? io::perhaps_weighted_graph{source.read(), std::nullopt} : source.read_with_any_weights();
  const bool weighted = weights && weights->size() != 0;
  if (weighted) options.output.require_room_for_weights(source.text());
  const components_result solved = components(g, {}, context.on());
  if (weighted) {
    const std::uint64_t label = wanted_label(options, g, solved.labels, context);
    weighted_graph part = component_of(weighted_graph{std::move(g), std::move(*weights)}, solved.labels, label, &context.memory);
    const bool to_rows = needs_rows(options.output.path, options.output.format);
    if (to_rows && source.lists_edges()) part = arcs_of(part, {}, &context.memory);
    if (!to_rows && !source.lists_edges()) part = edges_of(std::move(part), &context.memory);
    context.write(part, options.output);
    return exit_code::done;
  }
  graph part = component_of(g, solved.labels, wanted_label(options, g, solved.labels, context), &context.memory);
  if (needs_rows(options.output.path, options.output.format) && !part.has_rows()) part = build_csr(part, {}, context.on());
  context.write(part, options.output);
  return exit_code::done;
}

}  // namespace

void add_extract(CLI::App& app, action& chosen) {
  auto [command, options] = add_command<extract_command>(app, chosen, "extract", "Write one component as a graph", run_extract);
  add_graph(*command, options->input, false);
  auto* largest = command->add_flag("--largest", options->largest, "The largest component (of equal ones the one with the smallest id)");
  command->add_option("--component", options->component, "The component of the vertex ID")->type_name("ID")->excludes(largest);
  add_file(*command, "-o,--output", options->output.path,
           "Where to, in the format of the suffix: .csv .tsv .el .txt .parquet .arrow keep the ids; .mtx .coo .sg .egr .adj .gr number the "
           "vertices anew in the "
           "same order")
      ->required();
  options->output.add_options(*command);
  add_input_options(*command, options->input);
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
