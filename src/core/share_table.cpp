#include <copse/core/share_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace copse {
namespace {

struct place {
  double vertices, density;  // logarithms to base 2
  double scattered;
};
place place_of(const graph_looks& g) {
  constexpr double all_or_none = 3;  // is as far as eight times the vertices
  const double n = std::max(1., static_cast<double>(g.vertices));
  return {std::log2(n), std::log2(std::max(1., static_cast<double>(g.arcs)) / n), all_or_none * g.scattered};
}

/// Between the points: logarithms of seconds, so that a point of a large graph does not outweigh all others.
struct prediction {
  double share = 0, cpu_seconds = 0, gpu_seconds = 0, both_seconds = 0;
};
prediction predict(std::span<const share_point> points, place at) {
  constexpr double exact = 1e-9;
  double weights = 0, share = 0, cpu = 0, gpu = 0, both = 0;
  for (const share_point& p : points) {
    const place there = place_of(p.looks);
    const double dx = there.vertices - at.vertices, dy = there.density - at.density, dz = there.scattered - at.scattered;
    const double squared = dx * dx + dy * dy + dz * dz;
    const bool hit = squared < exact;
    const double weight = hit ? 1 : 1 / (squared * squared);
    if (hit) weights = share = cpu = gpu = both = 0;
    weights += weight;
    share += weight * p.share;
    cpu += weight * std::log(p.cpu_seconds);
    gpu += weight * std::log(p.gpu_seconds);
    both += weight * std::log(p.both_seconds);
    if (hit) break;
  }
  return {share / weights, std::exp(cpu / weights), std::exp(gpu / weights), std::exp(both / weights)};
}

}  // namespace

std::span<const share_point> share_table::points(std::string_view cpu, bool resident) const {
  const auto found = by.find(cpu);
  if (found == by.end()) return {};
  return resident ? found->second.on_the_gpu : found->second.from_host;
}

chosen_share choose_share(std::span<const share_point> points, bool resident, const graph_looks& looks) {
  if (points.empty()) {
    return resident ? chosen_share{0, "no table: the graph is on the GPU, which solves it alone"}
                    : chosen_share{100, "no table: the graph is in host memory, where the CPU solves it alone"};
  }
  constexpr double least_gain = 1.1;
  const prediction seen = predict(points, place_of(looks));
  const std::string told = fmt::format(" (the table says CPU {:.3g} ms, GPU {:.3g}, both {:.3g})", 1e3 * seen.cpu_seconds,
                                       1e3 * seen.gpu_seconds, 1e3 * seen.both_seconds);
  const double alone = std::min(seen.cpu_seconds, seen.gpu_seconds);
  if (seen.both_seconds * least_gain < alone) return {seen.share, "both sides together" + told};
  return seen.cpu_seconds <= seen.gpu_seconds ? chosen_share{100, "the CPU alone" + told} : chosen_share{0, "the GPU alone" + told};
}

}  // namespace copse
