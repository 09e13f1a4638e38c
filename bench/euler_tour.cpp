// copse_bench_euler_tour [--threads N] [--trials N] [--gpu I] [--json OUT] SPEC...
// A forest of each graph rooted in several ways, one after the other in every trial: by levels (parents and depths only), by root_forest's
// choice of the two, by an Euler tour, and, as what a serial program would do, by a depth-first search with a stack that finds all that a
// tour does; with --gpu, by a tour that is ranked on it. Rows and roots exist already; the last two ways begin with the edges. The tour
// is proved once. One thread is charged its processor time, more threads the wall clock.
#include <fmt/format.h>
#include <api/forest_rows.hpp>
#include <copse/copse.hpp>
#include <core/phase_times.hpp>
#include <drivers/rooting/levels.hpp>
#include <drivers/rooting/tour.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmark.hpp"

namespace {

using copse::bench::json;
using copse::bench::median;

/// Places on the way down, sizes on the way up: the vertices in reverse order.
template <class Id, class Offset>
copse::forest_tour::arrays<Id> search_depth_first(copse::csr_view<Id, Offset> rows, std::span<const Id> labels) {
  const std::size_t n = labels.size();
  copse::forest_tour::arrays<Id> tree{copse::buffer<Id>{n}, copse::buffer<Id>{n}, copse::buffer<Id>{n}, copse::buffer<Id>{n},
                                      copse::buffer<Id>{n}};
  std::vector<Id> waiting;
  Id place = 0;
  for (std::size_t root = 0; root < n; ++root) {
    if (labels[root] != root) continue;
    tree.parents[root] = static_cast<Id>(root);
    tree.depths[root] = 0;
    waiting.push_back(static_cast<Id>(root));
    while (!waiting.empty()) {
      const Id v = waiting.back(), parent = tree.parents[v];
      waiting.pop_back();
      tree.preorder[v] = place;
      tree.order[place++] = v;
      const auto row = rows.row(v);
      const auto push = [&](auto first, auto last) {
        while (last != first) {
          const Id child = *--last;
          tree.parents[child] = v;
          tree.depths[child] = static_cast<Id>(tree.depths[v] + 1);
          waiting.push_back(child);
        }
      };
      if (parent == v) {
        push(row.begin(), row.end());
        continue;
      }
      const auto up = std::lower_bound(row.begin(), row.end(), parent);
      push(row.begin(), up);
      push(up + 1, row.end());
    }
  }
  std::fill(tree.sizes.begin(), tree.sizes.end(), Id{1});
  for (std::size_t i = n; i-- > 0;) {
    const Id v = tree.order[i];
    if (tree.parents[v] != v) tree.sizes[tree.parents[v]] += tree.sizes[v];
  }
  return tree;
}

struct tour_way {
  std::string name;
  std::function<void()> run;
  std::vector<double> samples = {};
};

json measured(const std::string& spec, unsigned threads, std::optional<unsigned> gpu, std::size_t trials) {
  const copse::graph edges = copse::spanning_forest(copse::gen::generate_edges(spec), {.variant = "serial.none.rem"}).edges;
  copse::phase_times unused;
  copse::solve_report report;
  copse::phase_times times, times_on_gpu;
  return copse::api::of_forest_rows<json>(edges, {.threads = threads}, unused, [&]<class Id>(auto rows, std::span<const Id> labels) {
    const copse::backend::threads loops{threads};
    auto expected = search_depth_first(rows, labels);
    const std::uint64_t levels = labels.empty() ? 0 : *std::max_element(expected.depths.begin(), expected.depths.end()) + std::uint64_t{1};
    {
      const auto found = copse::drivers::tour(rows, labels, "auto", {.threads = threads}, report, times);
      for (const auto array : {&copse::forest_tour::arrays<Id>::parents, &copse::forest_tour::arrays<Id>::depths,
                               &copse::forest_tour::arrays<Id>::sizes, &copse::forest_tour::arrays<Id>::order}) {
        if (!std::equal((found.*array).begin(), (found.*array).end(), (expected.*array).begin()))
          throw std::runtime_error{spec + ": tour and search differ"};
      }
    }
    const copse::forest_tour searched{std::move(expected), edges.names()};
    if (const auto proved = copse::verify_tour(edges, searched); !proved) throw std::runtime_error{spec + ": " + proved.reason};

    std::vector<tour_way> ways;
    ways.push_back({"levels", [&] { copse::drivers::root_by_levels(loops, rows, labels, SIZE_MAX, copse::host_memory()); }});
    ways.push_back({"tour", [&] { copse::drivers::tour(rows, labels, "auto", {.threads = threads}, report, times); }});
    if (gpu) {
      const copse::execution on_gpu{.device = fmt::format("cuda:{}", *gpu), .threads = threads};
      ways.push_back({"tour ranked on the GPU", [&, on_gpu] { copse::drivers::tour(rows, labels, "auto", on_gpu, report, times_on_gpu); }});
    }
    ways.push_back({"depth_first", [&] { search_depth_first(rows, labels); }});
    ways.push_back({"root_forest from edges", [&] { copse::root_forest(edges, {.threads = threads}); }});
    ways.push_back({"euler_tour from edges", [&] { copse::euler_tour(edges, "auto", {.threads = threads}); }});
    for (auto& w : ways) w.run();  // a warming run, which is not kept
    times = times_on_gpu = {};
    for (std::size_t trial = 0; trial < trials; ++trial) {
      for (auto& w : ways) w.samples.push_back(copse::bench::seconds_of(threads, w.run));
    }
    json phases = json::object(), results = json::array();
    for (const auto& p : times.all()) phases[std::string{p.name}] = p.seconds / static_cast<double>(trials);
    for (const auto& p : times_on_gpu.all()) phases["with a GPU: " + std::string{p.name}] = p.seconds / static_cast<double>(trials);
    fmt::print(stderr, "{:56} {:>9} levels", spec, levels);
    for (const auto& w : ways) {
      fmt::print(stderr, "  {} {:.1f} ms", w.name, 1e3 * median(w.samples));
      results.push_back({{"way", w.name}, {"median_seconds", median(w.samples)}, {"seconds", w.samples}});
    }
    fmt::print(stderr, "\n");
    return json{{"graph", spec},    {"vertices", labels.size()},  {"trees", labels.size() - rows.targets.size() / 2},
                {"levels", levels}, {"ways", std::move(results)}, {"mean_wall_seconds_of_tour", std::move(phases)}};
  });
}

void run(const copse::bench::benchmark_arguments& asked) {
  const unsigned threads = asked.number("threads"), trials = asked.number("trials");
  const auto gpu = asked["gpu"].empty() ? std::nullopt : std::optional{asked.number("gpu")};
  json head = copse::bench::result_of("euler_tour", threads);
  head["trials"] = trials;
  copse::bench::measure_each(asked, head, [&](const std::string& spec) { return measured(spec, threads, gpu, trials); });
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(argc, argv, "copse_bench_euler_tour", "SPEC...",
                                     {{"threads", "1"}, {"trials", "5"}, {"gpu", ""}, {"json", ""}}, run);
}
