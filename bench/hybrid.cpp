// Components on the CPU and a GPU together, over the CPU's share t: Figures 8 to 11 and Table III of Banerjee and Kothapalli, for graphs in
// host memory (copies of graph and labels in the time) and for graphs on the GPU. All times are wall-clock; t = 0 is the GPU alone, 100 the
// CPU alone. One answer of three is compared with that of auto on the CPU: checks between timed solves would move what is in the caches.
//   copse_bench_hybrid [--variants A,B] [--shares 0,5,..] [--trials N] [--finals N] [--halvings N] [--threads N]
//                      [--caps 50,10,..] [--forms host,gpu] [--cross keep|unite|min_label]
//                      [--json OUT] SPEC...
// First the curve: the shares asked for, and those that lead to where neither side waits (halvings), --trials samples each. Then the
// finals in turns, --finals samples each: the best share of the curve, 5 %, some about where the sides meet, both sides alone and auto; of
// these are the best and the most even share. --cross: how edges between the parts are solved throughout; with keep, the best share is
// then tried by the other two as well. --caps: with so many percent of the GPU memory that the graph takes alone, from host memory,
// share 0 asked.
#include <fmt/core.h>
#include <copse/copse.hpp>
#include <copse/cuda.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "benchmark.hpp"

namespace {

using copse::bench::json;
using copse::bench::median;

/// One share, as often as it was tried.
struct share_result {
  std::optional<double> share;  // none: auto
  copse::cross_rule cross = copse::cross_rule::keep;
  std::vector<copse::solve_report> reports{};

  template <class F>
  [[nodiscard]] double middle_of(F what) const {
    std::vector<double> all;
    for (const auto& r : reports) all.push_back(what(r));
    return median(std::move(all));
  }
  [[nodiscard]] double middle() const {
    return middle_of([](const auto& r) { return r.solve_seconds; });
  }
  [[nodiscard]] double cpu_idle() const {
    return middle_of([](const auto& r) { return r.hybrid->cpu_idle(); });
  }
  [[nodiscard]] double gpu_idle() const {
    return middle_of([](const auto& r) { return r.hybrid->gpu_idle(); });
  }
  [[nodiscard]] double idle() const { return std::max(cpu_idle(), gpu_idle()); }
  [[nodiscard]] bool cpu_waits() const {
    return middle_of([](const auto& r) { return r.hybrid->gpu_seconds - (r.hybrid->cpu_seconds - r.hybrid->spare_seconds); }) > 0;
  }
};

/// What the words of the command say.
struct asked_for {
  explicit asked_for(const copse::bench::benchmark_arguments& words)
      : variants{words.words("variants")},
        forms{words.words("forms")},
        shares{words.numbers("shares")},
        caps{words.numbers("caps")},
        trials{words.number("trials")},
        finals{words.number("finals")},
        halvings{words.number("halvings")},
        threads{words.number("threads")} {
    const auto rule = std::ranges::find(copse::cross_rule_names, words["cross"]);
    if (rule == copse::cross_rule_names.end())
      throw std::invalid_argument{"--cross: found " + words["cross"] + ", expected keep, unite or min_label"};
    cross = static_cast<copse::cross_rule>(rule - copse::cross_rule_names.begin());
  }

