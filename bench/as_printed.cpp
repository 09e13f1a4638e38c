// copse_bench_as_printed SPEC... [--threads N] [--trials N] [--json OUT]
// CC, CC-updt and Stages of Cong and Muzio as they print them (as_printed.hpp), over lists of edges in random order; and the same with a
// look before each store (cc_looking, ...). Each solve has a list of its own, copied before the clock starts. They take turns and must find
// the same labels.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <core/random.hpp>

#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "as_printed.hpp"
#include "benchmark.hpp"

namespace {

using copse::bench::as_printed;
using copse::bench::json;
using id = as_printed::id;
using list = std::vector<copse::edge<id>>;

struct printed_way {
  const char* name;
  bool looks;
  std::function<void(as_printed&, list&)> solve;
  std::vector<double> samples = {};
  unsigned rounds = 0;
};

/// The edges of a graph as it is made, shuffled.
list random_order(const copse::coo<id>& drawn) {
  list shuffled(drawn.edges.size());
  const copse::permutation order{shuffled.size(), copse::random_stream{7, 2}};
  for (std::size_t i = 0; i < shuffled.size(); ++i) shuffled[order(i)] = drawn.edges[i];
  return shuffled;
}

void measure(const std::string& spec, unsigned threads, unsigned trials, json& series) {
  const copse::graph g = copse::gen::generate_edges(spec);
  const auto& drawn = std::get<copse::coo<id>>(g.shape());
  const list edges = random_order(drawn);
  const auto cc = [](as_printed& d, list& l) { d.cc(l); };
  const auto cc_updt = [](as_printed& d, list& l) { d.cc_updt(l); };
  const auto stages = [](as_printed& d, list& l) { d.stages(l); };
  std::vector<printed_way> ways{{"cc", false, cc},        {"cc_updt", false, cc_updt},        {"stages", false, stages},
                                {"cc_looking", true, cc}, {"cc_updt_looking", true, cc_updt}, {"stages_looking", true, stages}};
  std::vector<id> answer;
  for (unsigned trial = 0; trial <= trials; ++trial) {
    for (printed_way& w : ways) {
      list own = edges;
      const double begin = copse::bench::now(threads);
      as_printed solved{threads, static_cast<id>(drawn.vertex_count), w.looks};
      w.solve(solved, own);
      const double took = copse::bench::now(threads) - begin;
      if (trial > 0) w.samples.push_back(1e3 * took);  // the first turn warms up
      if (answer.empty()) answer = solved.labels();
      if (answer != solved.labels()) throw copse::error{fmt::format("{} gives other labels of {}", w.name, spec)};
      w.rounds = solved.rounds();
    }
  }
  for (const printed_way& w : ways) {
    fmt::print(stderr, "{:<15} {:>10.3f} ms  {} rounds  {}\n", w.name, copse::bench::median(w.samples), w.rounds, spec);
    const json common{{"graph", spec}, {"variant", fmt::format("way.{}", w.name)}, {"threads", threads}};
    for (const auto& [measure, unit, samples] :
         {std::tuple{"solve", "ms", json(w.samples)}, std::tuple{"rounds", "count", json::array({w.rounds})}}) {
      json one = common;
      one["measure"] = measure;
      one["unit"] = unit;
      one["samples"] = samples;
      series.push_back(std::move(one));
    }
  }
}

void run(const copse::bench::benchmark_arguments& asked) {
  const unsigned threads = asked.number("threads");
  json series = json::array();
  for (const std::string& spec : asked.graphs()) measure(spec, threads, asked.number("trials"), series);
  json result = copse::bench::result_of("series", threads);
  result["series"] = std::move(series);
  asked.write(result);
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(argc, argv, "copse_bench_as_printed", "SPEC...", {{"threads", "1"}, {"trials", "5"}, {"json", ""}},
                                     run);
}
