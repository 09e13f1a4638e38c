// copse_bench_first_touch SPEC [--threads N] [--trials N] [--json OUT]
// What it costs to initialise parents at their first access instead of in bulk (GConn, section 4.4): Union-Async with halving over all
// edges of a graph in random order, from fresh words to the last edge. In bulk, writing the words is in the time; for first touches, words
// are zeroed before the clock starts, as memory of the system is. Both take turns and must find the same number of components.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <copse/extend/parents/atomic.hpp>
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <core/parallel.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "benchmark.hpp"
#include "first_touch.hpp"
#include "shuffled_edges.hpp"

namespace {

using id = std::uint32_t;
using copse::bench::json;
using copse::bench::now;

template <class Parents>
void unite_all(Parents parents, const std::vector<copse::edge<id>>& edges, unsigned threads) {
  copse::parallel_blocks(threads, edges.size(), std::size_t{1} << 15, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) copse::unite::async<copse::find::halve>{}(parents, edges[i].u, edges[i].v);
  });
}

template <class Parents>
std::uint64_t roots(Parents parents, id vertices) {
  std::uint64_t count = 0;
  for (id v = 0; v < vertices; ++v) count += parents.is_root(v, parents.load(v));
  return count;
}

void run(const copse::bench::benchmark_arguments& asked) {
  const std::string& graph = asked.graphs().front();
  const unsigned threads = asked.number("threads");
  const auto stream = copse::bench::shuffled_edges_of(graph);
  std::vector<id> words(stream.vertices);
  std::vector<double> bulk, lazy;
  for (unsigned trial = 0; trial <= asked.number("trials"); ++trial) {
    double begin = now(threads);
    copse::parallel_blocks(threads, words.size(), std::size_t{1} << 15, [&](std::size_t from, std::size_t to) {
      for (std::size_t v = from; v < to; ++v) words[v] = static_cast<id>(v);
    });
    unite_all(copse::parents::atomic<id>{words.data()}, stream.list, threads);
    bulk.push_back(1e3 * (now(threads) - begin));
    const auto components = roots(copse::parents::atomic<id>{words.data()}, stream.vertices);

    std::ranges::fill(words, 0);
    begin = now(threads);
    unite_all(copse::bench::first_touch_parents<id>{words.data()}, stream.list, threads);
    lazy.push_back(1e3 * (now(threads) - begin));
    if (const auto found = roots(copse::bench::first_touch_parents<id>{words.data()}, stream.vertices); found != components)
      throw copse::resource_error{fmt::format("found {} components, expected {}", found, components)};
  }
  json result = copse::bench::result_of("series");
  for (const auto& [name, samples] : {std::pair{"bulk", &bulk}, std::pair{"first_touch", &lazy}}) {
    samples->erase(samples->begin());  // the first turn warms up
    fmt::print(stderr, "{:<12} {:>9.3f} ms\n", name, copse::bench::median(*samples));
    result["series"].push_back(copse::bench::series_of(graph, fmt::format("way.{}", name), "insert", threads, *samples));
  }
  asked.write(result);
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(argc, argv, "copse_bench_first_touch", "GRAPH", {{"threads", "1"}, {"trials", "5"}, {"json", ""}},
                                     run);
}
