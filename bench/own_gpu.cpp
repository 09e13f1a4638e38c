// copse_bench_own_gpu TRIALS GRAPH...
// Where our own path spends its time on a GPU: for each graph (a file or a generator spec) and route the median of whole solves, of solves
// again that were prepared, and of each kernel in solves of their own, which are a little slower. Times are by the GPU's clock, in
// microseconds.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <registry/cuda.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "samples.hpp"

namespace {

using copse::bench::median;

/// Solves again that were prepared, with all graphs or none in one launch.
double one_way(const copse::graph& g, bool one_launch, int trials) {
  using copse::registry::cuda_solver;
  const std::uint64_t most = one_launch ? UINT64_MAX : 0;
  cuda_solver solver{{.own = {.one_launch_vertices = most, .one_launch_arcs = most}}};
  const auto there = std::visit(
      [&](const auto& shape) -> cuda_solver::device_graph {
        if constexpr (requires { cuda_solver::graph{shape}; }) {
          return solver.copy_in(cuda_solver::graph{shape});
        } else {
          throw copse::usage_error{"found 64-bit ids, expected at most 2^32 - 1 vertices"};
        }
      },
      g.view());
  auto space = solver.workspace_for(there.view(), true, true);
  copse::buffer<std::uint32_t> labels{g.vertices(), &solver.memory()};
  copse::phase_times none;
  std::vector<double> seconds;
  for (int trial = 0; trial <= trials; ++trial) {
    const auto once = solver.solve_own(there.view(), space, labels.data(), {}, none);
    if (trial != 0) seconds.push_back(once.seconds);
  }
  return median(seconds);
}

void measure(const copse::graph& g, const char* name, int trials) {
  copse::gpu_solver plain{{.short_fetches = true}}, timed{{.time_phases = true, .short_fetches = true}};
  const auto there = plain.copy_in(g.view());
  const auto there_too = timed.copy_in(g.view());
  constexpr std::string_view sampled = "cuda.hb.own";
  constexpr std::uint64_t small_vertices = std::uint64_t{1} << 21;
  for (const std::string variant : {"cuda.hb.own", "cuda.none.own"}) {
    auto ready = plain.prepare(there, {.variant = variant});
    std::vector<double> whole, again;
    std::vector<std::string> order;
    std::map<std::string, std::vector<double>> phases;
    for (int trial = 0; trial <= trials; ++trial) {
      const auto once = plain.solve(there, {.variant = variant});
      const auto& prepared = plain.solve_again(ready, there);
      const auto twice = timed.solve(there_too, {.variant = variant});
      if (trial == 0) continue;
      whole.push_back(once.report().solve_seconds);
      again.push_back(prepared.report().solve_seconds);
      for (const auto& phase : twice.report().phases) {
        if (trial == 1) order.emplace_back(phase.name);
        phases[std::string{phase.name}].push_back(phase.seconds);
      }
    }
    fmt::print("{:24} {:14} {:8.1f} us, again {:8.1f}:", name, variant, median(whole) * 1e6, median(again) * 1e6);
    for (const auto& phase : order) fmt::print(" {} {:.1f}", phase, median(phases[phase]) * 1e6);
    if (variant == sampled && g.vertices() <= small_vertices) {
      fmt::print("; in one launch {:.1f}, in several {:.1f}", one_way(g, true, trials) * 1e6, one_way(g, false, trials) * 1e6);
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    fmt::print(stderr, "usage: copse_bench_own_gpu TRIALS GRAPH...\n");
    return 2;
  }
  try {
    for (int k = 2; k < count; ++k) {
      const std::string name = arguments[k];
      const bool generated = name.find(':') != std::string::npos;
      const auto g = generated ? copse::build_csr(copse::gen::generate(name)) : copse::read_graph(name);
      measure(g, name.c_str() + name.find_last_of('/') + 1, std::atoi(arguments[1]));
    }
  } catch (const copse::error& problem) {
    fmt::print(stderr, "copse_bench_own_gpu: {}\n", problem.what());
    return 1;
  }
}
