// copse_bench_incremental_rules_gpu TRIALS OUT.json VARIANTS BATCHES GRAPH...
// Every rule of incremental connectivity on a GPU (VARIANTS: a pattern such as "cuda.none.*"): all edges of a graph, each once, turned
// round and shuffled at random, in resident batches (BATCHES: sizes, such as 10000,all); and, where all is among them, a resident batch of
// as many queries of random pairs as inserts, one after the other by turns, phased and concurrent. A trial goes from a fresh structure,
// whose roots are planted, to the end of the last kernel, by the wall clock; rules and ways are interleaved. All must find the same number
// of components; in the median sample of a way stand all operations.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <core/random.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../cli/words.hpp"
#include "benchmark.hpp"
#include "shuffled_edges.hpp"

namespace {

using copse::bench::json;
using copse::bench::median;

using id = std::uint32_t;
using copse::operation;

constexpr std::size_t most_pairs = std::size_t{1} << 27;

struct rule_way {
  std::string variant, name;
  std::size_t batch = 0;
  std::optional<copse::mixing> how = std::nullopt;  ///< not set: inserts alone
  std::vector<double> samples = {};
};

/// "all" is SIZE_MAX.
std::vector<std::size_t> sizes_of(const std::string& list) {
  std::vector<std::size_t> sizes;
  for (const auto& size : copse::cli::comma_separated(list)) sizes.push_back(size == "all" ? SIZE_MAX : std::stoull(size));
  return sizes;
}

json measure(const std::string& name, const std::string& pattern, const std::vector<std::size_t>& sizes, unsigned trials) {
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

  std::vector<rule_way> ways;
  for (const auto* variant : copse::variants_matching(pattern, copse::problem_kind::incremental)) {
    if (variant->backend != "cuda") continue;
    for (const std::size_t size : sizes) {
      ways.push_back({variant->name, "inserts", std::min(size, stream.list.size())});
      if (size != SIZE_MAX) continue;
      for (const auto how : {copse::mixing::phased, copse::mixing::concurrent}) {
        if (copse::incremental_refusal(variant->name, how)) continue;
        ways.push_back({variant->name, how == copse::mixing::phased ? "phased" : "concurrent", pairs.size(), how});
      }
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
          for (std::size_t at = 0; at < edges_there.size(); at += w.batch) {
            live.insert_resident({edges_there.data() + at, std::min(w.batch, edges_there.size() - at)});
          }
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
    fmt::print(stderr, "{:24} {:44} {:10} {:>10} {:9.3f} ms {:8.2f} G/s\n", name, w.variant, w.name, w.batch, seconds * 1e3, rate * 1e-9);
    rows.push_back({{"variant", w.variant},
                    {"way", w.name},
                    {"batch", w.batch},
                    {"operations", operations},
                    {"median_seconds", seconds},
                    {"operations_per_second", rate},
                    {"seconds_all", w.samples}});
  }
  return {{"graph", name}, {"vertices", stream.vertices}, {"edges", stream.list.size()}, {"components", *components}, {"rows", rows}};
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_and_tell("copse_bench_incremental_rules_gpu TRIALS OUT.json VARIANTS BATCHES GRAPH...", [=] {
    if (argc < 6) throw std::invalid_argument{"found too few arguments"};
    const auto trials = static_cast<unsigned>(std::stoul(argv[1]));
    copse::bench::measure_each(std::span{argv + 5, argv + argc}, argv[2], copse::bench::result_on_gpu("incremental_rules_gpu"),
                               [&](const std::string& name) { return measure(name, argv[3], sizes_of(argv[4]), trials); });
    return 0;
  });
}
