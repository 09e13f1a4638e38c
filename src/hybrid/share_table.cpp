#include <copse/hybrid.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace copse {
namespace {

/// The coordinates of a graph: logarithms to base 2 of vertices and density, and the scattered share.
constexpr std::size_t dimensions = 3;
using place = std::array<double, dimensions>;
place place_of(const graph_profile& g) {
  constexpr double all_or_none = 6;  // as far apart as 64 times the vertices
  const double n = std::max(1., static_cast<double>(g.vertices));
  return {std::log2(n), std::log2(std::max(1., static_cast<double>(g.arcs)) / n), all_or_none * g.scattered};
}

/// The weight of each point, such that weighted sums of values are those of a linear function fitted around `at`: by least squares, in
/// which a point counts by the inverse fourth power of its distance. Without the slopes, the times of a graph between a small and a large
/// one would follow the one with more points nearby. Slopes are damped a little, for points on a line.
std::vector<double> weights_of(std::span<const share_point> points, const place& at) {
  constexpr double exact = 1e-9, damping = .05;
  constexpr std::size_t unknowns = dimensions + 1;
  std::vector<double> weights(points.size(), 0);
  std::vector<std::array<double, unknowns>> terms(points.size());
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const place point_place = place_of(points[i].looks);
    double squared = 0;
    terms[i][0] = 1;
    for (std::size_t k = 0; k < dimensions; ++k) {
      terms[i][k + 1] = point_place[k] - at[k];
      squared += terms[i][k + 1] * terms[i][k + 1];
    }
    if (squared < exact) {
      std::fill(weights.begin(), weights.end(), 0);
      weights[i] = 1;
      return weights;
    }
    weights[i] = 1 / (squared * squared);
    sum += weights[i];
  }
  // Normal equations, whose first column of the inverse gives the value at `at`; positive definite, so that no pivot is small.
  std::array<std::array<double, unknowns + 1>, unknowns> m{};
  m[0][unknowns] = 1;
  for (std::size_t k = 1; k < unknowns; ++k) m[k][k] = damping;
  for (std::size_t i = 0; i < points.size(); ++i) {
    weights[i] /= sum;
    for (std::size_t k = 0; k < unknowns; ++k)
      for (std::size_t l = 0; l < unknowns; ++l) m[k][l] += weights[i] * terms[i][k] * terms[i][l];
  }
  for (std::size_t k = 0; k < unknowns; ++k) {
    for (std::size_t j = 0; j < unknowns; ++j) {
      if (j == k) continue;
      const double factor = m[j][k] / m[k][k];
      for (std::size_t l = k; l <= unknowns; ++l) m[j][l] -= factor * m[k][l];
    }
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    double share = 0;
    for (std::size_t k = 0; k < unknowns; ++k) share += terms[i][k] * m[k][unknowns] / m[k][k];
    weights[i] *= share;
  }
  return weights;
}

/// Between the points: interpolated in logarithms of seconds, so that the point of a large graph does not outweigh all others.
struct prediction {
  double share = 0, cpu_seconds = 0, gpu_seconds = 0, both_seconds = 0;
};
prediction predict(std::span<const share_point> points, const place& at) {
  const std::vector<double> weights = weights_of(points, at);
  double share = 0, cpu = 0, gpu = 0, both = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    share += weights[i] * points[i].share;
    cpu += weights[i] * std::log(points[i].cpu_seconds);
    gpu += weights[i] * std::log(points[i].gpu_seconds);
    both += weights[i] * std::log(points[i].both_seconds);
  }
  return {std::clamp(share, 1., 99.), std::exp(cpu), std::exp(gpu), std::exp(both)};
}

}  // namespace

std::span<const share_point> share_table::points(std::string_view cpu, bool resident) const {
  const auto found = by.find(cpu);
  if (found == by.end()) return {};
  return resident ? found->second.on_the_gpu : found->second.from_host;
}

chosen_share choose_share(std::span<const share_point> points, bool resident, const graph_profile& profile) {
  if (points.empty()) {
    return resident ? chosen_share{0, "no table: the graph is on the GPU, which solves it alone"}
                    : chosen_share{100, "no table: the graph is in host memory, where the CPU solves it alone"};
  }
  constexpr double least_gain = 1.05;
  const prediction seen = predict(points, place_of(profile));
  const std::string seconds = fmt::format(" (the table says CPU {:.3g} ms, GPU {:.3g}, both {:.3g})", 1e3 * seen.cpu_seconds,
                                          1e3 * seen.gpu_seconds, 1e3 * seen.both_seconds);
  const double alone = std::min(seen.cpu_seconds, seen.gpu_seconds);
  if (seen.both_seconds * least_gain < alone) return {seen.share, "both sides together" + seconds};
  return seen.cpu_seconds <= seen.gpu_seconds ? chosen_share{100, "the CPU alone" + seconds} : chosen_share{0, "the GPU alone" + seconds};
}

}  // namespace copse
