// From about 4 arcs a vertex up hook-based sampling leaves few arcs to the finish; below, it reads most of them (measured on an H200:
// sampling gains 1.9 to 15 times on graphs with a giant, and loses 2.4 to 2.7 times on roads and small clusters). Below 2 arcs a vertex a
// pass of first hooks costs more than it saves (a tenth, on 16 M vertices with 1.8 arcs each).
#include <choose/on_gpu.hpp>

#include <fmt/format.h>

#include <cstdint>

namespace copse::choose {

choice on_gpu(graph_view view) {
  constexpr double sampling_arcs_per_vertex = 4, first_hook_arcs_per_vertex = 2;
  return std::visit(
      [](const auto& g) -> choice {
        const auto n = std::uint64_t{g.vertices()};
        if constexpr (requires { g.offsets; }) {
          const auto arcs = std::uint64_t{g.arcs()};
          const double density = n == 0 ? 0 : static_cast<double>(arcs) / static_cast<double>(n);
          const auto seen = fmt::format("GPU, rows, {} vertices, {} arcs ({:.1f} a vertex)", n, arcs, density);
          if (g.symmetric == symmetry::yes && density >= sampling_arcs_per_vertex) {
            return {"cuda.hb.own", seen + ": rows long enough to sample and skip the giant"};
          }
          if (n > 0 && density < first_hook_arcs_per_vertex) {
            return {"cuda.none.rem_cas.naive.halve_one", seen + ": most rows are empty or have one arc; unite all as they stand"};
          }
          return {"cuda.none.own", seen + ": a sample would read most arcs, or one direction is missing; unite all"};
        } else {
          return {"cuda.none.rem_cas.naive.halve_one",
                  fmt::format("GPU, edge list, {} vertices, {} edges: unite all edges as they stand", n, g.edges.size())};
        }
      },
      view);
}

}  // namespace copse::choose
