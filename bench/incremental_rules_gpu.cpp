// copse_bench_incremental_rules_gpu TRIALS OUT.json VARIANTS GRAPH...
// Every rule of incremental connectivity on a GPU (VARIANTS: a pattern such as "cuda.none.*"): all edges of a graph, each once, turned round
// and shuffled at random, as one resident batch; and a resident batch of as many queries of random pairs as inserts, one after the other by
// turns, phased and concurrent. A trial goes from a fresh structure, whose roots are planted, to the end of the last kernel, by the wall
// clock; rules and ways are interleaved. All must find the same number of components; in the median sample of a way stand all operations.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <core/random.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "samples.hpp"
#include "shuffled_edges.hpp"

namespace {

using copse::bench::json;
using copse::bench::median;

using id = std::uint32_t;
using copse::operation;

constexpr std::size_t most_pairs = std::size_t{1} << 27;

struct way {
  std::string variant, name;
  std::optional<copse::mixing> how;  ///< not set: inserts alone
  std::vector<double> samples = {};
};

json measure(const std::string& name, const std::string& pattern, unsigned trials) {
  const auto stream = copse::bench::shuffled_edges_of(name);
  copse::gpu_incremental keeper(1);
  const std::size_t inserts = std::min(stream.list.size(), most_pairs / 2);
  std::vector<copse::edge<id>> pairs(2 * inserts);
  std::vector<operation> kinds(2 * inserts);
  const copse::random_stream random{7, 3};
  for (std::size_t i = 0; i < inserts; ++i) {
    pairs[2 * i] = stream.list[i];
    pairs[2 * i + 1] = {static_cast<id>(random.below(2 * i, stream.vertices)), static_cast<id>(random.below(2 * i + 1, stream.vertices))};
    kinds[2 * i + 1] = operation::query;
  }
  const auto edges_there = keeper.to_gpu(stream.list);
  const auto pairs_there = keeper.to_gpu(pairs);
  const auto kinds_there = keeper.to_gpu(std::span<const operation>{kinds});
  auto answers = keeper.answers_on_gpu(pairs.size());

  std::vector<way> ways;
  for (const auto* variant : copse::variants_matching(pattern, copse::problem_kind::incremental)) {
    if (variant->backend != "cuda") continue;
    ways.push_back({variant->name, "inserts", std::nullopt});
    ways.push_back({variant->name, "phased", copse::mixing::phased});
    if (!copse::incremental_refusal(variant->name, copse::mixing::concurrent)) {
      ways.push_back({variant->name, "concurrent", copse::mixing::concurrent});
    }
  }
  std::optional<std::uint64_t> components, of_mixed;
  for (unsigned trial = 0; trial <= trials; ++trial) {
    for (auto& w : ways) {
      copse::gpu_incremental live(stream.vertices, {.variant = w.variant});
      live.wait();
      const double took = copse::bench::seconds_of(0, [&] {
        if (w.how) {
          live.apply_resident({pairs_there.data(), pairs_there.size()}, {kinds_there.data(), kinds_there.size()},
                              {answers.data(), answers.size()}, *w.how);
        } else {
          live.insert_resident({edges_there.data(), edges_there.size()});
        }
        live.wait();
      });
      if (trial > 0) w.samples.push_back(took);
      auto& known = w.how ? of_mixed : components;
      if (!known) known = live.count();
      if (live.count() != *known) throw copse::error{fmt::format("{} ({}) finds other components", w.variant, w.name)};
    }
  }
  json rows = json::array();
  for (const auto& w : ways) {
    const std::size_t operations = w.how ? pairs.size() : stream.list.size();
    const double seconds = median(w.samples), rate = static_cast<double>(operations) / seconds;
    fmt::print(stderr, "{:24} {:44} {:10} {:9.3f} ms {:8.2f} G/s\n", name, w.variant, w.name, seconds * 1e3, rate * 1e-9);
    rows.push_back({{"variant", w.variant},
                    {"way", w.name},
                    {"operations", operations},
                    {"median_seconds", seconds},
                    {"operations_per_second", rate},
                    {"seconds_all", w.samples}});
  }
  return {{"graph", name}, {"vertices", stream.vertices}, {"edges", stream.list.size()}, {"components", *components}, {"rows", rows}};
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_and_tell("copse_bench_incremental_rules_gpu TRIALS OUT.json VARIANTS GRAPH...", [=] {
    if (argc < 5) throw std::invalid_argument{"found too few arguments"};
    const auto trials = static_cast<unsigned>(std::stoul(argv[1]));
    json result = copse::bench::result_of("incremental_rules_gpu");
    const auto gpus = copse::gpus();
    if (gpus.empty()) throw copse::resource_error{"found no GPU, expected one"};
    result["gpu"] = gpus.front().name;
    result["graphs"] = json::array();
    for (const std::string name : std::span{argv + 4, argv + argc}) {
      result["graphs"].push_back(measure(name, argv[3], trials));
      copse::bench::write_result(argv[2], result);  // after each: the next may be killed
    }
    return 0;
  });
}
