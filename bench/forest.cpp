// copse_bench_forest [trials=N] [rows=NAME,NAME...] SPEC... > result.json
// What a spanning forest costs beside components by the same row, on one thread: components, the forest alone, forest and labels, each
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

void run_once(contest& row) {
  const bool on_list = row.name.starts_with("coo:");
  const copse::solve_options how{.variant = on_list ? row.name.substr(4) : row.name, .threads = 1};
  const auto timed = [&](std::size_t which, const auto& solve) {
    const double start = now(1);
    const auto result = solve();
    row.samples[which].push_back(now(1) - start);
    return result.report.variant;
  };
  timed(0, [&] { return copse::components(*row.graph, how); });
  timed(1, [&] { return copse::spanning_forest(*row.graph, how); });
  timed(2, [&] { return copse::spanning_forest(*row.graph, how, copse::forest_parts::edges_and_labels); });
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t trials = 7;
  std::vector<std::string> specs;
  std::vector<std::string> rows{"serial.none.rem",
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
      rows = words_of(word.substr(5));
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
    for (const auto& name : rows) contests.push_back({name, name.starts_with("coo:") ? &list : &held, {}});
    for (auto& row : contests) run_once(row);  // a warming run, which is not kept
    for (auto& row : contests) row.samples = {};
    for (std::size_t trial = 0; trial < trials; ++trial) {
      for (auto& row : contests) run_once(row);
    }
    json results = json::array();
    for (const auto& row : contests) {
      json result{{"row", row.name}};
      for (std::size_t k = 0; k < what.size(); ++k) {
        result[std::string{what[k]}] = row.samples[k];
        ratios[row.name][k].push_back(median(row.samples[k]) / median(row.samples[0]));
      }
      result["forest_ratio"] = ratios[row.name][1].back();
      result["forest_and_labels_ratio"] = ratios[row.name][2].back();
      fmt::print(stderr, "{:60} {:44} {:9.3f} ms  {:.3f}  {:.3f}\n", spec, row.name, 1e3 * median(row.samples[0]),
                 ratios[row.name][1].back(), ratios[row.name][2].back());
      results.push_back(std::move(result));
    }
    const auto forest = copse::spanning_forest(held, {.threads = 1});
    graphs.push_back({{"graph", spec}, {"vertices", held.vertices()}, {"components", forest.count()}, {"rows", std::move(results)}});
  }
  json medians = json::array();
  for (const auto& name : rows) {
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
