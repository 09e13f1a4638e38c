// Components of an edge list that is two columns, as SciPy, Arrow and data frames have them: united as they stand, nothing is copied.
#include <fmt/core.h>
#include <copse/components.hpp>

#include <cstdint>
#include <span>
#include <vector>

int main() {
  // Each edge once, in any direction and order; loops and repeats do no harm. Ids are below vertex_count.
  constexpr std::uint64_t vertex_count = 1'000'000;
  std::vector<std::uint64_t> sources, targets;
  for (std::uint64_t v = 0; v + 10 < vertex_count; ++v) {  // ten paths, by the last digit
    sources.push_back(v);
    targets.push_back(v + 10);
  }

  std::vector<std::uint64_t> labels(vertex_count);
  const auto report =
      copse::components(copse::edge_columns_view<std::uint64_t>{vertex_count, sources, targets}, std::span{labels}, {}, {.threads = 2});
  fmt::print("{} edges in {:.1f} ms by {}\n", report.edges, 1e3 * report.solve_seconds, report.variant);
  for (std::uint64_t v = 0; v < vertex_count; ++v) {
    if (labels[v] != v % 10) return 1;  // the label is the smallest vertex of the component
  }
  return 0;
}
