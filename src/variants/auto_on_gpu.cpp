// From about 3.5 arcs per vertex up, hook-based sampling leaves few arcs to the finish; below, it reads most of them (measured on an H200:
// sampling gains 1.3 to 15 times on lattices and on graphs with a giant, and loses 2.4 to 3 times on roads and small clusters). In sorted
// rows that store both directions, the fast path sees from the first two arcs which rows hold more work; below that density few do.
#include <variants/auto_on_gpu.hpp>

#include <fmt/format.h>

#include <cstdint>

namespace copse::variant {
namespace {

constexpr double gpu_sampling_density = 3.5;
constexpr const char* unsampled = "cuda.none.rem_cas.naive.halve_one";

choice for_rows(std::uint64_t n, std::uint64_t arcs, bool symmetric, bool sorted) {
  if (n == 0) return {"cuda.none.fast", "GPU, rows, no vertices"};
  const double density = static_cast<double>(arcs) / static_cast<double>(n);
  const auto seen = fmt::format("GPU, rows, {} vertices, {} arcs ({:.1f} per vertex)", n, arcs, density);
  if (!symmetric) return {unsampled, seen + ": one direction of edges may be missing; unite all as they stand"};
  if (density < gpu_sampling_density) {
    return {sorted ? "cuda.none.fast" : unsampled, seen + ": a sample would read most arcs; unite all as they stand"};
  }
  return {"cuda.hb.fast", seen + ": rows long enough to sample and skip the giant"};
}

}  // namespace

choice on_gpu(std::string_view chooser, graph_view in_host_memory, std::uint64_t seed) {
  if (chooser == "gconn_tree") return gconn_tree(in_host_memory, seed, "cuda");
  return chooser == "gconn_default" ? gconn_default(in_host_memory, "cuda") : on_gpu(in_host_memory);
}

choice on_gpu(std::uint64_t vertices, std::uint64_t arcs) { return for_rows(vertices, arcs, true, true); }

choice on_gpu(graph_view view) {
  return std::visit(
      [](const auto& g) -> choice {
        if constexpr (requires { g.offsets; }) {
          return for_rows(g.vertices(), g.arcs(), g.symmetric == symmetry::yes, g.sorted);
        } else {
          return {unsampled,
                  fmt::format("GPU, edge list, {} vertices, {} edges: unite all edges as they stand", g.vertices(), g.edges.size())};
        }
      },
      view);
}

}  // namespace copse::variant
