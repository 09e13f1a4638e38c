// copse_bench_weighted_forest_gpu [--trials N] [--json OUT] SPEC...
// Minimum spanning forests of generated graphs with the weights of edge_weights.hpp, arcs, weights and all memory on the GPU before the
// clock starts, the forest left there: the whole of gpu_weighted_forest::find by the wall clock, once to warm up, then again; every sample
// is kept. Phases, by the GPU's clock, are of runs of their own. The forest's edges and total weight are told.
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

#include "asked.hpp"
#include "edge_weights_gpu.hpp"
#include "samples.hpp"

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

int run(const copse::bench::asked& asked) {
  const unsigned trials = asked.number("trials");
  copse::device::solver maker{{}};
  json graphs = json::array();
  for (const std::string& spec : asked.graphs()) {
    const auto generated = maker.generate(spec, [](const copse::device::graph_sizes& rows) -> const copse::variant_info& {
      return copse::variant::gpu_variant_ahead(rows.vertices, rows.arcs, "auto", copse::problem_kind::components).info;
    });
    const copse::device_graph_view rows = view_of(generated);
    const std::uint64_t arcs = generated.rows.view().rows.arcs;
    const std::uint32_t vertices = generated.rows.view().vertices;
    copse::buffer<std::uint32_t> weights{arcs, &maker.memory()};
    copse::bench::write_edge_weights(rows, weights.data());
    const copse::device_span<const std::uint32_t> column{weights.data(), arcs};

    copse::gpu_weighted_forest finder, timed{{.time_phases = true}};
    finder.reserve(vertices, arcs);
    const std::uint64_t edges = finder.find(rows, column).arcs.size();
    const std::uint64_t total = copse::bench::total_weight(finder.find(rows, column).arcs, weights.data());
    std::vector<double> samples;
    for (unsigned trial = 0; trial < trials; ++trial) {
      samples.push_back(copse::bench::seconds_of(0, [&] { static_cast<void>(finder.find(rows, column)); }));
    }
    finder = copse::gpu_weighted_forest{};  // their memory does not fit twice beside the largest graphs
    std::map<std::string, std::vector<double>, std::less<>> phases;
    for (unsigned trial = 0; trial <= trials; ++trial) {
      const auto& found = timed.find(rows, column);
      if (trial == 0) continue;
      for (const auto& p : found.phases) phases[std::string{p.name}].push_back(p.seconds);
    }
    std::string parts;
    for (const auto& [what, seconds] : phases) parts += fmt::format(" {} {:.2f}", what, 1e3 * copse::bench::median(seconds));
    fmt::print(stderr, "{:46} {:8.3f} ms ({:.3f} to {:.3f}), weight {} ({})\n", spec, 1e3 * copse::bench::median(samples),
               1e3 * *std::ranges::min_element(samples), 1e3 * *std::ranges::max_element(samples), total, parts);
    json row{{"row", "cuda.filter_boruvka"}, {"seconds", samples}, {"phases", phases}};
    graphs.push_back({{"graph", spec},
                      {"vertices", vertices},
                      {"arcs", arcs},
                      {"forest_edges", edges},
                      {"weight", total},
                      {"rows", json::array({std::move(row)})}});
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
  return copse::bench::run_and_tell("copse_bench_weighted_forest_gpu [--trials N] [--json OUT] SPEC...", [=] {
    return run({argc, argv, {{"trials", "15"}, {"json", ""}}});
  });
}
