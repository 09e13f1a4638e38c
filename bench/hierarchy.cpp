// copse_bench_hierarchy [--trials N] [--threads N] [--points N] [--pairs yes|no] [--batch N] [--json OUT] SPEC...
// What is made of a maximum spanning forest, of generated graphs with the weights of edge_weights.hpp. Times per graph, every sample kept:
//   forest      of rows in memory; with --pairs yes of shuffled pairs in two columns
//   dendrogram  of the forest: its edges sorted, then SciPy's linkage matrix
//   thresholds  of the forest: its edges sorted, then a curve of --points points
//   stream      with --pairs yes: the forest of the same pairs, in batches of --batch
#include <fmt/format.h>
#include <copse/copse.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asked.hpp"
#include "edge_weights.hpp"
#include "samples.hpp"
#include "shuffled_edges.hpp"

namespace {

using copse::bench::json;
using samples = std::vector<double>;

/// Seconds of each kind of work, and of its parts.
struct series {
  samples all;
  std::map<std::string, samples, std::less<>> phases;
};
using all_series = std::map<std::string, series, std::less<>>;

copse::weighted_forest_options options_for(unsigned threads) { return {.goal = copse::forest_goal::maximum, .threads = threads}; }

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

/// The dendrogram and the curve of one forest.
void use(const copse::weighted_forest_result& forest, unsigned threads, unsigned points, all_series& found) {
  clock watch{threads};
  const copse::hierarchy sorted{forest.edges, forest.weights.view()};
  const double sort = watch.lap();
  const auto merges = sorted.linkage();
  const double linkage = watch.lap();
  const auto curve = sorted.curve(sorted.levels(points));
  const double sweep = watch.lap();
  if (merges.size() + 1 != sorted.vertices() || curve.empty()) throw copse::error{"found a dendrogram or curve of another size"};
  auto& dendrogram = found["dendrogram"];
  dendrogram.all.push_back(sort + linkage);
  dendrogram.phases["sort"].push_back(sort);
  dendrogram.phases["linkage"].push_back(linkage);
  auto& thresholds = found["thresholds"];
  thresholds.all.push_back(sort + sweep);
  thresholds.phases["curve"].push_back(sweep);
}

struct columns {
  std::uint32_t vertices;
  std::vector<std::uint32_t> sources, targets, weights;
};
columns columns_of(const std::string& spec) {
  const auto stream = copse::bench::shuffled_edges_of(spec);
  columns pairs{stream.vertices, {}, {}, {}};
  for (const auto& e : stream.list) {
    pairs.sources.push_back(e.u);
    pairs.targets.push_back(e.v);
    pairs.weights.push_back(copse::bench::weight_of(e.u, e.v));
  }
  return pairs;
}

double streamed(const columns& pairs, const std::vector<double>& weights, unsigned threads, std::size_t batch, std::uint64_t expected) {
  clock watch{threads};
  copse::weighted_edge_sink sink{options_for(threads)};
  const std::span<const std::uint32_t> sources{pairs.sources}, targets{pairs.targets};
  for (std::size_t at = 0; at < sources.size(); at += batch) {
    const std::size_t count = std::min(batch, sources.size() - at);
    sink.add(sources.subspan(at, count), targets.subspan(at, count), std::span{weights}.subspan(at, count));
  }
  const std::uint64_t edges = sink.forest().edge_count();
  const double seconds = watch.lap();
  if (edges != expected) throw copse::error{fmt::format("streaming found a forest of {} edges, expected {}", edges, expected)};
  return seconds;
}

void measure_pairs(const std::string& spec, const copse::bench::asked& asked, all_series& found) {
  const unsigned threads = asked.number("threads");
  const columns pairs = columns_of(spec);
  const std::vector<double> doubles(pairs.weights.begin(), pairs.weights.end());
  for (unsigned trial = 0; trial < asked.number("trials"); ++trial) {
    clock watch{threads};
    const auto forest = copse::weighted_forest(copse::edge_columns_view<std::uint32_t>{pairs.vertices, pairs.sources, pairs.targets},
                                               std::span<const std::uint32_t>{pairs.weights}, options_for(threads));
    found["forest"].all.push_back(watch.lap());
    use(forest, threads, asked.number("points"), found);
    found["stream"].all.push_back(streamed(pairs, doubles, threads, asked.number("batch"), forest.edge_count()));
  }
}

void measure_rows(const std::string& spec, const copse::bench::asked& asked, all_series& found) {
  const unsigned threads = asked.number("threads");
  const copse::graph rows = copse::gen::generate(spec);
  const auto weights = copse::bench::weights_of(rows, copse::usable_threads(0));
  for (unsigned trial = 0; trial < asked.number("trials"); ++trial) {
    clock watch{threads};
    const auto forest = copse::weighted_forest(rows.view(), weights.span(), options_for(threads));
    found["forest"].all.push_back(watch.lap());
    use(forest, threads, asked.number("points"), found);
  }
}

int run(const copse::bench::asked& asked) {
  const unsigned threads = asked.number("threads");
  const bool pairs = asked["pairs"] == "yes";
  json graphs = json::array();
  for (const std::string& spec : asked.graphs()) {
    all_series found;
    (pairs ? measure_pairs : measure_rows)(spec, asked, found);
    json results = json::array();
    for (const auto& [what, measured] : found) {
      std::string parts;
      for (const auto& [name, seconds] : measured.phases) parts += fmt::format(" {} {:.1f}", name, 1e3 * copse::bench::median(seconds));
      fmt::print(stderr, "{:50} {:12} {} threads {:9.1f} ms ({})\n", spec, what, threads, 1e3 * copse::bench::median(measured.all), parts);
      results.push_back({{"row", what}, {"seconds", measured.all}, {"phases", measured.phases}});
    }
    graphs.push_back({{"graph", spec}, {"rows", std::move(results)}});
  }
  json result = copse::bench::result_of("hierarchy", threads);
  result["pairs"] = pairs;
  result["points"] = asked.number("points");
  result["batch"] = asked.number("batch");
  result["graphs"] = std::move(graphs);
  copse::bench::write_result(asked["json"], result);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_and_tell(
      "copse_bench_hierarchy [--trials N] [--threads N] [--points N] [--pairs yes|no] [--batch N] [--json OUT] SPEC...", [=] {
        return run(
            {argc, argv, {{"trials", "5"}, {"threads", "1"}, {"points", "1000"}, {"pairs", "no"}, {"batch", "1000000"}, {"json", ""}}});
      });
}
