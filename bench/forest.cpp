// copse_bench_forest [--trials N] [--variants NAME,NAME...] [--json OUT] SPEC...
// What a spanning forest costs beside components by the same variant, on one thread: components, the forest alone, forest and labels, each
// once, then again; every sample is kept. A ratio is one of medians; the last figures are medians of ratios over the graphs. Variants on
// edge lists are named coo:NAME. Times are the thread's processor time, which a shared machine falsifies least.
#include <fmt/format.h>
#include <copse/copse.hpp>

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "benchmark.hpp"

namespace {

using copse::bench::json;
using copse::bench::median;

struct forest_samples {
  std::string name;  // as on the command line
  const copse::graph* graph;
  std::array<std::vector<double>, 3> samples;  // components, forest, forest and labels
};

constexpr std::array<std::string_view, 3> what{"components", "forest", "forest_and_labels"};

void run_once(forest_samples& variant) {
  const bool on_list = variant.name.starts_with("coo:");
  const copse::solve_options settings{.variant = on_list ? variant.name.substr(4) : variant.name};
  copse::solve_options with_labels = settings;
  with_labels.with_labels = true;
  const auto timed = [&](std::size_t which, const auto& solve) { variant.samples[which].push_back(copse::bench::seconds_of(1, solve)); };
  timed(0, [&] { return copse::components(*variant.graph, settings, {.threads = 1}); });
  timed(1, [&] { return copse::spanning_forest(*variant.graph, settings, {.threads = 1}); });
  timed(2, [&] { return copse::spanning_forest(*variant.graph, with_labels, {.threads = 1}); });
}

void run(const copse::bench::benchmark_arguments& asked) {
  const auto variants = asked.words("variants");
  const unsigned trials = asked.number("trials");
  std::map<std::string, std::array<std::vector<double>, 3>> ratios;
  json graphs = json::array();
  for (const std::string& spec : asked.graphs()) {
    const copse::graph list = copse::gen::generate_edges(spec), held = copse::build_csr(list);
    std::vector<forest_samples> contests;
    for (const auto& name : variants) contests.push_back({name, name.starts_with("coo:") ? &list : &held, {}});
    for (auto& variant : contests) run_once(variant);  // a warming run, which is not kept
    for (auto& variant : contests) variant.samples = {};
    for (unsigned trial = 0; trial < trials; ++trial) {
      for (auto& variant : contests) run_once(variant);
    }
    json results = json::array();
    for (const auto& variant : contests) {
      json result{{"row", variant.name}};
      for (std::size_t k = 0; k < what.size(); ++k) {
        result[std::string{what[k]}] = variant.samples[k];
        ratios[variant.name][k].push_back(median(variant.samples[k]) / median(variant.samples[0]));
      }
      result["forest_ratio"] = ratios[variant.name][1].back();
      result["forest_and_labels_ratio"] = ratios[variant.name][2].back();
      fmt::print(stderr, "{:60} {:44} {:9.3f} ms  {:.3f}  {:.3f}\n", spec, variant.name, 1e3 * median(variant.samples[0]),
                 ratios[variant.name][1].back(), ratios[variant.name][2].back());
      results.push_back(std::move(result));
    }
    const auto forest = copse::spanning_forest(held, {}, {.threads = 1});
    graphs.push_back({{"graph", spec}, {"vertices", held.vertices()}, {"components", forest.count()}, {"rows", std::move(results)}});
  }
  json medians = json::array();
  for (const auto& name : variants) {
    medians.push_back({{"row", name}, {"forest_ratio", median(ratios[name][1])}, {"forest_and_labels_ratio", median(ratios[name][2])}});
    fmt::print(stderr, "median over graphs: {:44} {:.3f}  {:.3f}\n", name, median(ratios[name][1]), median(ratios[name][2]));
  }
  json result = copse::bench::result_of("forest", 1);
  result["trials"] = trials;
  result["medians"] = std::move(medians);
  result["graphs"] = std::move(graphs);
  asked.write(result);
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(
      argc, argv, "copse_bench_forest", "SPEC...",
      {{"trials", "7"},
       {"variants",
        "serial.none.rem,serial.none.union_find,serial.none.rem_cas.naive.halve_one,serial.none.async.halve,serial.none.jtb.naive,"
        "serial.none.afforest,serial.hb.rem,serial.hb.rem_lock.naive.split_one,serial.kout.rem_cas.naive.split_one,"
        "serial.bfs.ecl,threads.none.rem_cas.naive.halve_one,threads.hb.early.split,coo:serial.none.rem,"
        "coo:serial.stages.rem_cas.naive.halve_one"},
       {"json", ""}},
      run);
}
