// Components on the CPU and a GPU together, over the CPU's share t: Figures 8 to 11 and Table III of Banerjee and Kothapalli, for graphs in
// host memory (copies of graph and labels in the time) and for graphs on the GPU. All times are wall-clock; t = 0 is the GPU alone, 100 the
// CPU alone. Every answer is compared with that of auto on the CPU.
//   copse_bench_hybrid [--variants A,B] [--shares 0,5,..] [--trials N] [--seconds S] [--threads N] [--table FILE] [--json OUT] SPEC...
// Of each graph, form and variant no more than S seconds (at least one trial a share). --table: the table of which auto takes its share.
#include <fmt/core.h>
#include <copse/copse.hpp>
#include <copse/core/gpus.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../cli/machine.hpp"
#include "../cli/share_file.hpp"
#include "samples.hpp"

namespace {

using copse::bench::median;
using copse::bench::words_of;

using nlohmann::ordered_json;
using clock = std::chrono::steady_clock;

/// One share, as often as it was tried.
struct share_result {
  std::optional<double> share;  // none: auto
  std::vector<double> seconds;
  copse::solve_report last;
  [[nodiscard]] double middle() const { return median(seconds); }
};

struct asked_for {
  std::vector<std::string> variants{"hybrid.auto", "hybrid.dfs.hb.own"};
  std::vector<double> shares{0, 5, 10, 15, 17, 20, 25, 30, 40, 50, 60, 70, 80, 90, 95, 100};
  unsigned trials = 7, threads = 0;
  double seconds = 5;
  std::optional<copse::share_table> table;
  std::string json;
  std::vector<std::string> specs;
};

/// Solves once, checks the answer, tells.
using solve_once = std::function<copse::solve_report(const std::string& variant, std::optional<double> share)>;

/// All shares in turn, again and again; then between those at which neither side waits long, which is where the best is.
std::vector<share_result> curve_of(const solve_once& solve, const std::string& variant, const asked_for& asked) {
  std::vector<share_result> curve{{std::nullopt, {}, {}}};
  for (const double share : asked.shares) curve.push_back({share, {}, {}});
  const auto begin = clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(clock::now() - begin).count(); };
  // Every sample follows a solve that is not timed: the one before had another team of threads, perhaps, and other data in the caches.
  const auto try_once = [&](share_result& r) {
    static_cast<void>(solve(variant, r.share));
    r.last = solve(variant, r.share);
    r.seconds.push_back(r.last.solve_seconds);
  };
  for (unsigned trial = 0; trial < asked.trials && (trial == 0 || spent() < asked.seconds * .7); ++trial) {
    for (share_result& r : curve) try_once(r);
  }
  double low = 5, high = 95;
  for (unsigned k = 0; k < 6 && spent() < asked.seconds; ++k) {
    share_result middle{(low + high) / 2, {}, {}};
    for (unsigned trial = 0; trial < asked.trials && (trial == 0 || spent() < asked.seconds); ++trial) try_once(middle);
    (middle.last.hybrid->cpu_seconds < middle.last.hybrid->gpu_seconds ? low : high) = *middle.share;
    curve.push_back(std::move(middle));
  }
  return curve;
}

ordered_json as_json(const share_result& r) {
  ordered_json phases = ordered_json::object();
  for (const copse::phase& p : r.last.phases) phases[std::string{p.name}] = p.seconds;
  const auto& h = *r.last.hybrid;
  return {{"asked_share", r.share ? ordered_json(*r.share) : ordered_json("auto")},
          {"share", h.share},
          {"seconds", r.seconds},
          {"cpu_seconds", h.cpu_seconds},
          {"gpu_seconds", h.gpu_seconds},
          {"cross_seconds", h.cross_seconds},
          {"cpu_idle", h.cpu_idle()},
          {"gpu_idle", h.gpu_idle()},
          {"cross_arcs", h.cross_arcs},
          {"super_edges", h.super_edges},
          {"reason", h.reason},
          {"phases_of_last", std::move(phases)}};
}

/// What the bars ask: the best share from 5 to 95 against each side alone, and auto against the better of these.
ordered_json judged(std::vector<share_result>& curve, const std::string& where) {
  const auto at = [&](double share) -> const share_result* {
    const auto found = std::find_if(curve.begin(), curve.end(), [&](const share_result& r) { return r.share == share; });
    return found == curve.end() ? nullptr : &*found;
  };
  const share_result *gpu = at(0), *cpu = at(100), *best = nullptr, &automatic = curve.front();
  for (const share_result& r : curve) {
    if (r.share && *r.share >= 5 && *r.share <= 95 && (best == nullptr || r.middle() < best->middle())) best = &r;
  }
  if (gpu == nullptr || cpu == nullptr || best == nullptr) return nullptr;
  const double alone = std::min(gpu->middle(), cpu->middle());
  const auto gain = [&](double than) { return 100 * (than / best->middle() - 1); };
  const auto& h = *best->last.hybrid;
  fmt::print(
      "{:<46} GPU {:>8.3f}  CPU {:>8.3f}  best {:>8.3f} at {:>5.1f} %  {:>+6.1f} % on GPU {:>+6.1f} % on CPU  idle {:>3.0f} {:>3.0f} %"
      "  cross {:>6.3f}  auto {:>8.3f} at {:>5.1f} % ({:.2f})\n",
      where, 1e3 * gpu->middle(), 1e3 * cpu->middle(), 1e3 * best->middle(), *best->share, gain(gpu->middle()), gain(cpu->middle()),
      100 * h.cpu_idle(), 100 * h.gpu_idle(), 1e3 * h.cross_seconds, 1e3 * automatic.middle(), automatic.last.hybrid->share,
      automatic.middle() / alone);
  std::fflush(stdout);
  return {{"gpu_seconds", gpu->middle()},
          {"cpu_seconds", cpu->middle()},
          {"best_share", *best->share},
          {"best_seconds", best->middle()},
          {"percent_ahead_of_gpu", gain(gpu->middle())},
          {"percent_ahead_of_cpu", gain(cpu->middle())},
          {"auto_share", automatic.last.hybrid->share},
          {"auto_over_better_alone", automatic.middle() / alone}};
}

