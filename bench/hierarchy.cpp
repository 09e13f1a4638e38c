// copse_bench_hierarchy [--trials N] [--threads N] [--gpu yes|no] [--points N] [--batch N] [--json OUT] SPEC...
// What is made of a maximum spanning forest, of generated graphs with the weights of edge_weights.hpp. A spec pairs:n=N,m=M stands for M
// random pairs of N records in random order, in two columns. Times per graph, every sample kept:
//   forest      of rows or pairs in memory
//   dendrogram  of the forest: SciPy's linkage matrix; with --gpu yes also of the forest in host memory by a GPU, with the copies (phases)
//   thresholds  of the forest of pairs: --points of its weights, then the curve of these
//   stream      the forest of pairs again, in batches of --batch
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <copse/hierarchy.hpp>
#include <core/parallel.hpp>
#include <core/random.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "benchmark.hpp"
#include "edge_weights.hpp"

namespace {

using copse::bench::json;
using samples = std::vector<double>;

/// Seconds of each kind of work, and of its parts.
struct series {
  samples all;
  std::map<std::string, samples, std::less<>> phases;
};
using all_series = std::map<std::string, series, std::less<>>;

constexpr auto maximum = copse::forest_goal::maximum;

class clock {
public:
  explicit clock(unsigned threads) : threads_{threads}, last_{copse::bench::now(threads)} {}
  double lap() {
    const double before = last_;
    return (last_ = copse::bench::now(threads_)) - before;
  }

private:
  unsigned threads_;
  double last_;
};

void add(const copse::dendrogram_result& result, double seconds, series& found) {
  found.all.push_back(seconds);
  for (const auto& p : result.report.phases) found.phases[std::string{p.name}].push_back(p.seconds);
}

void make_dendrograms(const copse::weighted_forest_result& forest, const copse::bench::benchmark_arguments& asked, all_series& found) {
  const unsigned threads = asked.number("threads");
  clock watch{threads};
  {
    const auto result = copse::dendrogram(forest.edges, forest.weights.view(), {}, {.threads = threads});
    add(result, watch.lap(), found["dendrogram"]);
  }
  if (asked["gpu"] == "yes") {
    watch.lap();
    const auto result = copse::dendrogram(forest.edges, forest.weights.view(), {}, {.device = "cuda", .threads = threads});
    add(result, watch.lap(), found["cuda.dendrogram"]);
  }
}

void ask_thresholds(const copse::weighted_forest_result& forest, const copse::bench::benchmark_arguments& asked, all_series& found) {
  const unsigned threads = asked.number("threads");
  clock watch{threads};
  const auto levels = copse::threshold_levels(forest.weights.view(), asked.number("points"), {.threads = threads});
  const double choice = watch.lap();
  const auto curve = copse::threshold_curve(forest.edges, forest.weights.view(), levels, {.threads = threads});
  const double rounds = watch.lap();
  if (curve.empty() || curve.back().components != forest.count()) throw copse::error{"found a curve that does not end at the components"};
  auto& thresholds = found["thresholds"];
  thresholds.all.push_back(choice + rounds);
  thresholds.phases["levels"].push_back(choice);
  thresholds.phases["curve"].push_back(rounds);
}

/// Pairs of records, and how alike the two are.
struct record_pairs {
  std::uint32_t records;
  copse::buffer<std::uint32_t> left, right;
  copse::buffer<double> weights;
};
record_pairs pairs_of(std::uint32_t records, std::size_t count) {
  record_pairs pairs{records, copse::buffer<std::uint32_t>{count}, copse::buffer<std::uint32_t>{count}, copse::buffer<double>{count}};
  const copse::random_stream left{5, 1}, right{5, 2}, weights{5, 3};
  copse::parallel_blocks(copse::usable_threads(0), count, std::size_t{1} << 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      pairs.left[i] = static_cast<std::uint32_t>(left.below(i, records));
      pairs.right[i] = static_cast<std::uint32_t>(right.below(i, records));
      pairs.weights[i] = static_cast<double>(weights.word(i) >> 40) / 16777216;
    }
  });
  return pairs;
}

