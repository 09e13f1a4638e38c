#include <fmt/format.h>
#include <fast/decide.hpp>

namespace copse::fast {

std::string explain(const route_decision& v) {
  std::string text = fmt::format("rows, {} vertices, {} arcs ({:.1f} per vertex), {} thread{}", v.vertices, v.arcs, v.arcs_per_vertex,
                                 v.threads, v.threads == 1 ? "" : "s");
  if (v.closed >= 0) text += fmt::format(", {:.0f} % of sampled walks come back", 100 * v.closed);
  return fmt::format("{}: {} ({})", text, v.way == route::sampled ? "sampled" : "unsampled", v.reason);
}

}  // namespace copse::fast
