// The command copse thresholds, which finds the components at every threshold on the weights in one pass over the edges.
#include <copse/hierarchy.hpp>
#include <copse/io.hpp>
#include <memory>
#include <string>

#include "commands.hpp"
#include "json.hpp"
#include "output.hpp"
#include "solution.hpp"
#include "weighted.hpp"

namespace copse::cli {
namespace {

struct threshold_command {
  input_options input;
  run_options run;
  threshold_choice choice;
  std::string device = "cpu";
  std::string output = "-", labels;
  bool as_json = false;
};

int run_thresholds(const threshold_command& options) {
  const stopwatch total;
  options.choice.require_sense();
  if (!options.labels.empty() && options.choice.at.empty())
    throw usage_error{"--labels needs --at, which gives the thresholds of the columns"};
  if (options.as_json && options.output != "-") throw usage_error{"--json cannot be used with -o"};
  if (options.labels == "-") throw usage_error{"--labels needs a file: standard output is for the curve"};
  if (!options.labels.empty()) expect_table_suffix(options.labels, label_columns_text);
  expect_curve_suffix(options.output);
  require_outputs({options.output, options.labels}, files_of(options.input));
  resources context{options.run};
  const strongest_forest found{options.input, context, "thresholds", false, options.device};
  const graph& forest = found.forest.edges;
  const weights_view weights = found.forest.weights.view();
  const auto curve = options.choice.curve(forest, weights, context.on());
  if (!options.labels.empty()) write_labels_at(options.choice.at, hierarchy{forest, weights, &context.memory}, options.labels);
  context.observer.clear();
  if (options.as_json) {
    print_json({{"command", command_text()},
                {"vertices", forest.vertices()},
                {"edges", found.edges},
                {"device", found.forest.report.device},
                {"seconds", {{"read", found.read_seconds}, {"forest", found.forest.report.solve_seconds}, {"total", total.seconds()}}},
                {"thresholds", json_of(curve)}});
  } else {
    write_curve(curve, options.output);
  }
  return exit_code::done;
}

}  // namespace

void add_thresholds(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("thresholds", "Say what each threshold on the weights (>=) does: components, sizes, pairs");
  auto options = std::make_shared<threshold_command>();
  add_graph(*command, options->input, false);
  add_file(*command, "-o,--output", options->output,
           "Write the curve here, a CSV with a line for each threshold (default: standard output)");
  add_parsed(*command, "--at", options->choice.at, "X,Y,..", "Only these thresholds (default: every weight at which components change)",
             "numbers with commas between them", [](const std::string& text) { return numbers_with_commas(text); });
  add_number(*command, "--points", options->choice.points, 1, 1000000000,
             "Only N of the weights at which components change, evenly spread");
  add_file(*command, "--labels", options->labels,
           "With --at: write the labels at each of the thresholds here, a column each (.csv .txt .parquet .arrow)");
  command->add_flag("--json", options->as_json, "Print one JSON object");
  add_input_options(*command, options->input);
  add_device_option(*command, options->device, "Solving", devices::several);
  add_run_options(*command, options->run);
  command->callback([&chosen, options] { chosen = [options] { return run_thresholds(*options); }; });
}

}  // namespace copse::cli