double streamed(const record_pairs& pairs, unsigned threads, std::size_t batch, std::uint64_t expected) {
  clock watch{threads};
  copse::weighted_edge_sink sink{{.goal = maximum}, {.threads = threads}};
  for (std::size_t at = 0; at < pairs.left.size(); at += batch) {
    const std::size_t count = std::min(batch, pairs.left.size() - at);
    sink.add(pairs.left.span().subspan(at, count), pairs.right.span().subspan(at, count), pairs.weights.span().subspan(at, count));
  }
  const std::uint64_t edges = sink.forest().edge_count();
  const double seconds = watch.lap();
  if (edges != expected) throw copse::error{fmt::format("streaming found a forest of {} edges, expected {}", edges, expected)};
  return seconds;
}

void measure_pairs(std::uint32_t records, std::size_t count, const copse::bench::benchmark_arguments& asked, all_series& found) {
  const unsigned threads = asked.number("threads");
  const record_pairs pairs = pairs_of(records, count);
  for (unsigned trial = 0; trial < asked.number("trials"); ++trial) {
    clock watch{threads};
    const auto forest = copse::weighted_forest(copse::edge_columns_view<std::uint32_t>{records, pairs.left.span(), pairs.right.span()},
                                               pairs.weights.span(), {.goal = maximum}, {.threads = threads});
    found["forest"].all.push_back(watch.lap());
    make_dendrograms(forest, asked, found);
    ask_thresholds(forest, asked, found);
    found["stream"].all.push_back(streamed(pairs, threads, asked.number("batch"), forest.edge_count()));
  }
}

void measure_rows(const std::string& spec, const copse::bench::benchmark_arguments& asked, all_series& found) {
  const unsigned threads = asked.number("threads");
  const copse::graph rows = copse::gen::generate(spec);
  const auto weights = copse::bench::weights_of(rows, copse::usable_threads(0));
  for (unsigned trial = 0; trial < asked.number("trials"); ++trial) {
    clock watch{threads};
    const auto forest = copse::weighted_forest(rows.view(), weights.span(), {.goal = maximum}, {.threads = threads});
    found["forest"].all.push_back(watch.lap());
    make_dendrograms(forest, asked, found);
  }
}

void run(const copse::bench::benchmark_arguments& asked) {
  const unsigned threads = asked.number("threads");
  json head = copse::bench::result_of("hierarchy", threads);
  head["points"] = asked.number("points");
  head["batch"] = asked.number("batch");
  copse::bench::measure_each(asked, head, [&](const std::string& spec) -> json {
    all_series found;
    unsigned records = 0;
    unsigned long long pairs = 0;
    if (std::sscanf(spec.c_str(), "pairs:n=%u,m=%llu", &records, &pairs) == 2) {
      measure_pairs(records, pairs, asked, found);
    } else {
      measure_rows(spec, asked, found);
    }
    json results = json::array();
    for (const auto& [what, measured] : found) {
      std::string parts;
      for (const auto& [name, seconds] : measured.phases) parts += fmt::format(" {} {:.1f}", name, 1e3 * copse::bench::median(seconds));
      fmt::print(stderr, "{:40} {:16} {} threads {:9.1f} ms ({})\n", spec, what, threads, 1e3 * copse::bench::median(measured.all), parts);
      results.push_back({{"row", what}, {"seconds", measured.all}, {"phases", measured.phases}});
    }
    return {{"graph", spec}, {"rows", std::move(results)}};
  });
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(
      argc, argv, "copse_bench_hierarchy", "SPEC...",
      {{"trials", "5"}, {"threads", "1"}, {"gpu", "no"}, {"points", "1000"}, {"batch", "1000000"}, {"json", ""}}, run);
}
