// copse_bench_fast SPEC [--threads N] [--trials N] [--form rows|lists] [--ideas yes|no] [--json OUT]
// What each idea of the fast path gains on one graph: no idea, each alone, all, all but each; beside other variants. As rows, on both
// routes; or as a list, each edge once, either way round and shuffled. Trials are interleaved, every sample is kept. One thread runs the
// serial backend and is timed by its processor time; more run the omp backend and are timed by the wall clock.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <fast/report.hpp>
#include <fast/solve.hpp>
#include <fast/solve_list.hpp>

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "asked.hpp"
#include "samples.hpp"
#include "shuffled_edges.hpp"

namespace {

using copse::bench::contest;
using copse::bench::json;
using copse::fast::fast_options;
using copse::fast::list_options;
using id = std::uint32_t;
using rows = copse::csr_view<id, id>;

struct idea {
  std::string_view name;
  void (*turn)(fast_options&, bool on);
};

constexpr idea sampled_ideas[] = {
    {"second_hook", [](fast_options& o, bool on) { o.hook_arcs = on ? 2 : 0; }},
    {"flat_hooks", [](fast_options& o, bool on) { o.flat_hooks = on; }},
    {"early_exit", [](fast_options& o, bool on) { o.early_exit = on; }},
    {"fused_finish", [](fast_options& o, bool on) { o.fused_finish = on; }},  // of one thread
    {"prefetch", [](fast_options& o, bool on) { o.prefetch = on; }},
    {"top_up", [](fast_options& o, bool on) { o.top_up = on; }},
    {"touch", [](fast_options& o, bool on) { o.touch = on; }},
};
constexpr idea unsampled_ideas[] = {
    {"prefetch", [](fast_options& o, bool on) { o.least_scattered = on ? -1 : 2; }},
    {"touch", [](fast_options& o, bool on) { o.touch = on; }},
};

copse::buffer<id> solve(rows view, unsigned threads, const fast_options& settings) {
  const copse::solve_options options{.threads = threads};
  return threads == 1 ? copse::fast::solve_fast<copse::backend::serial>(view, options, settings)
                      : copse::fast::solve_fast<copse::backend::omp>(view, options, settings);
}

copse::labelling solve(const copse::bench::edge_stream& list, unsigned threads, const list_options& ideas) {
  auto labels = copse::fast::labels_with_bits<id>(list.vertices, copse::host_memory());
  const auto on = [&](const auto& backend) {
    copse::fast::solve_list(backend, std::span<const copse::edge<id>>{list.list}, labels.span(), copse::fast::bits_behind(labels),
                            {.threads = threads}, ideas);
  };
  if (threads == 1) {
    on(copse::backend::serial{1});
  } else {
    on(copse::backend::omp{threads});
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

class bench {
public:
  bench(unsigned threads, unsigned trials, bool each_idea) : threads_{threads}, trials_{trials}, each_idea_{each_idea} {}

  void measure(const copse::graph& graph, json& result) {
    const auto* const held = std::get_if<copse::csr<id, id>>(&graph.shape());
    if (held == nullptr) throw copse::usage_error{"found 64-bit ids or offsets, expected 32"};
    view_ = held->view();
    for (const std::string name : {"serial.none.rem", "serial.kout.rem", "omp.kout.afforest"}) add_variant(name, graph.view());
    if (threads_ > 1) {
      for (const std::string name : {"omp.none.rem_cas.naive.halve_one", "omp.kout.rem_cas.naive.split_one"})
        add_variant(name, graph.view());
    }
    const fast_options sampled{.way = copse::fast::route::sampled}, unsampled{.way = copse::fast::route::unsampled};
    add_fast("fast", {});
    add_fast("fast.sampled", sampled);
    add_fast("fast.unsampled", unsampled);
    if (each_idea_) {
      fast_options four = sampled;
      four.hook_arcs = 4;
      add_fast("sampled.with.four_hook_arcs", four);
      add_ideas("sampled", sampled, sampled_ideas);
      add_ideas("unsampled", unsampled, unsampled_ideas);
    }
    contest_.run(trials_);
    result["vertices"] = graph.vertices();
    result["arcs"] = view_.arcs();
    result["phases"] = {{"sampled", phases(view_, threads_, sampled)}, {"unsampled", phases(view_, threads_, unsampled)}};
    contest_.add_to(result);
  }

  void measure(const copse::bench::edge_stream& list, json& result) {
    const copse::coo_view<id> view{.vertex_count = list.vertices, .edges = list.list, .trusted = true};
    for (const std::string name : {"auto", "serial.none.rem", "omp.none.rem_cas.naive.halve_one", "omp.none.rem_lock.naive.split_one"}) {
      if (threads_ > 1 || !name.starts_with("omp")) add_variant(name, copse::graph_view{view});
    }
    const auto add = [&](const std::string& name, const list_options& ideas) {
      contest_.add(name, [this, &list, ideas] { return solve(list, threads_, ideas); });
    };
    add("lists.base", {.prefetch = false, .past_giant = false});
    add("lists.only.prefetch", {.past_giant = false});
    add("lists.only.past_giant", {.prefetch = false});
    add("lists.without.grandparents", {.grandparents = false});
    add("lists.without.wide_filter", {.wide_filter = false});
    add("lists.without.name_giant", {.name_giant = false});
    add("lists.without.by_ranges", {.by_ranges = false});
    add("lists.without.early_looks", {.early_looks = false});
    add("lists.all", {});
    contest_.run(trials_);
    result["vertices"] = list.vertices;
    result["edges"] = list.list.size();
    contest_.add_to(result);
  }

private:
  void add_variant(const std::string& name, copse::graph_view graph) {
    contest_.add(name, [this, name, graph] { return copse::components(graph, {.variant = name, .threads = threads_}).labels; });
  }
  void add_fast(std::string name, const fast_options& settings) {
    contest_.add(std::move(name), [this, settings] {
      auto labels = solve(view_, threads_, settings);
      const auto n = labels.size();
      return copse::labelling{std::move(labels), copse::vertex_names::identity(n)};
    });
  }
  void add_ideas(const std::string& route, const fast_options& all, std::span<const idea> ideas) {
    fast_options none = all;
    for (const idea& i : ideas) i.turn(none, false);
    add_fast(route + ".base", none);
    for (const idea& i : ideas) {
      if (threads_ > 1 && i.name == "fused_finish") continue;
      fast_options alone = none, without = all;
      i.turn(alone, true);
      i.turn(without, false);
      add_fast(fmt::format("{}.only.{}", route, i.name), alone);
      add_fast(fmt::format("{}.without.{}", route, i.name), without);
    }
  }

  unsigned threads_, trials_;
  bool each_idea_;
  rows view_;
  contest contest_{threads_};
};

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(argc, argv, "copse_bench_fast", "SPEC",
                                     {{"threads", "1"}, {"trials", "5"}, {"form", "rows"}, {"ideas", "yes"}, {"json", ""}},
                                     [](const copse::bench::asked& asked) {
                                       const std::string& spec = asked.graphs().front();
                                       json result = copse::bench::result_of("fast", asked.number("threads"));
                                       result["graph"] = spec;
                                       bench b{asked.number("threads"), asked.number("trials"), asked["ideas"] == "yes"};
                                       if (asked["form"] == "lists") {
                                         b.measure(copse::bench::shuffled_edges_of(spec), result);
                                       } else {
                                         b.measure(copse::gen::generate(spec), result);
                                       }
                                       asked.write(result);
                                     });
}
