// copse_bench_fast_gpu [--trials N] [--variants A,B] [--json OUT] GRAPH...
// Where the fast path spends its time on a GPU: for each graph (a file or a generator spec) and route whole solves, solves again that were
// prepared, the same where each solve is given other arrays than the last, and each kernel in solves of their own, which are a little
// slower. Times are by the GPU's clock; all samples go to the file, medians in microseconds to stderr.
// With --variants whole solves of these, in turns, and nothing else: of generator specs whose rows are made on the GPU, in a second where
// the host takes minutes, with every answer proved there.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <core/phase_times.hpp>
#include <device/solver.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "benchmark.hpp"

namespace {

using copse::bench::json;
using copse::bench::median;

/// Solves again that were prepared, with all graphs or none in one launch.
std::vector<double> one_way(const copse::graph& g, bool one_launch, int trials) {
  namespace device = copse::device;
  const std::uint64_t most = one_launch ? UINT64_MAX : 0;
  device::solver solver{{.fast = {.one_launch_vertices = most, .one_launch_arcs = most}}};
  const auto resident = std::visit(
      [&](const auto& shape) -> device::solver::device_graph {
        if constexpr (requires { device::solver::graph{shape}; }) {
          return solver.copy_in(device::solver::graph{shape});
        } else {
          throw copse::usage_error{"found 64-bit ids, expected at most 2^32 - 1 vertices"};
        }
      },
      g.view());
  auto space = solver.workspace_for(resident.view(), true, true);
  copse::buffer<std::uint32_t> labels{g.vertices(), &solver.memory()};
  copse::phase_times none;
  std::vector<double> seconds;
  for (int trial = 0; trial <= trials; ++trial) {
    const auto once = solver.solve_fast(resident.view(), space, labels.data(), {}, none);
    if (trial != 0) seconds.push_back(once.seconds);
  }
  return seconds;
}

json measure(const copse::graph& g, const std::string& name, int trials) {
  copse::gpu_solver plain{{.short_fetches = true}}, timed{{.time_phases = true, .short_fetches = true}};
  const auto resident = plain.copy_in(g.view()), other_arrays = plain.copy_in(g.view());
  const auto timed_resident = timed.copy_in(g.view());
  constexpr std::string_view sampled = "cuda.hb.fast";
  constexpr std::uint64_t small_vertices = std::uint64_t{1} << 21;
  json results = json::array();
  for (const std::string variant : {"cuda.hb.fast", "cuda.none.fast"}) {
    auto ready = plain.prepare(resident, {.variant = variant}), ready_for_both = plain.prepare(resident, {.variant = variant});
    std::vector<double> whole, again, in_turn;
    std::vector<std::string> order;
    std::map<std::string, std::vector<double>> phases;
    for (int trial = 0; trial <= trials; ++trial) {
      const auto once = plain.solve(resident, {.variant = variant});
      const double prepared = plain.solve_again(ready, resident).report().solve_seconds;
      const double given_others = plain.solve_again(ready_for_both, trial % 2 == 0 ? resident : other_arrays).report().solve_seconds;
      const auto twice = timed.solve(timed_resident, {.variant = variant});
      if (trial == 0) continue;
      whole.push_back(once.report().solve_seconds);
      again.push_back(prepared);
      in_turn.push_back(given_others);
      for (const auto& phase : twice.report().phases) {
        if (trial == 1) order.emplace_back(phase.name);
        phases[std::string{phase.name}].push_back(phase.seconds);
      }
    }
    fmt::print(stderr, "{:24} {:14} {:8.1f} us, again {:8.1f}, of other arrays {:8.1f}:", name, variant, median(whole) * 1e6,
               median(again) * 1e6, median(in_turn) * 1e6);
    json kernels = json::object();
    for (const auto& phase : order) {
      fmt::print(stderr, " {} {:.1f}", phase, median(phases[phase]) * 1e6);
      kernels[phase] = phases[phase];
    }
    json result{{"row", variant}, {"solve", whole}, {"again", again}, {"again_other_arrays", in_turn}, {"kernels", std::move(kernels)}};
    if (variant == sampled && g.vertices() <= small_vertices) {
      const auto one = one_way(g, true, trials), several = one_way(g, false, trials);
      fmt::print(stderr, "; in one launch {:.1f}, in several {:.1f}", median(one) * 1e6, median(several) * 1e6);
      result["again_in_one_launch"] = one;
      result["again_in_several"] = several;
    }
    fmt::print(stderr, "\n");
    results.push_back(std::move(result));
  }
  return {{"graph", name}, {"vertices", g.vertices()}, {"rows", std::move(results)}};
}

struct gpu_contender {
  std::string variant;
  std::string ran = {};
  std::vector<double> seconds = {};
};

json in_turns(const std::string& spec, const std::vector<std::string>& variants, int trials) {
  copse::gpu_solver solver{{.short_fetches = true}};
  const auto resident = solver.generate(spec).graph;
  std::vector<gpu_contender> all;
  for (const auto& variant : variants) all.push_back({variant});
  std::uint64_t vertices = 0;
  for (int trial = 0; trial <= trials; ++trial) {
    for (gpu_contender& each : all) {
      const auto labels = solver.solve(resident, {.variant = each.variant});
      if (trial != 0) {
        each.seconds.push_back(labels.report().solve_seconds);
        continue;
      }
      each.ran = labels.report().variant;
      vertices = labels.on_device().size();
      if (const auto proved = solver.verify(resident, labels); !proved)
        throw std::runtime_error{spec + ": " + each.variant + ": " + proved.reason};
    }
  }
  json rows = json::array();
  for (const gpu_contender& each : all) {
    const auto [least, most] = std::minmax_element(each.seconds.begin(), each.seconds.end());
    fmt::print(stderr, "{:44} {:38} {:34} {:8.1f} us ({:.1f} to {:.1f})\n", spec, each.variant, each.ran, median(each.seconds) * 1e6,
               *least * 1e6, *most * 1e6);
    rows.push_back({{"row", each.variant}, {"ran", each.ran}, {"solve", each.seconds}});
  }
  return {{"graph", spec}, {"vertices", vertices}, {"rows", std::move(rows)}};
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(argc, argv, "copse_bench_fast_gpu", "GRAPH...", {{"trials", "11"}, {"variants", ""}, {"json", ""}},
                                     [](const copse::bench::benchmark_arguments& asked) {
                                       const auto variants = asked.words("variants");
                                       const int trials = static_cast<int>(asked.number("trials"));
                                       json head = copse::bench::result_on_gpu("fast_gpu");
                                       head["trials"] = trials;
                                       copse::bench::measure_each(asked, head, [&](const std::string& name) {
                                         return variants.empty()
                                                    ? measure(copse::bench::graph_named(name), copse::bench::short_name(name), trials)
                                                    : in_turns(name, variants, trials);
                                       });
                                     });
}
