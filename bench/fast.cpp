// copse_bench_fast SPEC [--threads N] [--trials N] [--form rows|lists] [--json OUT]
// Times the fast path and other variants on one graph: as rows, on both routes, with the time of each phase; or as a list, each edge once,
// either way round and shuffled. Trials are interleaved, every sample is kept. One thread runs the serial backend and is timed by its
// processor time; more run the threads backend and are timed by the wall clock.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <core/request.hpp>
#include <fast/decide.hpp>
#include <fast/solve.hpp>
#include <fast/solve_list.hpp>

#include <span>
#include <string>
#include <variant>

#include "benchmark.hpp"
#include "shuffled_edges.hpp"

namespace {

using copse::bench::contest;
using copse::bench::json;
using copse::fast::fast_options;
using id = std::uint32_t;
using rows = copse::csr_view<id, id>;

copse::buffer<id> solve(rows view, unsigned threads, const fast_options& settings) {
  const copse::solve_request options{{}, {.threads = threads}};
  return threads == 1 ? copse::fast::solve_fast<copse::backend::serial>(view, options, settings)
                      : copse::fast::solve_fast<copse::backend::threads>(view, options, settings);
}

copse::labelling solve(const copse::bench::edge_stream& list, unsigned threads) {
  auto labels = copse::fast::labels_with_bits<id>(list.vertices, copse::host_memory());
  const auto on = [&](const auto& backend) {
    copse::fast::solve_list(backend, std::span<const copse::edge<id>>{list.list}, labels.span(), copse::fast::bits_behind(labels),
                            copse::solve_request{{}, {.threads = threads}});
  };
  if (threads == 1) {
    on(copse::backend::serial{1});
  } else {
    on(copse::backend::threads{threads});
  }
  return {std::move(labels), copse::vertex_names::identity(list.vertices)};
}

json phases(rows view, unsigned threads, fast_options settings) {
  copse::fast::fast_report report;
  settings.report = &report;
  solve(view, threads, settings);
  const json seconds{{"decide", report.decide_seconds},           {"touch", report.touch_seconds}, {"hook", report.hook_seconds},
                     {"second_hook", report.second_hook_seconds}, {"vote", report.vote_seconds},   {"flatten", report.flatten_seconds},
                     {"finish", report.finish_seconds},           {"labels", report.label_seconds}};
  const std::string explanation = copse::fast::explain(report.decision);
  fmt::print(stderr, "{}\n  coverage {:.4f}; ms:", explanation, report.coverage);
  for (const auto& [phase, took] : seconds.items()) fmt::print(stderr, " {} {:.3f}", phase, took.get<double>() * 1e3);
  fmt::print(stderr, "\n");
  return {{"explanation", explanation}, {"coverage", report.coverage}, {"seconds", seconds}};
}

class fast_bench {
public:
  fast_bench(unsigned threads, unsigned trials) : threads_{threads}, trials_{trials} {}

  void measure(const copse::graph& graph, json& result) {
    const auto* const held = std::get_if<copse::csr<id, id>>(&graph.shape());
    if (held == nullptr) throw copse::usage_error{"found 64-bit ids or offsets, expected 32"};
    view_ = held->view();
    for (const std::string name : {"serial.none.rem", "serial.kout.rem", "threads.kout.afforest"}) add_variant(name, graph.view());
    if (threads_ > 1) {
      for (const std::string name : {"threads.none.rem_cas.naive.halve_one", "threads.kout.rem_cas.naive.split_one"})
        add_variant(name, graph.view());
    }
    const fast_options sampled{.way = copse::fast::route::sampled}, unsampled{.way = copse::fast::route::unsampled};
    add_fast("fast", {});
    add_fast("fast.sampled", sampled);
    add_fast("fast.unsampled", unsampled);
    contest_.run(trials_);
    result["vertices"] = graph.vertices();
    result["arcs"] = view_.arcs();
    result["phases"] = {{"sampled", phases(view_, threads_, sampled)}, {"unsampled", phases(view_, threads_, unsampled)}};
    contest_.add_to(result);
  }

  void measure(const copse::bench::edge_stream& list, json& result) {
    const copse::coo_view<id> view{.vertex_count = list.vertices, .edges = list.list, .trusted = true};
    for (const std::string name :
         {"auto", "serial.none.rem", "threads.none.rem_cas.naive.halve_one", "threads.none.rem_lock.naive.split_one"}) {
      if (threads_ > 1 || !name.starts_with("threads")) add_variant(name, copse::graph_view{view});
    }
    contest_.add("lists.all", [this, &list] { return solve(list, threads_); });
    contest_.run(trials_);
    result["vertices"] = list.vertices;
    result["edges"] = list.list.size();
    contest_.add_to(result);
  }

private:
  void add_variant(const std::string& name, copse::graph_view graph) {
    contest_.add(name, [this, name, graph] { return copse::components(graph, {.variant = name}, {.threads = threads_}).labels; });
  }
  void add_fast(std::string name, const fast_options& settings) {
    contest_.add(std::move(name), [this, settings] {
      auto labels = solve(view_, threads_, settings);
      const auto n = labels.size();
      return copse::labelling{std::move(labels), copse::vertex_names::identity(n)};
    });
  }

  unsigned threads_, trials_;
  rows view_;
  contest contest_{threads_};
};

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(argc, argv, "copse_bench_fast", "SPEC",
                                     {{"threads", "1"}, {"trials", "5"}, {"form", "rows"}, {"json", ""}},
                                     [](const copse::bench::benchmark_arguments& asked) {
                                       const std::string& spec = asked.graphs().front();
                                       json result = copse::bench::result_of("fast", asked.number("threads"));
                                       result["graph"] = spec;
                                       fast_bench b{asked.number("threads"), asked.number("trials")};
                                       if (asked["form"] == "lists") {
                                         b.measure(copse::bench::shuffled_edges_of(spec), result);
                                       } else {
                                         b.measure(copse::gen::generate(spec), result);
                                       }
                                       asked.write(result);
                                     });
}
