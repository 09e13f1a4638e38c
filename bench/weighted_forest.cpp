// copse_bench_weighted_forest [--trials N] [--threads N] [--variants NAME,NAME...] [--json OUT] SPEC...
// Minimum spanning forests of generated graphs with the weights of edge_weights.hpp, all resident: each variant once, then again; every
// sample is kept. All variants must find forests of one total weight, which is told. The variant plain.kruskal is no variant of copse: it
// is plain_kruskal() below, on one thread.
#include <fmt/format.h>
#include <copse/copse.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "benchmark.hpp"
#include "edge_weights.hpp"

namespace {

using copse::bench::json;

// Kruskal's algorithm as textbooks have it: what our own variants on one thread are measured against.

struct plain_edge {
  std::uint32_t weight, u, v;
};

/// The minimum spanning forest of rows, by std::sort of all edges by weight, and union-find with halving of ways.
template <class Rows>
std::vector<plain_edge> plain_kruskal(const Rows& rows, std::span<const std::uint32_t> weights) {
  std::vector<plain_edge> edges, forest;
  edges.reserve(weights.size() / 2);
  for (std::uint32_t u = 0; u < rows.vertices(); ++u) {
    for (auto a = rows.offsets[u]; a < rows.offsets[u + 1]; ++a) {
      if (u < rows.targets[a]) edges.push_back({weights[a], u, static_cast<std::uint32_t>(rows.targets[a])});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const plain_edge& a, const plain_edge& b) { return a.weight < b.weight; });
  std::vector<std::uint32_t> parents(rows.vertices());
  std::iota(parents.begin(), parents.end(), 0u);
  const auto root = [&parents](std::uint32_t v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
  };
  for (const plain_edge& e : edges) {
    const std::uint32_t u = root(e.u), v = root(e.v);
    if (u == v) continue;
    parents[std::max(u, v)] = std::min(u, v);
    forest.push_back(e);
  }
  return forest;
}

/// What one run found and took.
struct forest_run {
  std::string ran;
  std::uint64_t total = 0;
  double seconds = 0;
  std::vector<copse::phase> phases;
};

forest_run run_plain(const copse::graph& rows, std::span<const std::uint32_t> weights) {
  return std::visit(
      [&](const auto& shape) -> forest_run {
        if constexpr (requires { shape.offsets; }) {
          const double start = copse::bench::now(1);
          const auto forest = plain_kruskal(shape.view(), weights);
          forest_run found{.ran = "plain.kruskal", .total = 0, .seconds = copse::bench::now(1) - start, .phases = {}};
          for (const auto& e : forest) found.total += e.weight;
          return found;
        } else {
          throw copse::usage_error{"plain.kruskal: found no rows, expected some"};
        }
      },
      rows.shape());
}

forest_run run_variant(const copse::graph& rows, std::span<const std::uint32_t> weights, const std::string& variant, unsigned threads) {
  const double start = copse::bench::now(threads);
  const auto forest = copse::weighted_forest(rows.view(), weights, {.variant = variant}, {.threads = threads});
  forest_run found{.ran = forest.report.variant, .total = 0, .seconds = copse::bench::now(threads) - start, .phases = forest.report.phases};
  for (const auto w : std::get<copse::buffer<std::uint32_t>>(forest.weights.held())) found.total += w;
  return found;
}

int run(const copse::bench::benchmark_arguments& asked) {
  const auto variants = asked.words("variants");
  const unsigned trials = asked.number("trials"), threads = asked.number("threads");
  json graphs = json::array();
  for (const std::string& spec : asked.graphs()) {
    const copse::graph rows = copse::gen::generate(spec);
    const auto weights = copse::bench::weights_of(rows, copse::usable_threads(0));
    json results = json::array();
    std::uint64_t total = 0;
    for (const auto& name : variants) {
      std::vector<double> samples;
      std::map<std::string, std::vector<double>, std::less<>> phases;
      std::string ran;
      for (unsigned trial = 0; trial <= trials; ++trial) {
        const forest_run found =
            name == "plain.kruskal" ? run_plain(rows, weights.span()) : run_variant(rows, weights.span(), name, threads);
        if (trial == 0) {  // a warming run, which is not kept
          if (total != 0 && found.total != total)
            throw copse::error{fmt::format("{}: {} found a forest of {}, others {}", spec, name, found.total, total)};
          total = found.total;
          ran = found.ran;
          continue;
        }
        samples.push_back(found.seconds);
        for (const auto& p : found.phases) phases[std::string{p.name}].push_back(p.seconds);
      }
      std::string parts;
      for (const auto& [what, seconds] : phases) parts += fmt::format(" {} {:.1f}", what, 1e3 * copse::bench::median(seconds));
      fmt::print(stderr, "{:50} {:24} {} threads {:9.1f} ms ({})\n", spec, ran, threads, 1e3 * copse::bench::median(samples), parts);
      results.push_back({{"row", ran}, {"seconds", samples}, {"phases", phases}});
    }
    graphs.push_back({{"graph", spec}, {"vertices", rows.vertices()}, {"arcs", weights.size()}, {"weight", total}, {"rows", results}});
  }
  json result = copse::bench::result_of("weighted_forest", threads);
  result["trials"] = trials;
  result["graphs"] = std::move(graphs);
  copse::bench::write_result(asked["json"], result);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_and_tell("copse_bench_weighted_forest [--trials N] [--threads N] [--variants NAME,NAME...] [--json OUT] SPEC...",
                                    [=] {
                                      return run({argc, argv, {{"trials", "7"}, {"threads", "1"}, {"variants", "auto"}, {"json", ""}}});
                                    });
}
