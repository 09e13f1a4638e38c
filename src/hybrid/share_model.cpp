#include <hybrid/share_model.hpp>

#include <fmt/format.h>

#include <cmath>

namespace copse::hybrid {
namespace {

// The constants are fitted to an H200 and 16 cores; docs/explanation/hybrid.md says how.

/// Costs of one thread, in nanoseconds.
struct cpu_costs {
  double vertex, arc;
  double scattered_vertex;  ///< additional cost per vertex if all arcs are cache misses
};
constexpr cpu_costs costs_of_dfs{.vertex = 50, .arc = 10, .scattered_vertex = 130};
constexpr cpu_costs costs_of_fast{.vertex = 9, .arc = 0, .scattered_vertex = 50};  // the fast path skips most arcs, so they cost nothing

double cpu_seconds(const modelled_solve& solve) {
  constexpr double start = 1e-4, nanosecond = 1e-9;
  const cpu_costs costs = solve.part == cpu_part::fast ? costs_of_fast : costs_of_dfs;
  // The fourth root was fitted to random graphs with increasing numbers of arcs: targets with many arcs do not count as scattered, yet most
  // accesses to them are cache misses.
  const double per_vertex = costs.vertex + costs.scattered_vertex * std::pow(solve.scattered, .25);
  const double work = per_vertex * static_cast<double>(solve.vertices) + costs.arc * static_cast<double>(solve.arcs);
  return start + nanosecond * work / solve.threads;
}

/// The time of the GPU alone, most of which is for copying offsets and targets to the GPU and labels back.
double gpu_seconds(const modelled_solve& solve) {
  constexpr double start = 5e-4, bytes_per_second = 4e10, bytes_per_arc = 4, bytes_per_vertex = 8;
  return start +
         (bytes_per_arc * static_cast<double>(solve.arcs) + bytes_per_vertex * static_cast<double>(solve.vertices)) / bytes_per_second;
}

}  // namespace

chosen_share modelled_share(const modelled_solve& solve) {
  // For smaller graphs sharing costs more than it gains; the labels of larger graphs do not fit into the page-locked memory for labels.
  constexpr std::uint64_t fewest_shared = 1'000'000, most_shared = 5'000'000;
  // If both sides are to end at the same time, the CPU should get gpu / (cpu + gpu) of the vertices, by the times that each would take
  // alone. It gets only this fraction of that share, because the cores also copy the GPU's rows.
  constexpr double part_of_even = .4;
  if (solve.resident) return {0, "the GPU alone, as the graph is in its memory"};
  const double cpu = cpu_seconds(solve), gpu = gpu_seconds(solve);
  const std::string seconds = fmt::format(" (the model says CPU alone {:.3g} ms, GPU alone {:.3g})", 1e3 * cpu, 1e3 * gpu);
  if (cpu <= gpu) return {100, "the CPU alone" + seconds};
  if (solve.vertices < fewest_shared || solve.vertices > most_shared) return {0, "the GPU alone" + seconds};
  return {100 * part_of_even * gpu / (cpu + gpu), "both sides together" + seconds};
}

}  // namespace copse::hybrid
