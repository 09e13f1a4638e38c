// copse_bench_incremental_counts SPEC [--threads N] [--variants A,B] [--batches 1000,10000] [--json OUT]
// How many edges rules in rounds inspect while a stream is inserted, against the size of its batches (1000 .. all), as in Figure 9 of the
// GConn paper: `whole` where rounds visit all edges of their batch, as there, and `roots` where they visit those between different roots,
// as ours do. Each edge of the generated graph once, in either direction and shuffled at random: the stream of copse_bench_incremental.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <variants/round_counts.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmark.hpp"
#include "shuffled_edges.hpp"

namespace {

using copse::bench::json;
using copse::drivers::round_edges;

std::vector<std::size_t> batches_of(const copse::bench::benchmark_arguments& asked, std::size_t all) {
  std::vector<std::size_t> sizes = asked.numbers<std::size_t>("batches");
  if (sizes.empty()) {
    for (std::size_t batch = 1000; batch < all; batch *= 10) sizes.push_back(batch);
    sizes.push_back(all);
  }
  return sizes;
}

void run(const copse::bench::benchmark_arguments& asked) {
  const std::string& spec = asked.graphs().front();
  const unsigned threads = asked.number("threads");
  const auto stream = copse::bench::shuffled_edges_of(spec);
  json series = json::array();
  std::uint64_t components = 0;
  for (const std::string& variant : asked.words("variants")) {
    for (const std::size_t batch : batches_of(asked, stream.list.size())) {
      for (const auto& [visited, name] : {std::pair{round_edges::whole_batch, "whole"}, {round_edges::between_roots, "roots"}}) {
        const auto counts = copse::variant::count_rounds(variant, threads, stream.vertices, stream.list, batch, visited);
        if (components == 0) components = counts.components;
        if (counts.components != components) {
          throw copse::error{fmt::format("{} finds {} components, not {}", variant, counts.components, components)};
        }
        const std::string size = batch == stream.list.size() ? "all" : std::to_string(batch);
        fmt::print(stderr, "{:>14} edges inspected  batch {:>9}  {}  {}\n", counts.edges, size, name, variant);
        series.push_back({{"graph", spec},
                          {"variant", variant},
                          {"setting", fmt::format("batch={} rounds={}", size, name)},
                          {"measure", "inspected_edges"},
                          {"unit", "count"},
                          {"threads", threads},
                          {"samples", {counts.edges}}});
      }
    }
  }
  json result = copse::bench::result_of("series", threads);
  result["edges"] = stream.list.size();
  result["components"] = components;
  result["series"] = std::move(series);
  asked.write(result);
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(
      argc, argv, "copse_bench_incremental_counts", "SPEC",
      {{"threads", "1"}, {"variants", "threads.none.shiloach_vishkin,threads.none.liu_tarjan.PRF"}, {"batches", ""}, {"json", ""}}, run);
}
