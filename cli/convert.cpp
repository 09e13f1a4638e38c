// The command copse convert, which writes a graph in another format.
#include <copse/build.hpp>
#include <copse/io.hpp>
#include <utility>

#include "commands.hpp"
#include "input.hpp"
#include "output.hpp"
#include "weighted_edges.hpp"

namespace copse::cli {
namespace {

struct convert_command {
  input_options input;
  run_options run;
  graph_output output;
  bool symmetrise = false;
  bool keep_duplicates = false;
  bool keep_loops = false;
  bool keep_directions = false;
};

/// Writes a graph with its weights. For a format that holds rows, these are built unless the input has them. For a format that lists edges,
/// each edge of rows is listed once if they have both of its directions with equal weights.
void write_with_weights(weighted_graph g, const input& source, const convert_command& options, resources& context) {
  options.output.require_room_for_weights(source.text());
  const bool to_rows = needs_rows(options.output.path, options.output.format);
  bool both_directions = !source.lists_edges();
  if (options.symmetrise || (to_rows && source.lists_edges())) {
    g = arcs_of(g, {!options.keep_directions, !options.keep_duplicates, !options.keep_loops}, &context.memory);
    both_directions = true;
  }
  if (both_directions && !to_rows) g = edges_of(std::move(g), &context.memory);
  context.write(g, options.output);
}

int run_convert(const convert_command& options) {
  options.output.require_sense();
  require_outputs({options.output.path, options.output.id_map}, files_of(options.input));
  resources context{options.run};
  const input source{options.input, context, !options.output.drop_weights};
  graph g;
  if (options.output.drop_weights) {
    g = source.read();
  } else {
    auto [edges, weights] = source.read_with_any_weights();
    if (weights && weights->size() != 0) {
      write_with_weights({std::move(edges), std::move(*weights)}, source, options, context);
      return exit_code::done;
    }
    g = std::move(edges);
  }
  // Rows of the input are written unchanged unless the user asks for symmetric ones.
  if (options.symmetrise || (needs_rows(options.output.path, options.output.format) && !g.has_rows())) {
    g = build_csr(g,
                  {.symmetrise = !options.keep_directions, .drop_duplicates = !options.keep_duplicates, .drop_loops = !options.keep_loops},
                  context.on());
  }
  context.write(g, options.output);
  return exit_code::done;
}

}  // namespace

void add_convert(CLI::App& app, action& chosen) {
  auto [command, options] = add_command<convert_command>(app, chosen, "convert", "Write a graph in another format", run_convert);
  add_graph(*command, options->input, false, "IN");
  command
      ->add_option("OUT", options->output.path,
                   "Where to, in the format of the suffix: .sg .egr .adj .gr .mtx .csv .tsv .el .txt .parquet .arrow .coo")
      ->type_name("")
      ->required();
  options->output.add_options(*command);
  auto* symmetrise = command->add_flag(
      "--symmetrise", options->symmetrise,
      "Store every edge in both directions, each once and no loops (always done when .sg, .egr, .adj or .gr is made from a list of edges)");
  command->add_flag("--keep-directions", options->keep_directions, "Build rows with the directions of the input only")
      ->excludes(symmetrise);
  command->add_flag("--keep-duplicates", options->keep_duplicates, "When rows are built, keep repeated edges");
  command->add_flag("--keep-loops", options->keep_loops, "When rows are built, keep loops");
  add_input_options(*command, options->input);
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
