// copse convert: a graph from one format into another.
#include <copse/build.hpp>
#include <copse/io.hpp>

#include "commands.hpp"
#include "exit_code.hpp"
#include "input.hpp"
#include "output.hpp"

namespace copse::cli {
namespace {

struct convert_options {
  input_options input;
  run_options run;
  graph_output output;
  bool symmetrise = false;
  bool keep_duplicates = false;
  bool keep_loops = false;
  bool keep_directions = false;
};

int run_convert(const convert_options& options) {
  options.output.require_sense();
  require_outputs({options.output.path, options.output.id_map}, files_of(options.input));
  resources context{options.run};
  const input source{options.input, context};
  graph g = source.read();
  // Rows that the input has already are written as they are, unless the user asks for more.
  if (options.symmetrise || (needs_rows(options.output.path, options.output.format) && !g.has_rows())) {
    g = build_csr(g, {.symmetrise = !options.keep_directions,
                      .drop_duplicates = !options.keep_duplicates,
                      .drop_loops = !options.keep_loops,
                      .threads = context.threads,
                      .observer = &context.observer,
                      .memory = &context.memory});
  }
  context.write(g, options.output);
  return exit_code::done;
}

}  // namespace

void add_convert(CLI::App& app, action& chosen) {
  auto [command, options] = add_command<convert_options>(app, chosen, "convert", "Write a graph in another format", run_convert);
  add_graph(*command, options->input, false, "IN");
  command->add_option("OUT", options->output.path, "Where to, in the format of the suffix: .sg .egr .mtx .el .txt .coo")
      ->type_name("")
      ->required();
  options->output.add_options(*command);
  auto* symmetrise = command->add_flag(
      "--symmetrise", options->symmetrise,
      "Store every edge in both directions, each once and no loops (always done when .sg or .egr is made from a list of edges)");
  command->add_flag("--keep-directions", options->keep_directions, "Build rows with the directions of the input only")
      ->excludes(symmetrise);
  command->add_flag("--keep-duplicates", options->keep_duplicates, "When rows are built, keep repeated edges");
  command->add_flag("--keep-loops", options->keep_loops, "When rows are built, keep loops");
  add_input_options(*command, options->input);
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
