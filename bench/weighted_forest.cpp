// copse_bench_weighted_forest [--trials N] [--threads N] [--variants NAME,NAME...] [--json OUT] SPEC...
// Minimum spanning forests of generated graphs with the weights of edge_weights.hpp, all resident: each variant once, then again; every
// sample is kept. All variants must find forests of one total weight, which is told. The variant plain.kruskal is no variant of copse: it
// is plain_kruskal.hpp, on one thread.
#include <fmt/format.h>
#include <copse/copse.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "asked.hpp"
#include "edge_weights.hpp"
#include "plain_kruskal.hpp"
#include "samples.hpp"

namespace {

using copse::bench::json;

/// What one run found and took.
struct outcome {
  std::string ran;
  std::uint64_t total = 0;
  double seconds = 0;
  std::vector<copse::phase> phases;
};

outcome run_plain(const copse::graph& rows, std::span<const std::uint32_t> weights) {
  return std::visit(
      [&](const auto& shape) -> outcome {
        if constexpr (requires { shape.offsets; }) {
          const double start = copse::bench::now(1);
          const auto forest = copse::bench::plain_kruskal(shape.view(), weights);
          outcome found{.ran = "plain.kruskal", .total = 0, .seconds = copse::bench::now(1) - start, .phases = {}};
          for (const auto& e : forest) found.total += e.weight;
          return found;
        } else {
          throw copse::usage_error{"plain.kruskal: found no rows, expected some"};
        }
      },
      rows.shape());
}

outcome run_variant(const copse::graph& rows, std::span<const std::uint32_t> weights, const std::string& variant, unsigned threads) {
  const double start = copse::bench::now(threads);
  const auto forest = copse::weighted_forest(rows.view(), weights, {.variant = variant, .threads = threads});
  outcome found{.ran = forest.report.variant, .total = 0, .seconds = copse::bench::now(threads) - start, .phases = forest.report.phases};
  for (const auto w : std::get<copse::buffer<std::uint32_t>>(forest.weights.held())) found.total += w;
  return found;
}

int run(const copse::bench::asked& asked) {
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
        const outcome found = name == "plain.kruskal" ? run_plain(rows, weights.span()) : run_variant(rows, weights.span(), name, threads);
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