  std::vector<std::string> variants, forms;
  std::vector<double> shares, caps;
  unsigned trials, finals, halvings, threads;
  copse::cross_rule cross = copse::cross_rule::keep;
};

/// Solves once, checks the answer if asked to, tells.
using solve_once = std::function<copse::solve_report(const copse::solve_options& options, std::uint64_t gpu_memory, bool check)>;

/// The ways in turns, forwards and backwards, each two samples at a time after a solve that is not timed: the one before had another team
/// of threads, and other data in the caches.
void try_in_turns(const solve_once& solve, const std::string& variant, std::vector<share_result*> ways, unsigned trials) {
  const auto once = [&](const share_result& way, bool check) {
    return solve({.variant = variant, .hybrid = {.share = way.share, .cross = way.cross}}, UINT64_MAX, check);
  };
  for (unsigned turn = 0; turn < (trials + 1) / 2; ++turn) {
    for (share_result* const way : ways) {
      static_cast<void>(once(*way, true));
      for (unsigned k = 0; k < 2; ++k) way->reports.push_back(once(*way, false));
    }
    std::reverse(ways.begin(), ways.end());
  }
}

constexpr double least_share = 5, most_share = 95;  // that count as sharing

struct measured_curve {
  std::vector<share_result> shares;
  double meeting;  ///< about where neither side waits
};

/// The shares asked for in turns, and those that lead to where neither side waits: the CPU's time grows with its share.
measured_curve curve_of(const solve_once& solve, const std::string& variant, const asked_for& asked) {
  std::vector<share_result> curve;
  for (const double share : asked.shares) curve.push_back({share, asked.cross});
  std::vector<share_result*> all;
  for (auto& way : curve) all.push_back(&way);
  try_in_turns(solve, variant, all, asked.trials);
  double low = least_share, high = most_share;
  for (unsigned k = 0; k < asked.halvings; ++k) {
    share_result middle{(low + high) / 2, asked.cross};
    try_in_turns(solve, variant, {&middle}, asked.trials);
    (middle.cpu_waits() ? low : high) = *middle.share;
    curve.push_back(std::move(middle));
  }
  return {std::move(curve), asked.halvings == 0 ? least_share : (low + high) / 2};
}

/// The shares of the finals, in order.
std::vector<share_result> finalists(const measured_curve& curve, copse::cross_rule cross) {
  std::vector<double> final_shares{least_share};
  const share_result* best = nullptr;
  for (const share_result& r : curve.shares) {
    if (*r.share < least_share || *r.share > most_share) continue;
    if (best == nullptr || r.middle() < best->middle()) best = &r;
  }
  if (best != nullptr) final_shares.push_back(*best->share);
  for (const double step : {-.2, -.1, 0., .1, .2}) final_shares.push_back(std::clamp(curve.meeting * (1 + step), least_share, most_share));
  std::sort(final_shares.begin(), final_shares.end());
  std::vector<share_result> shares;
  for (const double share : final_shares) {
    if (shares.empty() || share - *shares.back().share > .25) shares.push_back({share, cross});
  }
  return shares;
}

json as_json(const share_result& r) {
  json seconds = json::array(), cpu = seconds, spare = seconds, gpu = seconds, cross = seconds, copies = seconds;
  for (const auto& report : r.reports) {
    seconds.push_back(report.solve_seconds);
    cpu.push_back(report.hybrid->cpu_seconds);
    spare.push_back(report.hybrid->spare_seconds);
    gpu.push_back(report.hybrid->gpu_seconds);
    cross.push_back(report.hybrid->cross_seconds);
    for (const copse::phase& p : report.phases) {
      if (p.name == "copy in") copies.push_back(p.seconds);
    }
  }
  const auto& last = r.reports.back();
  const bool contracted = last.hybrid->cross != copse::cross_rule::keep;
  return {{"asked_share", r.share ? json(*r.share) : json("auto")},
          {"share", last.hybrid->share},
          {"cross", copse::cross_rule_names[static_cast<std::size_t>(last.hybrid->cross)]},
          {"seconds", std::move(seconds)},
          {"cpu_seconds", std::move(cpu)},
          {"spare_seconds", std::move(spare)},
          {"gpu_seconds", std::move(gpu)},
          {"cross_seconds", std::move(cross)},
          {"copy_in_seconds", std::move(copies)},
          {"cross_arcs", contracted ? json(last.hybrid->cross_arcs) : json()},
          {"super_edges", contracted ? json(last.hybrid->super_edges) : json()},
          {"reason", last.hybrid->reason},
          {"phases_of_last", copse::bench::seconds_by_name(last.phases)}};
}

/// What the bars ask: the best share from 5 to 95 against each side alone, the share at which both wait least, and auto against the better
/// side alone.
json verdict_on(const solve_once& solve, const std::string& variant, const asked_for& asked, const measured_curve& curve,
                const std::string& where) {
  std::vector<share_result> shares = finalists(curve, asked.cross);
  share_result gpu{0}, cpu{100}, automatic{std::nullopt, asked.cross};
  std::vector<share_result*> all{&gpu, &cpu, &automatic};
  for (share_result& r : shares) all.push_back(&r);
  try_in_turns(solve, variant, all, asked.finals);
  const auto quicker = [](const share_result& a, const share_result& b) { return a.middle() < b.middle(); };
  const auto waits_less = [](const share_result& a, const share_result& b) { return a.idle() < b.idle(); };
  const share_result& both = *std::min_element(shares.begin(), shares.end(), quicker);
  const share_result* const even = &*std::min_element(shares.begin(), shares.end(), waits_less);
  share_result unite{both.share, copse::cross_rule::unite}, min_label{both.share, copse::cross_rule::min_label};
  const bool all_rules = asked.cross == copse::cross_rule::keep;
  if (all_rules) try_in_turns(solve, variant, {&unite, &min_label}, asked.trials);
  json finals = json::array();
  for (const share_result& r : shares) finals.push_back(as_json(r));
  const double alone = std::min(gpu.middle(), cpu.middle());
  const auto gain = [](double than, const share_result& of) { return 100 * (than / of.middle() - 1); };
  const double share_of_auto = automatic.reports.back().hybrid->share;
  const auto cross = [](const share_result& r) { return r.middle_of([](const auto& report) { return report.hybrid->cross_seconds; }); };
  fmt::print(
      "{:<50} GPU {:>7.3f} CPU {:>7.3f} best {:>7.3f} at {:>4.1f} % {:>+4.0f} {:>+5.0f} idle {:>2.0f} {:>2.0f} cross {:>6.3f} {:>6.3f} "
      "{:>6.3f}"
      " even {:>4.1f} % {:>+4.0f} {:>+5.0f} idle {:>2.0f} {:>2.0f} auto {:>7.3f} at {:>5.1f} % ({:.2f})\n",
      where, 1e3 * gpu.middle(), 1e3 * cpu.middle(), 1e3 * both.middle(), *both.share, gain(gpu.middle(), both), gain(cpu.middle(), both),
      100 * both.cpu_idle(), 100 * both.gpu_idle(), 1e3 * cross(both), 1e3 * cross(unite), 1e3 * cross(min_label), *even->share,
      gain(gpu.middle(), *even), gain(cpu.middle(), *even), 100 * even->cpu_idle(), 100 * even->gpu_idle(), 1e3 * automatic.middle(),
      share_of_auto, automatic.middle() / alone);
  std::fflush(stdout);
  json verdict{{"gpu", as_json(gpu)},
               {"cpu", as_json(cpu)},
               {"best", as_json(both)},
               {"auto", as_json(automatic)},
               {"even_share", *even->share},
               {"even_idle", even->idle()},
               {"auto_over_better_alone", automatic.middle() / alone},
               {"finals", std::move(finals)}};
  if (all_rules) verdict["best_by_unite"] = as_json(unite), verdict["best_by_min_label"] = as_json(min_label);
  return verdict;
}

/// More graph than the GPU may take.
json capped(const solve_once& solve, const std::string& variant, const asked_for& asked, std::uint64_t bytes, const std::string& where) {
  json all = json::array();
  for (const double percent : asked.caps) {
    const auto cap = static_cast<std::uint64_t>(static_cast<double>(bytes) * percent / 100);
    share_result found{0};
    for (unsigned trial = 0; trial <= asked.trials; ++trial) {
      const auto report = solve({.variant = variant, .hybrid = {.share = 0}}, cap, true);
      if (trial > 0) found.reports.push_back(report);
    }
    fmt::print("{:<50} {:>3.0f} % of {} bytes: {:>7.3f} ms, the CPU has {:.1f} %\n", where, percent, bytes, 1e3 * found.middle(),
               found.reports.back().hybrid->share);
    all.push_back({{"percent", percent}, {"gpu_memory_bytes", cap}, {"solved", as_json(found)}});
  }
  return all;
}

json run_form(const std::string& spec, std::string_view form, const solve_once& solve, const asked_for& asked, std::uint64_t bytes_alone) {
  json ways = json::array();
  if (std::find(asked.forms.begin(), asked.forms.end(), form) == asked.forms.end()) return ways;
  for (const std::string& variant : asked.variants) {
    const std::string where = fmt::format("{} {} {}", spec.substr(0, 22), form, variant.substr(0, 20));
    const auto curve = curve_of(solve, variant, asked);
    json all = json::array();
    for (const share_result& r : curve.shares) all.push_back(as_json(r));
    const std::string ran = curve.shares.front().reports.front().variant;
    auto verdict = verdict_on(solve, variant, asked, curve, where);
    auto caps = form == "host" ? capped(solve, variant, asked, bytes_alone, where) : json::array();
    ways.push_back({{"form", form},
                    {"variant", variant},
                    {"ran", ran},
                    {"judged", std::move(verdict)},
                    {"capped", std::move(caps)},
                    {"curve", std::move(all)}});
  }
  return ways;
}

json run_graph(const std::string& spec, const asked_for& asked) {
  const copse::graph g = copse::bench::graph_named(spec, asked.threads);
  const auto by_cpu = copse::components(g);
  const copse::labelling& expected = by_cpu.labels;
  const auto expected_sum = copse::checksum(expected);
  const auto expect = [&](bool right, std::string_view variant) {
    if (!right) throw std::runtime_error{fmt::format("{}: other labels by {} than by auto on the CPU", spec, variant)};
  };
  // By this thread alone: checks on other threads would move what is in their caches.
  const auto same = [&](const copse::labelling& found) {
    const auto& labels = std::get<copse::buffer<std::uint32_t>>(found.labels());
    const auto& expected_labels = std::get<copse::buffer<std::uint32_t>>(expected.labels());
    return std::equal(labels.begin(), labels.end(), expected_labels.begin(), expected_labels.end());
  };
  const std::uint64_t bytes_alone = copse::gpu_solver::bytes_needed(g.view(), "auto");
  json forms = json::array();
  const auto add = [&](json ways) {
    for (auto& way : ways) forms.push_back(std::move(way));
  };
  add(run_form(
      spec, "host",
      [&](const copse::solve_options& options, std::uint64_t gpu_memory, bool check) {
        const auto solved = copse::components(g, options, {.threads = asked.threads, .gpu_memory = gpu_memory});
        if (check) expect(same(solved.labels), options.variant);
        return solved.report;
      },
      asked, bytes_alone));
  copse::gpu_solver solver;
  const auto resident = solver.copy_in(g.view());
  add(run_form(
      spec, "gpu",
      [&](const copse::solve_options& options, std::uint64_t, bool check) {
        const auto solved = solver.solve(resident, g.view(), options, {.threads = asked.threads});
        if (check) expect(solver.checksum(solved) == expected_sum, options.variant);
        return solved.report();
      },
      asked, bytes_alone));
  return {{"graph", spec}, {"vertices", g.vertices()}, {"arcs", by_cpu.report.edges}, {"forms", std::move(forms)}};
}

void run(const copse::bench::benchmark_arguments& words) {
  const asked_for asked{words};
  json head = copse::bench::result_on_gpu("hybrid");
  head["threads"] = copse::usable_threads(asked.threads);
  head["cross"] = words["cross"];
  copse::bench::measure_each(words, head, [&](const std::string& spec) { return run_graph(spec, asked); });
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(argc, argv, "copse_bench_hybrid", "SPEC...",
                                     {{"variants", "hybrid.auto,hybrid.dfs.none.soman"},
                                      {"forms", "host,gpu"},
                                      {"shares", "0,5,10,15,20,30,50,75,95,100"},
                                      {"caps", ""},
                                      {"trials", "4"},
                                      {"finals", "10"},
                                      {"halvings", "6"},
                                      {"threads", "0"},
                                      {"cross", "keep"},
                                      {"json", ""}},
                                     run);
}
