#include "weighted_input.hpp"

#include "output.hpp"

namespace copse::cli {

strongest_forest::strongest_forest(const input_options& options, resources& context, const std::string& asked_by, bool keep_graph,
                                   const chosen_gpus& where) {
  const stopwatch reading;
  input source{options, context, true};
  if (keep_graph) source.number_edges(numbers);
  const weighted_forest_options settings{.variant = where.gpu ? "cuda.filter_boruvka" : "auto",
                                         .goal = forest_goal::maximum,
                                         .threads = context.threads,
                                         .gpu = where.gpu.value_or(0),
                                         .gpus = where.gpus,
                                         .positions = keep_graph,
                                         .observer = &context.observer,
                                         .memory = &context.memory};
  if (keep_graph || where.gpu) {
    graph = source.read_weighted(asked_by);
    forest = weighted_forest(graph, settings);
    if (!keep_graph) graph = {};
  } else {
    forest = source.read_forest(asked_by, settings);
  }
  edges = forest.report.edges;
  read_seconds = reading.seconds() - forest.report.solve_seconds;
}

std::optional<std::vector<double>> numbers_with_commas(const std::string& text) { return all_parsed(text, weight_number); }

}  // namespace copse::cli
