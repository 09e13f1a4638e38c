// copse dendrogram: single linkage from the maximum spanning forest, as SciPy has it, and where to cut it.
#include <fmt/format.h>

#include <copse/dendrogram.hpp>
#include <copse/hierarchy.hpp>
#include <copse/io.hpp>
#include <optional>
#include <string>

#include "commands.hpp"
#include "exit_code.hpp"
#include "io/written_suffix.hpp"
#include "json.hpp"
#include "output.hpp"
#include "solution.hpp"
#include "top_levels.hpp"
#include "weighted_input.hpp"

namespace copse::cli {
namespace {

constexpr std::size_t usual_levels = 30;

struct dendrogram_options {
  input_options input;
  run_options run;
  std::string output, labels;
  std::optional<double> threshold, top;
  std::optional<std::uint64_t> clusters;
  std::optional<std::size_t> levels;
  std::optional<unsigned> gpu;
  bool as_json = false;
};

void require_sense(const dendrogram_options& options) {
  const int cuts = (options.threshold ? 1 : 0) + (options.clusters ? 1 : 0);
  if (cuts > 1) throw usage_error{"--clusters: found --threshold as well, expected one of them"};
  if ((cuts == 1) == options.labels.empty())
    throw usage_error{"--labels: expected it together with --threshold or --clusters, which say where to cut"};
  if (options.output.empty() && options.labels.empty() && !options.as_json)
    throw usage_error{"found neither -o nor --labels nor --json, expected an output"};
  if (!options.output.empty() && !options.output.ends_with(".npy"))
    throw usage_error{fmt::format("-o: found {}, expected a name that ends in .npy", options.output)};
  if (options.top && options.output.empty()) throw usage_error{"--top: found no -o, expected -o FILE.npy, which has heights"};
  if (options.levels && !options.as_json) throw usage_error{"--levels: found no --json, expected --json, which has the top of the tree"};
  if (!options.labels.empty()) io::expect_labels_suffix(options.labels);
  require_outputs({options.output, options.labels}, files_of(options.input));
  if (options.as_json) require_free_stdout({options.output, options.labels});
}

/// (n - 1) x 4 doubles.
void write_linkage(const buffer<hierarchy::merge>& merges, const std::string& path) {
  static_assert(sizeof(hierarchy::merge) == 4 * sizeof(double));
  std::string header = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, 4), }}", merges.size());
  constexpr std::size_t before = 10;
  header.append(63 - (before + header.size()) % 64, ' ').append("\n");
  const auto size = static_cast<std::uint16_t>(header.size());
  io::output_file file{path};
  file.write("\x93NUMPY\x01\x00", 8);
  file.write(&size, sizeof size);
  file.write(header.data(), header.size());
  file.write(merges.data(), merges.size() * sizeof(hierarchy::merge));
  file.commit();
}

int run_dendrogram(const dendrogram_options& options) {
  const stopwatch total;
  require_sense(options);
  resources context{options.run};
  const strongest_forest found{options.input, context, "copse dendrogram"};
  const std::uint64_t vertices = found.forest.edges.vertices(), components = found.forest.count();
  const std::string text = fmt::format("vertices    {}\nedges       {}\ncomponents  {}\n", vertices, found.edges, components);
  std::optional<labelling> labels;  // found before anything is written: there may be no such clusters
  if (!options.labels.empty()) {
    if (options.threshold) context.note_threshold(found.forest.weights.view(), *options.threshold);
    const hierarchy joined{found.forest.edges, found.forest.weights.view(), &context.memory};
    labels = options.threshold ? joined.labels_at(*options.threshold) : joined.clusters(*options.clusters);
  }
  dendrogram_report report;
  if (!options.output.empty()) {
    const auto result = dendrogram(
        found.forest.edges, found.forest.weights.view(),
        {.top = options.top, .threads = context.threads, .gpu = options.gpu, .observer = &context.observer, .memory = &context.memory});
    report = result.report;
    write_linkage(result.merges, options.output);
  }
  if (labels) io::write_labels(*labels, options.labels, context.writing());
  json object;
  if (options.as_json) {
    object = {{"command", command_text()},
              {"vertices", vertices},
              {"edges", found.edges},
              {"components", components},
              {"device", report.device},
              {"seconds",
               {{"read", found.read_seconds},
                {"forest", found.forest.report.solve_seconds},
                {"dendrogram", report.solve_seconds},
                {"total", total.seconds()}}},
              {"top", top_levels(found.forest, options.levels.value_or(usual_levels), context)}};
  }
  context.observer.clear();
  if (options.as_json) {
    print_json(object);
  } else {
    write_report(text, {options.output, options.labels});
  }
  return exit_code::done;
}

}  // namespace

void add_dendrogram(CLI::App& app, action& chosen) {
  auto [command, options] = add_command<dendrogram_options>(
      app, chosen, "dendrogram", "Make the single-linkage tree of a graph with weights, and cut it", run_dendrogram);
  add_graph(*command, options->input, false);
  add_file(*command, "-o,--output", options->output,
           "Write SciPy's linkage matrix here (.npy); vertices in ascending order of their ids, height: the largest weight of the forest "
           "less the edge's");
  add_parsed(*command, "--top", options->top, "H", "Height at which components join last (default: the largest height, doubled)",
             "a number", finite_number);
  add_device_option(*command, options->gpu, "Solving");
  add_file(*command, "--labels", options->labels, "Write the labels of the clusters here, as copse components does");
  add_parsed(*command, "--threshold", options->threshold, "X", "Clusters: joined by edges of weight X or more", "a number", weight_number);
  command->add_flag("--json", options->as_json, "Print one JSON object, with the top of the largest component's tree");
  add_number(*command, "--levels", options->levels, 2, 1000, "With --json: the top as far as N clusters (default 30)");
  add_number(*command, "--clusters", options->clusters, 1, UINT64_MAX, "Clusters: so many of them");
  add_input_options(*command, options->input);
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
