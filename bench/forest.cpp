// copse_bench_forest [trials=N] [rows=NAME,NAME...] SPEC... > result.json
// What a spanning forest costs beside components by the same variant, on one thread: components, the forest alone, forest and labels, each
// once, then again; every sample is kept. A ratio is one of medians; the last figures are medians of ratios over the graphs. Rows of edge
// lists are named coo:NAME. Times are the thread's processor time, which a shared machine falsifies least.
#include <fmt/format.h>
#include <copse/copse.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "../cli/machine.hpp"
#include "samples.hpp"

namespace {

using copse::bench::median;
using copse::bench::now;
using copse::bench::words_of;

using json = nlohmann::ordered_json;

struct contest {
  std::string name;  // as on the command line
  const copse::graph* graph;
  std::array<std::vector<double>, 3> samples;  // components, forest, forest and labels
};

constexpr std::array<std::string_view, 3> what{"components", "forest", "forest_and_labels"};

void run_once(contest& variant) {
  const bool on_list = variant.name.starts_with("coo:");
  const copse::solve_options settings{.variant = on_list ? variant.name.substr(4) : variant.name, .threads = 1};
  const auto timed = [&](std::size_t which, const auto& solve) {
    const double start = now(1);
    const auto result = solve();
    variant.samples[which].push_back(now(1) - start);
    return result.report.variant;
  };
  timed(0, [&] { return copse::components(*variant.graph, settings); });
  timed(1, [&] { return copse::spanning_forest(*variant.graph, settings); });
  timed(2, [&] { return copse::spanning_forest(*variant.graph, settings, copse::forest_parts::edges_and_labels); });
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t trials = 7;
  std::vector<std::string> specs;
  std::vector<std::string> variants{"serial.none.rem",
                                    "serial.none.union_find",
                                    "serial.none.rem_cas.naive.halve_one",
                                    "serial.none.async.halve",
                                    "serial.none.jtb.naive",
                                    "serial.none.afforest",
                                    "serial.hb.rem",
                                    "serial.hb.rem_lock.naive.split_one",
                                    "serial.kout.rem_cas.naive.split_one",
                                    "serial.bfs.ecl",
                                    "omp.none.rem_cas.naive.halve_one",
                                    "omp.hb.early.split",
                                    "coo:serial.none.rem",
                                    "coo:serial.stages.rem_cas.naive.halve_one"};
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with("trials=")) {
      trials = std::stoul(std::string{word.substr(7)});
    } else if (word.starts_with("rows=")) {
      variants = words_of(word.substr(5));
    } else {
      specs.emplace_back(word);
    }
  }
  if (specs.empty() || trials == 0) {
    std::fputs("usage: copse_bench_forest [trials=N] [rows=NAME,...] SPEC... > result.json\n", stderr);
    return 2;
  }

  std::map<std::string, std::array<std::vector<double>, 3>> ratios;
  json graphs = json::array();
  for (const std::string& spec : specs) {
    const copse::graph list = copse::gen::generate_edges(spec), held = copse::build_csr(list);
    std::vector<contest> contests;
    for (const auto& name : variants) contests.push_back({name, name.starts_with("coo:") ? &list : &held, {}});
    for (auto& variant : contests) run_once(variant);  // a warming run, which is not kept
    for (auto& variant : contests) variant.samples = {};
    for (std::size_t trial = 0; trial < trials; ++trial) {
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
    const auto forest = copse::spanning_forest(held, {.threads = 1});
    graphs.push_back({{"graph", spec}, {"vertices", held.vertices()}, {"components", forest.count()}, {"rows", std::move(results)}});
  }
  json medians = json::array();
  for (const auto& name : variants) {
    medians.push_back({{"row", name}, {"forest_ratio", median(ratios[name][1])}, {"forest_and_labels_ratio", median(ratios[name][2])}});
    fmt::print(stderr, "median over graphs: {:44} {:.3f}  {:.3f}\n", name, median(ratios[name][1]), median(ratios[name][2]));
  }
  const json result{{"benchmark", "forest"},
                    {"machine", copse::cli::machine_facts()},
                    {"threads", 1},
                    {"clock", "thread"},
                    {"trials", trials},
                    {"medians", std::move(medians)},
                    {"graphs", std::move(graphs)}};
  fmt::print("{}\n", result.dump(1));
}
