// copse_bench_incremental_gpu TRIALS OUT.json GRAPH...
// Operations a second of an incremental structure on a GPU: resident batches of 10^3 to all edges, batches from pinned and from pageable
// host memory, the copy alone, and resident batches with 1, 10 and 100 queries per insert (phased: all inserts of a batch, then its
// queries, of random pairs, whose answers stay on the GPU). Each edge of the graph (a file or a generator spec) once, turned round and
// shuffled at random. gpu:SPEC is a stream too long for that: its edges are made and shuffled on the GPU, repeats among them, and all are
// resident. A trial goes from a fresh structure, whose roots are planted and whose pieces are allocated, to the end of the last kernel, by
// the wall clock; ways are interleaved. Every way that inserts all edges must find the same number of components.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <core/random.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <vector>

#if defined(COPSE_HAS_CUDA)
#include <gen/gpu_edges.hpp>
#include <gpu/runtime/checked.hpp>
#include <gpu/runtime/gpu_memory.hpp>
#endif

#include "../cli/machine.hpp"
#include "samples.hpp"
#include "shuffled_edges.hpp"

namespace {

using copse::bench::median;

using id = std::uint32_t;
using json = nlohmann::ordered_json;
using clock_type = std::chrono::steady_clock;

using edges = std::span<const copse::edge<id>>;

struct way {
  std::string name;
  std::size_t batch;
  std::size_t operations;
  std::function<void(copse::gpu_incremental&)> run;
  unsigned queries_an_insert = 0;
  bool whole = true;  ///< are all edges inserted?
  std::vector<double> samples = {};
};

constexpr std::size_t most_batches = 50000, most_mixed = std::size_t{1} << 26;

template <class Insert>
void in_batches(edges all, std::size_t batch, Insert insert) {
  for (std::size_t at = 0; at < all.size(); at += batch) insert(all.subspan(at, std::min(batch, all.size() - at)));
}

void add_resident(std::vector<way>& ways, edges resident) {
  for (std::size_t batch = 1000;; batch *= 10) {
    batch = std::min(batch, resident.size());
    if (resident.size() / batch <= most_batches) {
      ways.push_back({"resident", batch, resident.size(), [=](auto& live) {
                        in_batches(resident, batch, [&](edges part) { live.insert_resident({part.data(), part.size()}); });
                      }});
    }
    if (batch == resident.size()) return;
  }
}

void add_from_host(std::vector<way>& ways, edges list, std::string name) {
  for (std::size_t batch = 100000;; batch *= 10) {
    batch = std::min(batch, list.size());
    ways.push_back({name, batch, list.size(), [=](auto& live) { in_batches(list, batch, [&](edges part) { live.insert(part); }); }});
    if (batch == list.size()) return;
  }
}

/// `questions`: most_mixed random pairs.
void add_mixed(std::vector<way>& ways, edges resident, edges questions, std::span<std::uint64_t> answers) {
  for (const unsigned each : {1u, 10u, 100u}) {
    const edges inserted = resident.first(std::min(resident.size(), most_mixed / (1 + each)));
    for (const std::size_t batch : {std::size_t{1000000}, inserted.size() * (1 + each)}) {
      const std::size_t inserts = std::max<std::size_t>(1, batch / (1 + each));
      const auto run = [=](auto& live) {
        std::size_t asked = 0;
        in_batches(inserted, inserts, [&](edges part) {
          live.insert_resident({part.data(), part.size()});
          live.connected_resident({questions.data() + asked, part.size() * each}, {answers.data(), answers.size()});
          asked += part.size() * each;
        });
      };
      ways.push_back({"mixed, resident", batch, inserted.size() * (1 + each), run, each, inserted.size() == resident.size()});
    }
  }
}

json measure(const std::string& name, id vertices, std::vector<way> ways, std::size_t edge_count, int trials) {
  std::uint64_t answer = 0;
  for (int trial = 0; trial <= trials; ++trial) {
    for (auto& w : ways) {
      copse::gpu_incremental live(vertices);
      const std::vector<copse::edge<id>> loops((std::size_t{1} << 17) + 1, copse::edge<id>{0, 0});
      for (int twice = 0; twice < 2; ++twice) {  // both pieces and both graphs are made
        live.insert(std::span{loops}.first(1));
        live.insert(loops);
      }
      live.wait();
      const auto start = clock_type::now();
      w.run(live);
      live.wait();
      const double took = std::chrono::duration<double>(clock_type::now() - start).count();
      if (trial > 0) w.samples.push_back(took);
      if (!w.whole) continue;
      if (answer == 0) answer = live.count();
      if (live.count() != answer) {
        fmt::print(stderr, "copse_bench_incremental_gpu: {} in batches of {} finds other components\n", w.name, w.batch);
        std::exit(1);
      }
    }
  }
  json results = json::array();
  for (const auto& w : ways) {
    const double seconds = median(w.samples), rate = static_cast<double>(w.operations) / seconds;
    fmt::print("{:24} {:20} {:>3} queries an insert, batch {:>10} {:9.3f} ms {:8.2f} G/s\n", name, w.name, w.queries_an_insert, w.batch,
               seconds * 1e3, rate * 1e-9);
    json result{{"name", w.name}, {"batch", w.batch}};
    if (w.queries_an_insert != 0) result["queries_an_insert"] = w.queries_an_insert;
    result["operations"] = w.operations;
    result["median_seconds"] = seconds;
    result["operations_per_second"] = rate;
    result["seconds_all"] = w.samples;
    results.push_back(std::move(result));
  }
  std::fflush(stdout);
  return {{"graph", name}, {"vertices", vertices}, {"edges", edge_count}, {"components", answer}, {"rows", std::move(results)}};
}

json measure(const std::string& name, int trials) {
  const auto stream = copse::bench::shuffled_edges_of(name);
  const edges list{stream.list};
  copse::gpu_incremental keeper(1);
  const auto resident = keeper.to_gpu(list);
  copse::buffer<copse::edge<id>> pinned{list.size(), copse::gpu_incremental::pinned()};
  std::copy(list.begin(), list.end(), pinned.begin());
  std::vector<copse::edge<id>> questions(most_mixed);
  const copse::random_stream random{7, 3};
  for (std::size_t i = 0; i < questions.size(); ++i) {
    questions[i] = {static_cast<id>(random.below(2 * i, stream.vertices)), static_cast<id>(random.below(2 * i + 1, stream.vertices))};
  }
  const auto resident_questions = keeper.to_gpu(questions);
  auto answers = keeper.answers_on_gpu(questions.size());

  std::vector<way> ways;
  add_resident(ways, resident.span());
  add_from_host(ways, std::as_const(pinned).span(), "pinned");
  add_from_host(ways, list, "pageable");
  add_mixed(ways, resident.span(), resident_questions.span(), answers.span());
  ways.push_back({"copy alone, pinned", list.size(), list.size(),
                  [&](auto& live) { static_cast<void>(live.to_gpu(std::as_const(pinned).span())); }, 0, false});
  return measure(name, stream.vertices, std::move(ways), list.size(), trials);
}

#if defined(COPSE_HAS_CUDA)
json measure_made_there(const std::string& spec, int trials) {
  const copse::backend::gpu on{0};
  copse::backend::gpu_memory memory{on};
  const copse::gen::gpu_edges generated{copse::gen::recipe_of(spec), on, &memory};
  copse::buffer<copse::edge<id>> list{generated.edges(), &memory};
  {
    copse::buffer<copse::edge<id>> scratch{generated.edges(), &memory};
    generated.write_shuffled(list.data(), scratch.data(), 7);
    copse::backend::checked(cudaStreamSynchronize(on.stream()), "making a stream");
  }
  std::vector<way> ways;
  add_resident(ways, std::as_const(list).span());
  return measure("gpu:" + spec, static_cast<id>(generated.vertices()), std::move(ways), list.size(), trials);
}
#endif

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
      const std::string name = arguments[k];
      const int trials = std::max(1, std::atoi(arguments[1]));
#if defined(COPSE_HAS_CUDA)
      if (name.starts_with("gpu:")) {
        result["graphs"].push_back(measure_made_there(name.substr(4), trials));
        copse::bench::write_result(arguments[2], result.dump(1));
        continue;
      }
#endif
      result["graphs"].push_back(measure(name, trials));
      copse::bench::write_result(arguments[2], result.dump(1));
    }
  } catch (const copse::error& problem) {
    fmt::print(stderr, "copse_bench_incremental_gpu: {}\n", problem.what());
    return 1;
  }
}
