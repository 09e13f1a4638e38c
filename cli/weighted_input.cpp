#include "weighted_input.hpp"

#include <utility>

#include "output.hpp"

namespace copse::cli {

strongest_forest::strongest_forest(const input_options& options, resources& context, const std::string& asked_by, bool keep_graph) {
  const stopwatch reading;
  weighted_graph held = input{options, context, true}.read_weighted(asked_by);
  read_seconds = reading.seconds();
  edges = held.weights.size();
  forest = weighted_forest(held, {.goal = forest_goal::maximum,
                                  .threads = context.threads,
                                  .positions = keep_graph,
                                  .observer = &context.observer,
                                  .memory = &context.memory});
  if (keep_graph) graph = std::move(held);
}

std::optional<std::vector<double>> numbers_with_commas(const std::string& text) {
  std::vector<double> numbers;
  for (const std::string& word : comma_separated(text)) {
    const auto number = finite_number(word);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace copse::cli
