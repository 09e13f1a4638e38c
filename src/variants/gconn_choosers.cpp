// The two choices of the GConn paper, as yardsticks for `auto`: its default, k-out sampling and Union-Async (section 4.7), and its decision
// tree (Figure 12). Union-Async may be Union-Rem-CAS there, "as their performance is similar".
#include <fmt/format.h>
#include <variants/choosers.hpp>
#include <variants/hooked_share.hpp>

#include <string>

namespace copse::variant {
namespace {

choice of(std::string_view backend, std::string_view rest, std::string explanation) {
  return {fmt::format("{}.{}", backend, rest), std::move(explanation)};
}

constexpr std::string_view unsampled = "none.async.compress", sampled = "kout.async.compress", hooked = "hb.ecl";

}  // namespace

choice gconn_default(graph_view view, std::string_view backend) {
  const bool rows = std::visit(
      [](const auto& g) {
        return requires { g.offsets; };
      },
      view);
  if (!rows) return of(backend, unsampled, "gconn_default: edge lists are not sampled");
  return of(backend, sampled, "gconn_default: k-out sampling and Union-Async, whatever the graph");
}

choice gconn_tree(graph_view view, std::uint64_t seed, std::string_view backend, const gconn_thresholds& forks) {
  return std::visit(
      [&](const auto& g) -> choice {
        if constexpr (requires { g.offsets; }) {
          const double density = g.vertices() == 0 ? 0 : static_cast<double>(g.arcs()) / static_cast<double>(g.vertices());
          if (density < forks.arcs_per_vertex) {
            return of(backend, unsampled,
                      fmt::format("gconn_tree: {:.1f} arcs per vertex, fewer than {}: not sampled", density, forks.arcs_per_vertex));
          }
          const double share = hooked_share(g, seed);
          const auto seen = fmt::format("gconn_tree: {:.1f} arcs per vertex, first hooks cover {:.1f} %", density, 100 * share);
          if (share >= forks.hooked_share) return of(backend, hooked, seen + ": hook-based sampling");
          return of(backend, sampled, seen + ": k-out sampling");
        } else {
          return of(backend, unsampled, "gconn_tree: edge lists are not sampled");
        }
      },
      view);
}

}  // namespace copse::variant
