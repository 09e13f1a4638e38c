// The two choices of the GConn paper, as yardsticks for `auto`: its default (section 5.5) and its decision tree (Figure 12). The figure
// prints no thresholds; ours separate the winners of the paper's own tables: no sampling wins at 2.1 and 2.4 arcs per vertex and sampling
// from 6.0 up. Hook-based sampling wins there where it covers 96 % or more in the end; on our graphs its first step alone covers either all
// or less than 40 %.
#include <variants/choosers.hpp>
#include <variants/hooked_share.hpp>

#include <fmt/format.h>

namespace copse::variant {
namespace {

constexpr double gconn_sampling_density = 4;
constexpr double least_hooked_share = .5;
constexpr std::string_view unsampled = "omp.none.async.compress";

}  // namespace

choice gconn_default(graph_view view) {
  const bool rows = std::visit(
      [](const auto& g) {
        return requires { g.offsets; };
      },
      view);
  if (!rows) return {std::string{unsampled}, "gconn_default: edge lists are not sampled"};
  return {"omp.kout.async.compress", "gconn_default: k-out sampling and Union-Async, whatever the graph"};
}

choice gconn_tree(graph_view view, std::uint64_t seed) {
  return std::visit(
      [seed](const auto& g) -> choice {
        if constexpr (requires { g.offsets; }) {
          const double density = g.vertices() == 0 ? 0 : static_cast<double>(g.arcs()) / static_cast<double>(g.vertices());
          if (density < gconn_sampling_density) {
            return {std::string{unsampled},
                    fmt::format("gconn_tree: {:.1f} arcs per vertex, fewer than {}: not sampled", density, gconn_sampling_density)};
          }
          const double share = hooked_share(g, seed);
          const auto seen = fmt::format("gconn_tree: {:.1f} arcs per vertex, first hooks cover {:.1f} %", density, 100 * share);
          if (share >= least_hooked_share) return {"omp.hb.ecl", seen + ": hook-based sampling"};
          return {"omp.kout.async.compress", seen + ": k-out sampling"};
        } else {
          return {std::string{unsampled}, "gconn_tree: edge lists are not sampled"};
        }
      },
      view);
}

}  // namespace copse::variant
