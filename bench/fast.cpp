// copse_bench_fast SPEC [THREADS] [TRIALS] [quick] > result.json
// What each idea of the fast path gains on one generated graph: no idea, each alone, all, all but each; beside other variants. Trials
// are interleaved (every contender once, then again), every sample is kept. `quick`: only all settings on both routes, and the other
// variants. One thread runs the serial backend and is timed by its processor time; more run the omp backend and are timed by the wall
// clock.
#include <fmt/format.h>
#include <copse/copse.hpp>
#include <fast/report.hpp>
#include <fast/solve.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "../cli/machine.hpp"
#include "samples.hpp"

namespace {

using copse::bench::median;
using copse::bench::now;

using copse::fast::fast_options;
using rows = copse::csr_view<std::uint32_t, std::uint32_t>;

struct contender {
  std::string name;
  std::function<double()> solve;  // seconds
  std::vector<double> samples;
};

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

class bench {
public:
  bench(const copse::graph& g, rows view, unsigned threads) : graph_{g}, view_{view}, threads_{threads} {}

  void add_variant(const std::string& name) {
    contenders_.push_back({name,
                           [this, name] {
                             const double start = now(threads_);
                             const auto result = copse::components(graph_, {.variant = name, .threads = threads_});
                             const double took = now(threads_) - start;
                             check(copse::checksum(result.labels), name);
                             return took;
                           },
                           {}});
  }

  void add_fast(std::string name, const fast_options& settings) {
    contenders_.push_back({name,
                           [this, name, settings] {
                             const copse::solve_options options{.threads = threads_};
                             const double start = now(threads_);
                             auto labels = threads_ == 1 ? copse::fast::solve_fast<copse::backend::serial>(view_, options, settings)
                                                         : copse::fast::solve_fast<copse::backend::omp>(view_, options, settings);
                             const double took = now(threads_) - start;
                             const auto n = labels.size();
                             check(copse::checksum(copse::labelling{std::move(labels), copse::vertex_names::identity(n)}), name);
                             return took;
                           },
                           {}});
  }

  template <class Ideas>
  void add_ideas(const std::string& route, fast_options all, const Ideas& settings) {
    fast_options none = all;
    for (const idea& i : settings) i.turn(none, false);
    add_fast(route + ".base", none);
    for (const idea& i : settings) {
      if (threads_ > 1 && i.name == "fused_finish") continue;
      fast_options alone = none, without = all;
      i.turn(alone, true);
      i.turn(without, false);
      add_fast(fmt::format("{}.only.{}", route, i.name), alone);
      add_fast(fmt::format("{}.without.{}", route, i.name), without);
    }
  }

  void run(int trials) {
    for (int trial = 0; trial < trials; ++trial) {
      for (auto& c : contenders_) {
        c.solve();  // so that every sample has the same neighbour before it: cli/bench_trials.hpp says why
        c.samples.push_back(c.solve());
      }
    }
  }

  [[nodiscard]] nlohmann::ordered_json report() const {
    nlohmann::ordered_json seconds;
    for (const auto& c : contenders_) {
      const double least = *std::min_element(c.samples.begin(), c.samples.end());
      seconds[c.name] = {{"median", median(c.samples)}, {"samples", c.samples}};
      fmt::print(stderr, "{:9.3f} ms (least {:9.3f})  {}\n", median(c.samples) * 1e3, least * 1e3, c.name);
    }
    return seconds;
  }

  [[nodiscard]] std::uint64_t answer() const noexcept { return answer_; }

private:
  void check(std::uint64_t sum, const std::string& name) {
    if (answer_ == 0) answer_ = sum;
    if (sum == answer_) return;
    fmt::print(stderr, "copse_bench_fast: {} gives other labels\n", name);
    std::exit(1);
  }

