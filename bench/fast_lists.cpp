// copse_bench_fast_lists SPEC [THREADS] [TRIALS] > result.json
// What each idea of the fast path for edge lists gains on one graph, each edge of it once, either way round and shuffled: no idea, each
// alone, both; beside the rules as they stand. Trials are interleaved (every contender once, then again), every sample is kept. One thread
// runs the serial backend and is timed by its processor time; more run the omp backend and are timed by the wall clock. The number of
// components is counted outside the time.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <fast/solve_list.hpp>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "../cli/machine.hpp"
#include "samples.hpp"
#include "shuffled_edges.hpp"

namespace {

using copse::bench::median;
using copse::bench::now;
using copse::fast::list_options;
using id = std::uint32_t;

struct contender {
  std::string name;
  std::function<copse::labelling()> solve;
  std::vector<double> samples = {};
};

copse::labelling solve_list(const copse::bench::edge_stream& graph, unsigned threads, const list_options& ideas) {
  auto labels = copse::fast::labels_with_bits<id>(graph.vertices, copse::host_memory());
  const std::span<const copse::edge<id>> edges{graph.list};
  const auto solve = [&](const auto& backend) {
    copse::fast::solve_list(backend, edges, labels.span(), copse::fast::bits_behind(labels), {.threads = threads}, ideas);
  };
  if (threads == 1) {
    solve(copse::backend::serial{1});
  } else {
    solve(copse::backend::omp{threads});
  }
  return {std::move(labels), copse::vertex_names::identity(graph.vertices)};
}

}  // namespace

int main(int count, char** arguments) {
  if (!copse::cli::unfit_to_measure.empty()) {
    fmt::print(stderr, "copse_bench_fast_lists: refuses to measure {}\n", copse::cli::unfit_to_measure);
    return 2;
  }
  if (count < 2) {
    std::fputs("usage: copse_bench_fast_lists SPEC [THREADS] [TRIALS]\n", stderr);
    return 2;
  }
  const std::string spec = arguments[1];
  const auto threads = static_cast<unsigned>(count > 2 ? std::atoi(arguments[2]) : 1);
  const int trials = count > 3 ? std::atoi(arguments[3]) : 5;
  return copse::bench::run_and_tell("copse_bench_fast_lists", [&] {
    const auto graph = copse::bench::shuffled_edges_of(spec);
    std::vector<contender> contenders;
    for (const std::string name : {"auto", "serial.none.rem", "omp.none.rem_cas.naive.halve_one", "omp.none.rem_lock.naive.split_one"}) {
      if (threads == 1 && name.starts_with("omp")) continue;
      contenders.push_back({name, [&, name] {
                              const copse::coo_view<id> list{.vertex_count = graph.vertices, .edges = graph.list, .trusted = true};
                              return copse::components(copse::graph_view{list}, {.variant = name, .threads = threads}).labels;
                            }});
    }
    const auto add = [&](const std::string& name, const list_options& ideas) {
      contenders.push_back({name, [&, ideas] { return solve_list(graph, threads, ideas); }});
    };
    add("lists.base", {.prefetch = false, .past_giant = false});
    add("lists.only.prefetch", {.past_giant = false});
    add("lists.only.past_giant", {.prefetch = false});
    add("lists.all", {});

    std::uint64_t answer = 0;
    for (int trial = 0; trial <= trials; ++trial) {
      for (auto& c : contenders) {
        const double start = now(threads);
        const copse::labelling labels = c.solve();
        const double took = now(threads) - start;
        const std::uint64_t sum = copse::checksum(labels);
        if (answer == 0) answer = sum;
        if (sum != answer) throw copse::usage_error{c.name + " gives other labels"};
        if (trial > 0) c.samples.push_back(took);  // the first round warms caches and pages
      }
    }
    nlohmann::ordered_json seconds;
    for (const auto& c : contenders) {
      seconds[c.name] = {{"median", median(c.samples)}, {"samples", c.samples}};
      fmt::print(stderr, "{:9.3f} ms  {}\n", median(c.samples) * 1e3, c.name);
    }
    const nlohmann::ordered_json result{{"benchmark", "fast"},
                                        {"machine", copse::cli::machine_facts()},
                                        {"graph", spec},
                                        {"vertices", graph.vertices},
                                        {"edges", graph.list.size()},
                                        {"threads", threads},
                                        {"clock", threads == 1 ? "thread" : "wall"},
                                        {"checksum", fmt::format("{:016x}", answer)},
                                        {"seconds", seconds}};
    fmt::print("{}\n", result.dump(1));
    return 0;
  });
}
