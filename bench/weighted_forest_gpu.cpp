// copse_bench_weighted_forest_gpu [--trials N] [--variants NAME,NAME...] [--json OUT] SPEC...
// Minimum spanning forests of generated graphs with the weights of edge_weights.hpp, arcs, weights and all memory on the GPU before the
// clock starts, the forest left there: the whole of gpu_weighted_forest::find by the wall clock, once to warm up, then again; every sample
// is kept. Phases, by the GPU's clock, are of runs of their own. The forest's edges and total weight are told; all variants must find the
// same.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <copse/cuda_weighted_forest.hpp>
#include <device/solver.hpp>
#include <variants/gpu_choice.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "benchmark.hpp"
#include "edge_weights.hpp"

namespace {

using copse::bench::json;

copse::device_graph_view view_of(const copse::device::solver::read_rows& generated) {
  const auto view = [](const auto& rows) {
    return copse::device_csr_view<typename std::remove_cvref_t<decltype(rows)>::offset_type>{
        .offsets = {rows.offsets.data(), rows.offsets.size()},
        .targets = {rows.targets.data(), rows.targets.size()},
        .symmetric = copse::symmetry::yes,
        .sorted = true,
        .trusted = true};
  };
  if (generated.wide.offsets.empty()) return view(generated.narrow);
  return view(generated.wide);
}

struct forest_sum {
  std::uint64_t edges = 0, weight = 0;
  bool operator==(const forest_sum&) const = default;
};
struct timed_finds {
  forest_sum sum;
  std::vector<double> samples;
  std::map<std::string, std::vector<double>, std::less<>> phases;
};

/// One finder after the other: the memory of two does not fit beside the largest graphs.
timed_finds time_finds(const std::string& variant, const copse::device_graph_view& rows, copse::device_span<const std::uint32_t> weights,
                       unsigned trials) {
  timed_finds result;
  {
    copse::gpu_weighted_forest finder{{.variant = variant}};
    const auto& warming = finder.find(rows, weights);  // takes the memory
    result.sum = {warming.arcs.size(), copse::bench::total_weight(warming.arcs, weights.data())};
    for (unsigned trial = 0; trial < trials; ++trial) {
      result.samples.push_back(copse::bench::seconds_of(0, [&] { static_cast<void>(finder.find(rows, weights)); }));
    }
  }
  copse::gpu_weighted_forest timed{{.variant = variant, .time_phases = true}};
  for (unsigned trial = 0; trial <= trials; ++trial) {
    const auto& found = timed.find(rows, weights);
    if (trial == 0) continue;
    for (const auto& p : found.phases) result.phases[std::string{p.name}].push_back(p.seconds);
  }
  return result;
}

int run(const copse::bench::benchmark_arguments& asked) {
  const unsigned trials = asked.number("trials");
  copse::device::solver maker{{}};
  json graphs = json::array();
  for (const std::string& spec : asked.graphs()) {
    const auto generated = maker.generate(spec, [](const copse::device::graph_sizes& rows) -> const copse::variant_info& {
      return copse::variant::gpu_variant_ahead(rows.vertices, rows.arcs, "auto", copse::problem_kind::components).info;
    });
    const copse::device_graph_view rows = view_of(generated);
    const std::uint64_t arcs = generated.rows.view().rows.arcs;
    copse::buffer<std::uint32_t> weights{arcs, &maker.memory()};
    copse::bench::write_edge_weights(rows, weights.data());
    const copse::device_span<const std::uint32_t> column{weights.data(), arcs};

    forest_sum sum;
    json results = json::array();
    for (const std::string& name : asked.words("variants")) {
      const timed_finds found = time_finds(name, rows, column, trials);
      if (sum.edges != 0 && sum != found.sum) {
        throw copse::error{fmt::format("{}: {} found {} edges of weight {}, others {} of {}", spec, name, found.sum.edges, found.sum.weight,
                                       sum.edges, sum.weight)};
      }
      sum = found.sum;
      std::string parts;
      for (const auto& [what, seconds] : found.phases) parts += fmt::format(" {} {:.2f}", what, 1e3 * copse::bench::median(seconds));
      fmt::print(stderr, "{:46} {:20} {:8.3f} ms ({:.3f} to {:.3f}), weight {} ({})\n", spec, name,
                 1e3 * copse::bench::median(found.samples), 1e3 * *std::ranges::min_element(found.samples),
                 1e3 * *std::ranges::max_element(found.samples), sum.weight, parts);
      results.push_back({{"row", name}, {"seconds", found.samples}, {"phases", found.phases}});
    }
    graphs.push_back({{"graph", spec},
                      {"vertices", generated.rows.view().vertices},
                      {"arcs", arcs},
                      {"forest_edges", sum.edges},
                      {"weight", sum.weight},
                      {"rows", std::move(results)}});
  }
  json result = copse::bench::result_of("weighted_forest_gpu");
  result["gpu"] = copse::gpus().front().name;
  result["trials"] = trials;
  result["graphs"] = std::move(graphs);
  copse::bench::write_result(asked["json"], result);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_and_tell("copse_bench_weighted_forest_gpu [--trials N] [--variants NAME,NAME...] [--json OUT] SPEC...", [=] {
    return run({argc, argv, {{"trials", "15"}, {"variants", "cuda.filter_boruvka"}, {"json", ""}}});
  });
}
