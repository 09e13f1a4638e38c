// copse extract: one component as a graph of its own, its vertices called as they were.
#include <fmt/format.h>

#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <optional>
#include <utility>

#include "commands.hpp"
#include "exit_code.hpp"
#include "input.hpp"
#include "output.hpp"
#include "subgraph.hpp"
#include "weighted_edges.hpp"

namespace copse::cli {
namespace {

struct extract_options {
  input_options input;
  run_options run;
  bool largest = false;
  std::string component;
  graph_output output;
};

std::uint64_t wanted_label(const extract_options& options, const graph& g, const labelling& labels, resources& context) {
  if (options.largest) return summarise(labels, 0, &context.memory, context.threads).largest.label;
  const auto vertex = find_vertex(g.names(), options.component);
  if (!vertex)
    throw usage_error{
        fmt::format("--component: found {}, expected the id of a vertex of {}", options.component, options.input.graphs.front())};
  return labels.label(*vertex);
}

int run_extract(const extract_options& options) {
  if (options.largest == !options.component.empty()) throw usage_error{"extract: expected one of --largest and --component ID"};
  options.output.require_sense();
  require_outputs({options.output.path, options.output.id_map}, files_of(options.input));
  resources context{options.run};
  const input source{options.input, context, !options.output.drop_weights};
  auto [g, weights] =
      options.output.drop_weights ? io::perhaps_weighted_graph{source.read(), std::nullopt} : source.read_with_any_weights();
  const bool weighted = weights && weights->size() != 0;
  if (weighted) options.output.require_room_for_weights(source.text());
  const solve_options settings{.threads = context.threads, .observer = &context.observer, .memory = &context.memory};
  const components_result solved = components(g, settings);
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
  if (needs_rows(options.output.path, options.output.format) && !part.has_rows())
    part = build_csr(part, {.threads = context.threads, .observer = &context.observer, .memory = &context.memory});
  context.write(part, options.output);
  return exit_code::done;
}

}  // namespace

void add_extract(CLI::App& app, action& chosen) {
  auto [command, options] = add_command<extract_options>(app, chosen, "extract", "Write one component as a graph", run_extract);
  add_graph(*command, options->input, false);
  auto* largest = command->add_flag("--largest", options->largest, "The largest component (of equal ones the one with the smallest id)");
  command->add_option("--component", options->component, "The component of the vertex ID")->type_name("ID")->excludes(largest);
  add_file(*command, "-o,--output", options->output.path,
           "Where to, in the format of the suffix: .csv .tsv .el .txt keep the ids; .mtx .coo .sg .egr number the vertices anew in the "
           "same order")
      ->required();
  options->output.add_options(*command);
  add_input_options(*command, options->input);
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
