// copse_bench_forest_gpu [--trials N] [--variants NAME,NAME...] [--verify yes|no] [--json OUT] GRAPH...
// What a spanning forest costs on a GPU beside components by the same variant, for graphs (files or generator specs) that stay there: each
// once, then again; every sample is kept. Times are by the GPU's clock: components; the forest alone, and of it the part from memory taken
// until every edge is noted in its slot ("join": nothing needs clearing) and the part in which they are brought together ("collect"); and
// forest and labels. With --verify each variant's forest is copied out and proved first. Ratios are of medians.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <copse/cuda.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmark.hpp"

namespace {

using copse::bench::json;
using copse::bench::median;

struct gpu_forest_samples {
  std::string name;      // as on the command line
  std::string ran = {};  // the variant that ran
  std::vector<double> components = {}, join = {}, collect = {}, forest = {}, forest_and_labels = {};
};

double seconds_of(const copse::solve_report& report, std::string_view name) {
  for (const auto& phase : report.phases) {
    if (phase.name == name) return phase.seconds;
  }
  return 0;
}

void run_once(gpu_forest_samples& entry, copse::gpu_solver& solver, const copse::gpu_solver::resident_graph& resident) {
  const copse::solve_options settings{.variant = entry.name};
  entry.components.push_back(solver.solve(resident, settings).report().solve_seconds);
  {
    const auto forest = solver.spanning_forest(resident, settings);
    entry.ran = forest.report().variant;
    entry.forest.push_back(forest.report().solve_seconds);
    entry.join.push_back(seconds_of(forest.report(), "join"));
    entry.collect.push_back(seconds_of(forest.report(), "collect"));
  }
  entry.forest_and_labels.push_back(solver.spanning_forest(resident, {.variant = entry.name, .with_labels = true}).report().solve_seconds);
}

/// On the GPU; in host memory too, where forests are to be proved.
struct resident_pair {
  copse::graph host;
  std::optional<copse::gpu_solver::resident_graph> resident;
};
resident_pair held(const std::string& name, copse::gpu_solver& solver, bool proves) {
  if (!proves && !copse::gen::is_spec(name) && copse::gpu_solver::reads(name)) {
    return {{}, solver.read(name, {}, "auto", copse::problem_kind::forest).graph};
  }
  resident_pair held{copse::bench::graph_named(name), std::nullopt};
  held.resident = solver.copy_in(held.host.view(), "auto", copse::problem_kind::forest);
  return held;
}

void run(const copse::bench::benchmark_arguments& asked) {
  const auto variants = asked.words("variants");
  const unsigned trials = asked.number("trials");
  const bool proves = asked["verify"] == "yes";
  copse::gpu_solver solver;
  json graphs = json::array();
  std::map<std::string, std::vector<double>> ratios;
  for (const std::string& name : asked.graphs()) {
    const resident_pair g = held(name, solver, proves);
    const std::string short_name = copse::bench::short_name(name);
    std::vector<gpu_forest_samples> contests;
    for (const auto& entry : variants) contests.push_back({.name = entry});
    std::uint64_t edges = 0;
    for (auto& entry : contests) {
      const auto forest = solver.spanning_forest(*g.resident, {.variant = entry.name});
      edges = forest.edges_on_device().size();
      if (!proves) continue;
      const auto proved = copse::verify_forest(g.host.view(), solver.copy_out(forest, g.host.names()).edges);
      if (!proved) throw copse::error{fmt::format("{}: {}: wrong forest: {}", short_name, entry.name, proved.reason)};
    }
    for (auto& entry : contests) run_once(entry, solver, *g.resident);  // a warming run, which is not kept
    for (auto& entry : contests) entry = {.name = entry.name};
    for (unsigned trial = 0; trial < trials; ++trial) {
      for (auto& entry : contests) run_once(entry, solver, *g.resident);
    }
    json results = json::array();
    for (const auto& entry : contests) {
      const double components = median(entry.components), forest = median(entry.forest);
      ratios[entry.name].push_back(forest / components);
      fmt::print(stderr,
                 "{:16} {:36} components {:8.3f} ms, forest joined {:8.3f}, collected +{:.3f}, in all {:8.3f}, with labels {:8.3f}\n",
                 short_name, entry.ran, 1e3 * components, 1e3 * median(entry.join), 1e3 * median(entry.collect), 1e3 * forest,
                 1e3 * median(entry.forest_and_labels));
      results.push_back({{"asked", entry.name},
                         {"row", entry.ran},
                         {"components", entry.components},
                         {"join", entry.join},
                         {"collect", entry.collect},
                         {"forest", entry.forest},
                         {"forest_and_labels", entry.forest_and_labels},
                         {"forest_ratio", ratios[entry.name].back()}});
    }
    graphs.push_back({{"graph", short_name}, {"forest_edges", edges}, {"proved", proves}, {"rows", std::move(results)}});
  }
  json medians = json::array();
  for (const auto& entry : variants) medians.push_back({{"asked", entry}, {"forest_ratio", median(ratios[entry])}});
  json result = copse::bench::result_on_gpu("forest_gpu");
  result["trials"] = trials;
  result["medians"] = std::move(medians);
  result["graphs"] = std::move(graphs);
  asked.write(result);
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(
      argc, argv, "copse_bench_forest_gpu", "GRAPH...",
      {{"trials", "11"},
       {"variants",
        "auto,cuda.hb.fast,cuda.none.fast,cuda.hb.rem_cas.naive.halve_one,cuda.none.rem_cas.naive.halve_one,cuda.hb.async.naive,"
        "cuda.kout.rem_cas.naive.halve_one,cuda.kout.async.halve,cuda.none.async.halve"},
       {"verify", "no"},
       {"json", ""}},
      run);
}
