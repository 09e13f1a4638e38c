// Components of a CSR that you have already, into labels that you have already: nothing is copied.
#include <fmt/core.h>
#include <copse/components.hpp>
#include <copse/errors.hpp>

#include <cstdint>
#include <span>
#include <vector>

int main() {
  // The arcs of vertex v are targets[offsets[v]] .. targets[offsets[v + 1] - 1]. Two triangles and a vertex without edges.
  const std::vector<std::uint32_t> offsets{0, 2, 4, 6, 8, 10, 12, 12};
  const std::vector<std::uint32_t> targets{1, 2, 0, 2, 0, 1, 4, 5, 3, 5, 3, 4};
  std::vector<std::uint32_t> labels(7);

  // Say what you know of the arrays: both directions of every edge are here, and each row ascends. What you leave out is found out.
  copse::csr_view<std::uint32_t, std::uint32_t> graph{offsets, targets};
  graph.symmetric = copse::symmetry::yes;
  graph.sorted = true;
  const copse::solve_report report = copse::components(graph, std::span{labels});
  for (const std::uint32_t label : labels) fmt::print("{} ", label);
  fmt::print("by {}\n", report.variant);

  // Arrays are checked first: a wrong one is refused with the place. `trusted` skips the check.
  auto wrong = targets;
  wrong[3] = 70;
  try {
    copse::components(copse::csr_view<std::uint32_t, std::uint32_t>{offsets, wrong}, std::span{labels});
    return 1;
  } catch (const copse::usage_error& e) {
    fmt::print("{}\n", e.what());
  }
  graph.trusted = true;
  copse::components(graph, std::span{labels});
  return labels == std::vector<std::uint32_t>{0, 0, 0, 3, 3, 3, 6} ? 0 : 1;
}
