// copse_bench_incremental_gpu TRIALS OUT.json GRAPH...
// Edges a second into an incremental structure on a GPU: resident batches of 10^5, 10^6, 10^7 and all, batches from pinned and from
// pageable host memory, and the copy alone. Each edge of the graph (a file or a generator spec) once, turned round and shuffled at random.
// A trial goes from a fresh structure, whose roots are planted and whose pieces are allocated, to the end of the last kernel, by the wall
// clock; ways are interleaved. Every way must find the same number of components.
#include <fmt/format.h>
#include <copse/copse.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "../cli/machine.hpp"
#include "samples.hpp"
#include "shuffled_edges.hpp"

namespace {

using copse::bench::median;

using id = std::uint32_t;
using json = nlohmann::ordered_json;
using clock_type = std::chrono::steady_clock;

struct way {
  std::string name;
  std::size_t batch;
  std::function<void(copse::gpu_incremental&)> insert;
  std::vector<double> samples = {};
};

json measure(const std::string& name, int trials) {
  const auto stream = copse::bench::shuffled_edges_of(name);
  const std::span<const copse::edge<id>> list{stream.list};
  copse::gpu_incremental keeper(1);
  const auto there = keeper.to_gpu(list);
  copse::buffer<copse::edge<id>> pinned{list.size(), copse::gpu_incremental::pinned()};
  std::copy(list.begin(), list.end(), pinned.begin());

  std::vector<way> ways;
  for (std::size_t batch = 100000;; batch = std::min(batch * 10, list.size())) {
    batch = std::min(batch, list.size());
    const auto in_batches = [batch](std::span<const copse::edge<id>> all, auto insert) {
      for (std::size_t at = 0; at < all.size(); at += batch) insert(all.subspan(at, std::min(batch, all.size() - at)));
    };
    ways.push_back(
        {"resident", batch, [&, in_batches](auto& live) { in_batches(there.span(), [&](auto part) { live.insert_resident(part); }); }});
    ways.push_back({"pinned", batch,
                    [&, in_batches](auto& live) { in_batches(std::as_const(pinned).span(), [&](auto part) { live.insert(part); }); }});
    ways.push_back({"pageable", batch, [&, in_batches](auto& live) { in_batches(list, [&](auto part) { live.insert(part); }); }});
    if (batch == list.size()) break;
  }
  ways.push_back({"copy alone, pinned", list.size(), [&](auto& live) { static_cast<void>(live.to_gpu(std::as_const(pinned).span())); }});

  std::uint64_t answer = 0;
  for (int trial = 0; trial <= trials; ++trial) {
    for (auto& w : ways) {
      copse::gpu_incremental live(stream.vertices);
      const std::vector<copse::edge<id>> loops((std::size_t{1} << 17) + 1, copse::edge<id>{0, 0});
      for (int twice = 0; twice < 2; ++twice) {  // both pieces and both graphs are made
        live.insert(std::span{loops}.first(1));
        live.insert(loops);
      }
      live.wait();
      const auto start = clock_type::now();
      w.insert(live);
      live.wait();
      const double took = std::chrono::duration<double>(clock_type::now() - start).count();
      if (trial > 0) w.samples.push_back(took);
      if (w.name.starts_with("copy")) continue;
      if (answer == 0) answer = live.count();
      if (live.count() != answer) {
        fmt::print(stderr, "copse_bench_incremental_gpu: {} in batches of {} finds other components\n", w.name, w.batch);
        std::exit(1);
      }
    }
  }
  json rows = json::array();
  for (const auto& w : ways) {
    const double seconds = median(w.samples), rate = static_cast<double>(list.size()) / seconds;
    fmt::print("{:24} {:20} batch {:>9} {:9.3f} ms {:8.2f} G edges/s\n", name, w.name, w.batch, seconds * 1e3, rate * 1e-9);
    rows.push_back(
        {{"name", w.name}, {"batch", w.batch}, {"median_seconds", seconds}, {"edges_per_second", rate}, {"seconds_all", w.samples}});
  }
  std::fflush(stdout);
  return {{"graph", name}, {"vertices", stream.vertices}, {"edges", list.size()}, {"components", answer}, {"rows", std::move(rows)}};
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) {
    fmt::print(stderr, "usage: copse_bench_incremental_gpu TRIALS OUT.json GRAPH...\n");
    return 2;
  }
  if (!copse::cli::unfit_to_measure.empty()) {
    fmt::print(stderr, "copse_bench_incremental_gpu: refuses to measure {}\n", copse::cli::unfit_to_measure);
    return 2;
  }
  try {
    const auto devices = copse::gpus();
    json result{{"benchmark", "incremental_gpu"},
                {"machine", copse::cli::machine_facts()},
                {"gpu", devices.empty() ? std::string{} : devices.front().name},
                {"graphs", json::array()}};
    for (int k = 3; k < count; ++k) {
      result["graphs"].push_back(measure(arguments[k], std::max(1, std::atoi(arguments[1]))));
      std::ofstream{arguments[2]} << result.dump(1) << '\n';
    }
  } catch (const copse::error& problem) {
    fmt::print(stderr, "copse_bench_incremental_gpu: {}\n", problem.what());
    return 1;
  }
}
