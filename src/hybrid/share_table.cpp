#include <copse/hybrid.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace copse {
namespace {

/// Where a graph lies: logarithms to base 2 of vertices and density, and the scattered share.
constexpr std::size_t dimensions = 3;
using place = std::array<double, dimensions>;
place place_of(const graph_profile& g) {
  constexpr double all_or_none = 6;  // is as far as 64 times the vertices
  const double n = std::max(1., static_cast<double>(g.vertices));
  return {std::log2(n), std::log2(std::max(1., static_cast<double>(g.arcs)) / n), all_or_none * g.scattered};
}

/// What each point counts for, so that sums of values are those of a linear function fitted around `at`: by least squares, where a point
/// weighs by the inverse fourth power of its distance. Without the slopes the times of a graph between a small and a large one would
/// follow whichever has more points about. Slopes are held back a little, for points that lie in a line.
std::vector<double> counts_of(std::span<const share_point> points, const place& at) {
  constexpr double exact = 1e-9, held_back = .05;
  constexpr std::size_t unknowns = dimensions + 1;
  std::vector<double> counts(points.size(), 0);
  std::vector<std::array<double, unknowns>> rows(points.size());
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const place there = place_of(points[i].looks);
    double squared = 0;
    rows[i][0] = 1;
    for (std::size_t k = 0; k < dimensions; ++k) {
      rows[i][k + 1] = there[k] - at[k];
      squared += rows[i][k + 1] * rows[i][k + 1];
    }
    if (squared < exact) {
      std::fill(counts.begin(), counts.end(), 0);
      counts[i] = 1;
      return counts;
    }
    counts[i] = 1 / (squared * squared);
    sum += counts[i];
  }
  // Normal equations, whose first column of the inverse gives the value at `at`; positive definite, so that no pivot is small.
  std::array<std::array<double, unknowns + 1>, unknowns> m{};
  m[0][unknowns] = 1;
  for (std::size_t k = 1; k < unknowns; ++k) m[k][k] = held_back;
  for (std::size_t i = 0; i < points.size(); ++i) {
    counts[i] /= sum;
    for (std::size_t k = 0; k < unknowns; ++k)
      for (std::size_t l = 0; l < unknowns; ++l) m[k][l] += counts[i] * rows[i][k] * rows[i][l];
  }
  for (std::size_t k = 0; k < unknowns; ++k) {
    for (std::size_t row = 0; row < unknowns; ++row) {
      if (row == k) continue;
      const double factor = m[row][k] / m[k][k];
      for (std::size_t l = k; l <= unknowns; ++l) m[row][l] -= factor * m[k][l];
    }
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    double share = 0;
    for (std::size_t k = 0; k < unknowns; ++k) share += rows[i][k] * m[k][unknowns] / m[k][k];
    counts[i] *= share;
  }
  return counts;
}

/// Between the points: logarithms of seconds, so that a point of a large graph does not outweigh all others.
struct prediction {
  double share = 0, cpu_seconds = 0, gpu_seconds = 0, both_seconds = 0;
};
prediction predict(std::span<const share_point> points, const place& at) {
  const std::vector<double> counts = counts_of(points, at);
  double share = 0, cpu = 0, gpu = 0, both = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    share += counts[i] * points[i].share;
    cpu += counts[i] * std::log(points[i].cpu_seconds);
    gpu += counts[i] * std::log(points[i].gpu_seconds);
    both += counts[i] * std::log(points[i].both_seconds);
  }
  return {std::clamp(share, 1., 99.), std::exp(cpu), std::exp(gpu), std::exp(both)};
}

}  // namespace

std::span<const share_point> share_table::points(std::string_view cpu, bool resident) const {
  const auto found = by.find(cpu);
  if (found == by.end()) return {};
  return resident ? found->second.on_the_gpu : found->second.from_host;
}

chosen_share choose_share(std::span<const share_point> points, bool resident, const graph_profile& looks) {
  if (points.empty()) {
    return resident ? chosen_share{0, "no table: the graph is on the GPU, which solves it alone"}
                    : chosen_share{100, "no table: the graph is in host memory, where the CPU solves it alone"};
  }
  constexpr double least_gain = 1.05;
  const prediction seen = predict(points, place_of(looks));
  const std::string told = fmt::format(" (the table says CPU {:.3g} ms, GPU {:.3g}, both {:.3g})", 1e3 * seen.cpu_seconds,
                                       1e3 * seen.gpu_seconds, 1e3 * seen.both_seconds);
  const double alone = std::min(seen.cpu_seconds, seen.gpu_seconds);
  if (seen.both_seconds * least_gain < alone) return {seen.share, "both sides together" + told};
  return seen.cpu_seconds <= seen.gpu_seconds ? chosen_share{100, "the CPU alone" + told} : chosen_share{0, "the GPU alone" + told};
}

}  // namespace copse
