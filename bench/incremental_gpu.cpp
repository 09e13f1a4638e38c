// copse_bench_incremental_gpu TRIALS OUT.json GRAPH...
// Operations a second of an incremental structure on a GPU: resident batches of 10^3 to all edges, batches from pinned and from pageable
// host memory, the copy alone, and resident batches with 1, 10 and 100 queries per insert (phased: all inserts of a batch, then its
// queries, of random pairs, whose answers stay on the GPU). With one query per insert all edges are inserted, so that the rate compares
// with that of inserts alone; with more, as many as there are queries for. Each edge of the graph (a file or a generator spec) once, turned
// round and shuffled at random. gpu:SPEC is a stream too long for that: its edges are made and shuffled on the GPU, repeats among them, and
// all are resident. A trial goes from a fresh structure, whose roots are planted and whose pieces are allocated, to the end of the last
// kernel, by the wall clock; ways are interleaved. Every way that inserts all edges must find the same number of components.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <core/random.hpp>
#include <gen/gpu_edges.hpp>
#include <gpu/runtime/gpu.hpp>

#include <algorithm>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmark.hpp"
#include "shuffled_edges.hpp"

namespace {

using copse::bench::json;
using copse::bench::median;

using id = std::uint32_t;

using edges = std::span<const copse::edge<id>>;

struct batch_way {
  std::string name;
  std::size_t batch;
  std::size_t operations;
  std::function<void(copse::gpu_incremental&)> run;
  unsigned queries_an_insert = 0;
  bool whole = true;  ///< are all edges inserted?
  std::vector<double> samples = {};
};

constexpr std::size_t most_batches = 50000;
constexpr std::size_t least_queries = std::size_t{1} << 26, most_queries = std::size_t{1} << 28;  // that are made: 2 GiB of pairs at most

template <class Insert>
void in_batches(edges all, std::size_t batch, Insert insert) {
  for (std::size_t at = 0; at < all.size(); at += batch) insert(all.subspan(at, std::min(batch, all.size() - at)));
}

void add_resident(std::vector<batch_way>& ways, edges resident) {
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

void add_from_host(std::vector<batch_way>& ways, edges list, std::string name) {
  for (std::size_t batch = 100000;; batch *= 10) {
    batch = std::min(batch, list.size());
    ways.push_back({name, batch, list.size(), [=](auto& live) { in_batches(list, batch, [&](edges part) { live.insert(part); }); }});
    if (batch == list.size()) return;
  }
}

/// `questions`: random pairs. A way inserts as many edges as they allow.
void add_mixed(std::vector<batch_way>& ways, edges resident, edges questions, std::span<std::uint64_t> answers) {
  for (const unsigned each : {1u, 10u, 100u}) {
    const edges inserted = resident.first(std::min(resident.size(), questions.size() / each));
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

json measure(const std::string& name, id vertices, std::vector<batch_way> ways, std::size_t edge_count, unsigned trials) {
  std::uint64_t answer = 0;
  for (unsigned trial = 0; trial <= trials; ++trial) {
    for (auto& w : ways) {
      copse::gpu_incremental live(vertices);
      const std::vector<copse::edge<id>> loops((std::size_t{1} << 17) + 1, copse::edge<id>{0, 0});
      for (int twice = 0; twice < 2; ++twice) {  // both pieces and both graphs are made
        live.insert(std::span{loops}.first(1));
        live.insert(loops);
      }
      live.wait();
      const double took = copse::bench::seconds_of(0, [&] {
        w.run(live);
        live.wait();
      });
      if (trial > 0) w.samples.push_back(took);
      if (!w.whole) continue;
      if (answer == 0) answer = live.count();
      if (live.count() != answer) throw copse::error{fmt::format("{} in batches of {} finds other components", w.name, w.batch)};
    }
  }
  json results = json::array();
  for (const auto& w : ways) {
    const double seconds = median(w.samples), rate = static_cast<double>(w.operations) / seconds;
    fmt::print(stderr, "{:24} {:20} {:>3} queries an insert, batch {:>10} {:9.3f} ms {:8.2f} G/s\n", name, w.name, w.queries_an_insert,
               w.batch, seconds * 1e3, rate * 1e-9);
    json result{{"name", w.name}, {"batch", w.batch}};
    if (w.queries_an_insert != 0) result["queries_an_insert"] = w.queries_an_insert;
    result["operations"] = w.operations;
    result["median_seconds"] = seconds;
    result["operations_per_second"] = rate;
    result["seconds_all"] = w.samples;
    results.push_back(std::move(result));
  }
  return {{"graph", name}, {"vertices", vertices}, {"edges", edge_count}, {"components", answer}, {"rows", std::move(results)}};
}

json measure(const std::string& name, unsigned trials) {
  const auto stream = copse::bench::shuffled_edges_of(name);
  const edges list{stream.list};
  copse::gpu_incremental keeper(1);
  const auto resident = keeper.to_gpu(list);
  copse::buffer<copse::edge<id>> pinned{list.size(), copse::gpu_incremental::pinned()};
  std::copy(list.begin(), list.end(), pinned.begin());
  std::vector<copse::edge<id>> questions(std::clamp(list.size(), least_queries, most_queries));
  const copse::random_stream random{7, 3};
  for (std::size_t i = 0; i < questions.size(); ++i) {
    questions[i] = {static_cast<id>(random.below(2 * i, stream.vertices)), static_cast<id>(random.below(2 * i + 1, stream.vertices))};
  }
  const auto resident_questions = keeper.to_gpu(questions);
  auto answers = keeper.answers_on_gpu(questions.size());

  std::vector<batch_way> ways;
  add_resident(ways, resident.span());
  add_from_host(ways, std::as_const(pinned).span(), "pinned");
  add_from_host(ways, list, "pageable");
  add_mixed(ways, resident.span(), resident_questions.span(), answers.span());
  ways.push_back({"copy alone, pinned", list.size(), list.size(),
                  [&](auto& live) { static_cast<void>(live.to_gpu(std::as_const(pinned).span())); }, 0, false});
  return measure(name, stream.vertices, std::move(ways), list.size(), trials);
}

json measure_made_there(const std::string& spec, unsigned trials) {
  const copse::backend::gpu on{0};
  copse::backend::gpu_memory memory{on};
  const copse::gen::gpu_edges generated{copse::gen::recipe_of(spec), on, &memory};
  copse::buffer<copse::edge<id>> list{generated.edges(), &memory};
  {
    copse::buffer<copse::edge<id>> scratch{generated.edges(), &memory};
    generated.write_shuffled(list.data(), scratch.data(), 7);
    copse::backend::checked(cudaStreamSynchronize(on.stream()), "making a stream");
  }
  std::vector<batch_way> ways;
  add_resident(ways, std::as_const(list).span());
  return measure("gpu:" + spec, static_cast<id>(generated.vertices()), std::move(ways), list.size(), trials);
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_and_tell("copse_bench_incremental_gpu TRIALS OUT.json GRAPH...", [=] {
    if (argc < 4) throw std::invalid_argument{"found too few arguments"};
    const auto trials = static_cast<unsigned>(std::stoul(argv[1]));
    copse::bench::measure_each(std::span{argv + 3, argv + argc}, argv[2], copse::bench::result_on_gpu("incremental_gpu"),
                               [&](const std::string& name) {
                                 return name.starts_with("gpu:") ? measure_made_there(name.substr(4), trials) : measure(name, trials);
                               });
    return 0;
  });
}
