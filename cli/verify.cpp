// copse verify: proves a file of labels.
#include <fmt/format.h>

#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <copse/verify.hpp>

#include "commands.hpp"
#include "input.hpp"
#include "json.hpp"
#include "output.hpp"

namespace copse::cli {
namespace {

struct verify_command {
  input_options input;
  run_options run;
  std::string labels;
  bool dense = false;
  bool as_json = false;
};

verdict judge(const verify_command& options, const input& graph, const labelling& labels, const execution& on) {
  if (graph.lists_edges()) {
    return options.dense ? verify_dense(graph.paths().front(), graph.read_options(), labels, on)
                         : verify(graph.paths().front(), graph.read_options(), labels, on);
  }
  const copse::graph held = graph.read();
  return options.dense ? verify_dense(held, labels) : verify(held, labels);
}

int run_verify(const verify_command& options) {
  require_one_stdin("GRAPH", options.input.graphs.front(), "LABELS", options.labels);
  resources context{options.run};
  const input graph{options.input, context};
  io::read_options reading;
  reading.ids = options.input.read.ids;
  reading.trim = options.input.read.trim;
  const std::uint64_t first_id = graph.generated() ? 0 : io::first_id_of(graph.format());
  const labelling labels = io::read_labels(options.labels, reading, options.dense, first_id, context.on());
  const verdict found = judge(options, graph, labels, context.on());
  context.observer.clear();
  if (options.as_json) {
    print_json({{"right", found.right}, {"reason", found.reason}, {"vertices", found.vertices}, {"components", found.components}});
  } else if (found) {
    write_stdout(fmt::format("right: {} vertices, {} components\n", found.vertices, found.components));
  }
  if (!found) complain(fmt::format("{}: wrong labels: {}", options.labels, found.reason));
  return found ? exit_code::done : exit_code::check_failed;
}

}  // namespace

void add_verify(CLI::App& app, action& chosen) {
  auto [command, options] =
      add_command<verify_command>(app, chosen, "verify", "Prove that a file of labels is right; exit code 1 when it is not", run_verify);
  add_graph(*command, options->input, false);
  command->add_option("LABELS", options->labels, "Labels as copse components writes them")->type_name("")->required();
  add_choice<bool>(*command, "--labels", options->dense, {{"min", false}, {"dense", true}},
                   "What the labels are: smallest ids, or 0 .. k-1 in that order (default min)");
  command->add_flag("--json", options->as_json, "Print one JSON object");
  add_input_options(*command, options->input);
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