ordered_json run_form(const std::string& spec, std::string_view form, const solve_once& solve, const asked_for& asked) {
  ordered_json ways = ordered_json::array();
  for (const std::string& variant : asked.variants) {
    auto curve = curve_of(solve, variant, asked);
    ordered_json all = ordered_json::array();
    for (const share_result& r : curve) all.push_back(as_json(r));
    const std::string ran = curve.front().last.variant;
    auto verdict = judged(curve, fmt::format("{} {} {}", spec.substr(0, 22), form, variant));
    ways.push_back({{"form", form}, {"variant", variant}, {"ran", ran}, {"judged", std::move(verdict)}, {"curve", std::move(all)}});
  }
  return ways;
}

ordered_json run_graph(const std::string& spec, const asked_for& asked) {
  const bool generated = copse::gen::is_spec(spec);
  const copse::graph g = generated ? copse::build_csr(copse::gen::generate(spec, {.threads = asked.threads}), {.threads = asked.threads})
                                   : copse::read_graph(spec);
  const auto wanted = copse::checksum(copse::components(g).labels);
  const auto expect = [&](std::uint64_t found, std::string_view how) {
    if (found != wanted) throw std::runtime_error{fmt::format("{}: other labels by {} than by auto on the CPU", spec, how)};
  };
  const auto share_of = [&](std::optional<double> share) {
    return copse::hybrid_options{.share = share, .shares = asked.table ? &*asked.table : nullptr};
  };
  ordered_json forms = ordered_json::array();
  const auto add = [&](ordered_json ways) {
    for (auto& way : ways) forms.push_back(std::move(way));
  };
  add(run_form(
      spec, "host",
      [&](const std::string& variant, std::optional<double> share) {
        const auto solved = copse::components(g, {.variant = variant, .threads = asked.threads}, share_of(share));
        expect(copse::checksum(solved.labels), variant);
        return solved.report;
      },
      asked));
  copse::gpu_solver solver;
  const auto there = solver.copy_in(g.view());
  add(run_form(
      spec, "gpu",
      [&](const std::string& variant, std::optional<double> share) {
        const auto solved = solver.solve(there, g.view(), {.variant = variant, .threads = asked.threads}, share_of(share));
        expect(solver.checksum(solved), variant);
        return solved.report();
      },
      asked));
  return {{"graph", spec}, {"vertices", g.vertices()}, {"forms", std::move(forms)}};
}

asked_for parsed(int argc, char** argv) {
  asked_for asked;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!word.starts_with("--")) {
      asked.specs.push_back(word);
      continue;
    }
    if (++i == argc) throw std::invalid_argument{word + " has no value"};
    const std::string value = argv[i];
    if (word == "--variants") {
      asked.variants = words_of(value);
    } else if (word == "--shares") {
      asked.shares.clear();
      for (const auto& share : words_of(value)) asked.shares.push_back(std::stod(share));
    } else if (word == "--trials") {
      asked.trials = static_cast<unsigned>(std::stoul(value));
    } else if (word == "--threads") {
      asked.threads = static_cast<unsigned>(std::stoul(value));
    } else if (word == "--seconds") {
      asked.seconds = std::stod(value);
    } else if (word == "--table") {
      asked.table = copse::cli::read_shares(value);
    } else if (word == "--json") {
      asked.json = value;
    } else {
      throw std::invalid_argument{"unknown " + word};
    }
  }
  return asked;
}

int run(int argc, char** argv) {
  const asked_for asked = parsed(argc, argv);
  const auto gpus = copse::gpus();
  if (gpus.empty()) throw std::runtime_error{"found no GPU, expected one"};
  ordered_json graphs = ordered_json::array();
  for (const std::string& spec : asked.specs) {
    graphs.push_back(run_graph(spec, asked));
    if (asked.json.empty()) continue;
    const ordered_json out{{"benchmark", "hybrid"},
                           {"gpu", gpus.front().name},
                           {"machine", copse::cli::machine_facts()},
                           {"threads", asked.threads},
                           {"graphs", graphs}};
    std::ofstream{asked.json} << out.dump(1) << '\n';  // after each: the next may be killed
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_and_tell("copse_bench_hybrid", [=] { return run(argc, argv); });
}
