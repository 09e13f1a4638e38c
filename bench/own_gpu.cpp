// copse_bench_own_gpu TRIALS GRAPH...
// Where our own path spends its time on a GPU: for each graph (a file or a generator spec) and route the median of whole solves, of solves
// again that were prepared, and of each kernel in solves of their own, which are a little slower. Times are by the GPU's clock, in
// microseconds.
#include <fmt/format.h>
#include <copse/copse.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples.empty() ? 0 : samples[samples.size() / 2];
}

void measure(const copse::graph& g, const char* name, int trials) {
  copse::gpu_solver plain, timed{{.time_phases = true}};
  const auto there = plain.copy_in(g.view());
  const auto there_too = timed.copy_in(g.view());
  for (const char* variant : {"cuda.hb.own", "cuda.none.own"}) {
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