  const copse::graph& graph_;
  rows view_;
  unsigned threads_;
  std::vector<contender> contenders_;
  std::uint64_t answer_ = 0;
};

nlohmann::ordered_json phases(rows view, unsigned threads, fast_options settings) {
  copse::fast::fast_report report;
  settings.report = &report;
  const copse::solve_options options{.threads = threads};
  if (threads == 1) {
    copse::fast::solve_fast<copse::backend::serial>(view, options, settings);
  } else {
    copse::fast::solve_fast<copse::backend::omp>(view, options, settings);
  }
  fmt::print(stderr,
             "{}\n  coverage {:.4f}; ms: decide {:.3f}, touch {:.3f}, hook {:.3f}, second {:.3f}, vote {:.3f}, "
             "flatten {:.3f}, finish {:.3f}, labels {:.3f}\n",
             copse::fast::explain(report.decision), report.coverage, report.decide_seconds * 1e3, report.touch_seconds * 1e3,
             report.hook_seconds * 1e3, report.second_hook_seconds * 1e3, report.vote_seconds * 1e3, report.flatten_seconds * 1e3,
             report.finish_seconds * 1e3, report.label_seconds * 1e3);
  return {{"explanation", copse::fast::explain(report.decision)},
          {"coverage", report.coverage},
          {"seconds",
           {{"decide", report.decide_seconds},
            {"touch", report.touch_seconds},
            {"hook", report.hook_seconds},
            {"second_hook", report.second_hook_seconds},
            {"vote", report.vote_seconds},
            {"flatten", report.flatten_seconds},
            {"finish", report.finish_seconds},
            {"labels", report.label_seconds}}}};
}

}  // namespace

int main(int count, char** arguments) {
#ifndef NDEBUG
  std::fputs("copse_bench_fast: refuses to measure a build that is not release\n", stderr);
  return 2;
#endif
  if (count < 2) {
    std::fputs("usage: copse_bench_fast SPEC [THREADS] [TRIALS] [quick]\n", stderr);
    return 2;
  }
  const std::string spec = arguments[1];
  const auto threads = static_cast<unsigned>(count > 2 ? std::atoi(arguments[2]) : 1);
  const int trials = count > 3 ? std::atoi(arguments[3]) : 5;
  const bool quick = count > 4 && std::string_view{arguments[4]} == "quick";

  const copse::graph graph = copse::gen::generate(spec);
  const auto* held = std::get_if<copse::csr<std::uint32_t, std::uint32_t>>(&graph.shape());
  if (held == nullptr) {
    std::fputs("copse_bench_fast: 32-bit ids and offsets are measured\n", stderr);
    return 2;
  }
  const rows view = held->view();
  bench b{graph, view, threads};
  b.add_variant("serial.none.rem");
  b.add_variant("serial.kout.rem");
  b.add_variant("omp.kout.afforest");
  if (threads > 1) {
    b.add_variant("omp.none.rem_cas.naive.halve_one");
    b.add_variant("omp.kout.rem_cas.naive.split_one");
  }
  const fast_options sampled{.way = copse::fast::route::sampled}, unsampled{.way = copse::fast::route::unsampled};
  b.add_fast("fast", {});
  b.add_fast("fast.sampled", sampled);
  b.add_fast("fast.unsampled", unsampled);
  if (!quick) {
    fast_options four = sampled;
    four.hook_arcs = 4;
    b.add_fast("sampled.with.four_hook_arcs", four);
    b.add_ideas("sampled", sampled, sampled_ideas);
    b.add_ideas("unsampled", unsampled, unsampled_ideas);
  }
  b.run(trials);

  nlohmann::ordered_json result{{"benchmark", "fast"},
                                {"machine", copse::cli::machine_facts()},
                                {"graph", spec},
                                {"vertices", graph.vertices()},
                                {"arcs", view.arcs()},
                                {"threads", threads},
                                {"clock", threads == 1 ? "thread" : "wall"},
                                {"checksum", fmt::format("{:016x}", b.answer())}};
  result["phases"] = {{"sampled", phases(view, threads, sampled)}, {"unsampled", phases(view, threads, unsampled)}};
  result["seconds"] = b.report();
  fmt::print("{}\n", result.dump(1));
}
