// What each threshold on the scores of pairs does, from one maximum spanning forest.
#include <fmt/format.h>
#include <copse/copse.hpp>

#include <vector>

int main() {
  const std::vector<copse::edge<std::uint32_t>> edges{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 2}};
  const std::vector<float> scores{.99f, .95f, .6f, .97f, .6f, .7f};
  const copse::coo_view<std::uint32_t> list{6, edges};
  const auto forest = copse::weighted_forest(copse::graph_view{list}, std::span{scores}, {.goal = copse::forest_goal::maximum});
  const copse::hierarchy joined{forest.edges, forest.weights.view()};
  for (const auto& point : joined.curve(joined.levels()))
    fmt::print(">= {:.2f}: {} components, the largest of {}\n", point.threshold, point.components, point.largest);
  const auto proof =
      copse::verify_weighted_forest(list, std::span{scores}, forest.edges, forest.weights.view(), copse::forest_goal::maximum);
  return proof && joined.components() == 1 && joined.levels().size() == 4 ? 0 : 1;
}
