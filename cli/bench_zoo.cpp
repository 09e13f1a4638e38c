// copse bench --zoo speed: a zoo of generated graphs, each in two sizes, with ids as generated and shuffled, rows sorted and unsorted, and
// the nine graphs of docs/measurements. On each a fixed list of variants is screened; then auto and the two fastest take turns on fresh
// samples, so that no variant is judged by the sample that chose it. Every answer is compared with that of a variant outside the contest.
#include "bench_zoo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <gen/unsorted_rows.hpp>
#include <memory>
#include <optional>

#include "api/gpu_benchmark.hpp"
#include "bench_report.hpp"
#include "bench_trials.hpp"
#include "bench_zoo_list.hpp"
#include "gpu_list.hpp"
#include "input.hpp"
#include "machine.hpp"
#include "output.hpp"

namespace copse::cli {
namespace {

struct zoo_entry {
  std::string spec;
  bool in_both_orders;  ///< true if the unsorted rows are measured, too
};

/// The graphs of the zoo, ordered so that the graphs that are left out when the time budget ends are spread over the families.
std::vector<zoo_entry> zoo_of(const zoo_options& options) {
  std::vector<zoo_entry> all;
  const std::size_t sizes = options.sizes.size();
  // Each round takes the next size, so two passes take every size twice: once with ids as generated and once with shuffled ids.
  for (std::size_t round = 0; round < 2 * sizes; ++round) {
    const bool shuffled = (round + round / sizes) % 2 == 1;
    for (const std::string& spec : zoo_specs(options.sizes[round % sizes])) all.push_back({spec + (shuffled ? ",shuffle=1" : ""), true});
  }
  for (const std::string& spec : nine_specs(options.on_gpu)) all.push_back({spec, false});
  return all;
}

/// A graph of the zoo in the memory of the device that solves it.
class zoo_graph {
public:
  virtual ~zoo_graph() = default;
  /// Makes the rows of `spec` and solves them once, for facts() and reference(). Returns the fault of that solve, empty if there is none.
  /// Must be called with sorted = true before sorted = false for the same spec.
  virtual std::string make(const std::string& spec, bool sorted) = 0;
  /// `variant` is auto or one of screened_variants.
  virtual contender contender_for(const std::string& variant, unsigned threads) = 0;

  [[nodiscard]] const graph_facts& facts() const noexcept { return facts_; }
  [[nodiscard]] const solved_once& reference() const noexcept { return reference_; }

protected:
  graph_facts facts_;
  solved_once reference_;
};

class cpu_zoo_graph final : public zoo_graph {
public:
  cpu_zoo_graph(resources& context, std::uint64_t seed) : context_{context}, seed_{seed} {}

  std::string make(const std::string& spec, bool sorted) override {
    if (spec != spec_) {
      held_ = {};
      held_ = gen::generate(spec, context_.on());
      spec_ = spec;
    }
    if (!sorted) {
      held_ = gen::unsorted_rows(std::move(held_), seed_, context_.on());
      spec_.clear();
    }
    const std::uint64_t arcs = std::visit([](const auto& shape) { return arcs_of(shape); }, held_.shape());
    facts_ = {.text = spec, .vertices = held_.vertices(), .arcs = arcs, .edges = arcs / 2};  // simple; rows store both directions
    facts_.graph_checksum = graph_checksum(held_.view(), context_.on());
    const auto solved = copse::components(held_, {.variant = "serial.none.rem", .seed = seed_}, on(1, context_.observer));
    reference_ = checked(solved);
    facts_.checksum = reference_.checksum;
    facts_.components = summarise(solved.labels, 0, context_.on()).components;
    return {};
  }

  contender contender_for(const std::string& variant, unsigned threads) override {
    const std::string name = variant == "auto" ? variant : "threads." + variant;
    return {name, "csr", threads, [this, name, threads](observer& watcher) {
              return checked(copse::components(held_, {.variant = name, .seed = seed_}, on(threads, watcher)));
            }};
  }

private:
  template <class Shape>
  static std::uint64_t arcs_of(const Shape& shape) {
    if constexpr (requires { shape.targets; }) return shape.targets.size();
    return 0;
  }
  [[nodiscard]] execution on(unsigned threads, observer& watcher) const {
    execution how = context_.on();
    how.threads = threads;
    how.observer = &watcher;
    return how;
  }
  [[nodiscard]] solved_once checked(const components_result& result) const {
    return {result.report.variant, result.report.build_seconds + result.report.solve_seconds, checksum(result.labels, context_.on())};
  }

  resources& context_;
  std::uint64_t seed_;
  std::string spec_;  ///< the spec of the sorted rows that are held
  graph held_;
};

class gpu_zoo_graph final : public zoo_graph {
public:
  explicit gpu_zoo_graph(std::uint64_t seed) : seed_{seed} {}

  std::string make(const std::string& spec, bool sorted) override {
    theirs_.reset();
    ours_.reset();
    const gpu_graph_options options{.short_fetches = true};
    const execution on{.device = "cuda"};
    ours_ = sorted ? gpu_graph::generate(spec, options, on) : gpu_benchmark::generate_unsorted(spec, seed_, options, on);
    theirs_ = gpu_benchmark::view_of(*ours_, {}, {.rows = gpu_row_loop::base});
    const gpu_labels labels = components(*ours_, {.variant = "cuda.none.rem_cas.naive.halve_one"});
    reference_ = {labels.report().variant, labels.report().solve_seconds, checksum(labels)};
    const verdict proof = verify(*ours_, labels);
    facts_ = {.text = spec, .vertices = ours_->vertices(), .arcs = ours_->arcs(), .edges = ours_->edges()};
    facts_.components = proof.components;
    facts_.checksum = reference_.checksum;
    return proof.reason;
  }

  contender contender_for(const std::string& variant, unsigned) override {
    const std::string name = variant == "auto" ? variant : "cuda." + variant;
    const gpu_graph& arrays = variant == "auto" || variant.ends_with(".fast") ? *ours_ : *theirs_;
    return {name, "csr", 1, [this, name, &arrays](observer& watcher) -> solved_once {
              execution how;
              how.observer = &watcher;
              const gpu_labels labels = components(arrays, {.variant = name, .seed = seed_}, how);
              return {labels.report().variant, labels.report().solve_seconds, checksum(labels), labels.report().launches};
            }};
  }

private:
  std::uint64_t seed_;
  std::optional<gpu_graph> ours_;
  std::optional<gpu_graph> theirs_;  ///< the same arrays, solved by the loops of the GConn paper
};

std::string order_of(bool sorted) { return sorted ? "sorted" : "unsorted"; }

class zoo_run {
public:
  zoo_run(const zoo_options& options, const run_options& run) : options_{options}, context_{run} {
    if (options.on_gpu) {
      graph_ = std::make_unique<gpu_zoo_graph>(options.seed);
    } else {
      graph_ = std::make_unique<cpu_zoo_graph>(context_, options.seed);
    }
    report_ = {
        {"benchmark", "zoo"},   {"machine", machine_facts()},    {"gpus", gpu_list_json()}, {"device", options.on_gpu ? "cuda" : "cpu"},
        {"gpu_rows", "base"},   {"threads", options.threads},    {"sizes", options.sizes},  {"trials", options.trials},
        {"seed", options.seed}, {"variants", screened_variants}, {"graphs", json::array()}, {"left_out", json::array()}};
  }

  int run() {
    warm_up();
    print(fmt::format("{:>6}  {:>9}  {:>9}  {:>9}  {:>7}  {:<8}  graph (what auto ran; first; second)\n", "ratio", "auto ms", "first ms",
                      "second ms", "threads", "rows"));
    for (const zoo_entry& entry : zoo_of(options_)) {
      measure_graph(entry.spec, true);
      if (entry.in_both_orders) measure_graph(entry.spec, false);
    }
    summarise_ratios();
    if (!options_.json_path.empty() && options_.json_path != "-") {
      const std::string text = report_.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
      io::output_file file{options_.json_path, false};
      file.write(text.data(), text.size());
      file.commit();
    }
    if (options_.json_path == "-") print_json(report_);
    return code_;
  }

private:
  struct judged {
    double ratio;
    unsigned threads;
    std::string graph;
  };

  void print(const std::string& text) {
    context_.observer.clear();
    if (options_.json_path != "-") write_stdout(text);
  }
  /// The exit code for wrong labels takes precedence over that for a lack of memory.
  void note_fault(const std::string& line, int code) {
    context_.observer.clear();
    complain(line);
    if (code_ == exit_code::done || code == exit_code::check_failed) code_ = code;
  }
  void leave_out(const std::string& spec, bool sorted, const std::string& why) {
    report_["left_out"].push_back({{"graph", spec}, {"order", order_of(sorted)}, {"reason", why}});
  }

  /// Solves a small graph once by every variant that will be measured. A GPU loads a kernel when it is first launched, and that time would
  /// count towards the limit of a variant's first measured solve.
  void warm_up() {
    context_.observer.status("loading the variants");
    graph_->make("er:n=20000,m=60000", true);
    std::vector<std::string> variants{"auto"};
    variants.insert(variants.end(), std::begin(screened_variants), std::end(screened_variants));
    for (const std::string& variant : variants) graph_->contender_for(variant, options_.threads.back()).solve(context_.observer);
  }

  void measure_graph(const std::string& spec, bool sorted) {
    if (watch_.seconds() > options_.budget_seconds) return leave_out(spec, sorted, "time");
    context_.observer.status(fmt::format("{}, rows {}", spec, order_of(sorted)));
    try {
      const std::string wrong = graph_->make(spec, sorted);
      if (!wrong.empty())
        return note_fault(fmt::format("copse: {}: {}: {}", spec, graph_->reference().ran, wrong), exit_code::check_failed);
    } catch (const resource_error& problem) {
      leave_out(spec, sorted, problem.what());
      return note_fault(fmt::format("copse: {}: {}", spec, problem.what()), exit_code::out_of_resources);
    }
    graph_facts facts = graph_->facts();
    if (!sorted) facts.text += " (rows unsorted)";
    std::vector<measurement> finals, screening;
    json ratios = json::array();
    for (const unsigned threads : options_.threads) {
      std::vector<measurement> found = screen(facts, threads);
      std::vector<measurement> final = play_off(facts, found, threads);
      if (const auto ratio = judge(facts, final, sorted)) ratios.push_back({{"threads", threads}, {"ratio", *ratio}});
      std::ranges::move(found, std::back_inserter(screening));
      std::ranges::move(final, std::back_inserter(finals));
    }
    for (const auto* all : {&finals, &screening}) {
      const bench_faults faults = faults_of(facts, *all);
      for (const std::string& line : faults.lines) note_fault(line, faults.exit_code);
    }
    json object = bench_json(facts, finals);
    object["spec"] = spec;
    object["order"] = order_of(sorted);
    object["ratios"] = std::move(ratios);
    object["screening"] = json::array();
    for (const measurement& result : screening) object["screening"].push_back(measurement_json(result));
    report_["graphs"].push_back(std::move(object));
  }

  std::vector<measurement> measured(const graph_facts& facts, const std::vector<std::string>& variants, unsigned threads, trial_plan plan) {
    std::vector<contender> contenders;
    for (const std::string& variant : variants) contenders.push_back(graph_->contender_for(variant, threads));
    plan.seed = options_.seed;
    return measure(contenders, plan, graph_->reference(),
                   [&](const std::string& where) { context_.observer.status(fmt::format("{}: {}", facts.text, where)); });
  }

  /// Measures each variant once and sorts them by time. Slow variants are cancelled, such as a search with one level per vertex of a path.
  std::vector<measurement> screen(const graph_facts& facts, unsigned threads) {
    return measured(facts, {std::begin(screened_variants), std::end(screened_variants)}, threads,
                    {.trials = 1, .give_up = 20, .grace_seconds = .1});
  }
  std::vector<measurement> play_off(const graph_facts& facts, const std::vector<measurement>& found, unsigned threads) {
    std::vector<std::string> names{"auto"};
    for (const measurement& result : found) {
      const bool right = !result.samples.empty() && !result.wrong_checksum && !result.gave_up_after_seconds;
      if (right && names.size() < 3) names.push_back(result.variant.substr(result.variant.find('.') + 1));
    }
    return measured(facts, names, threads, {.trials = options_.trials});
  }

  /// Prints the line of a graph. Returns the time of auto divided by that of the faster of the two variants that it is compared with, where
  /// all answers are right.
  std::optional<double> judge(const graph_facts& facts, const std::vector<measurement>& finals, bool sorted) {
    const measurement* automatic = nullptr;
    std::vector<const measurement*> others;  // the fastest first
    for (const measurement& result : finals) {
      if (result.samples.empty() || result.wrong_checksum) return std::nullopt;
      if (result.variant == "auto") automatic = &result;
      if (result.variant != "auto") others.push_back(&result);
    }
    if (automatic == nullptr || others.size() < 2) return std::nullopt;
    const double seconds = automatic->median_seconds(), first = others[0]->median_seconds(), second = others[1]->median_seconds();
    const double ratio = seconds / first;
    print(fmt::format("{:>6.2f}  {:>9.3f}  {:>9.3f}  {:>9.3f}  {:>7}  {:<8}  {} ({}; {}; {})\n", ratio, seconds * 1e3, first * 1e3,
                      second * 1e3, automatic->threads, order_of(sorted), graph_->facts().text, automatic->ran, others[0]->variant,
                      others[1]->variant));
    all_.push_back({ratio, automatic->threads, facts.text});
    return ratio;
  }

  void summarise_ratios() {
    json summary = json::array();
    for (const unsigned threads : options_.threads) {
      double logarithms = 0;
      std::size_t count = 0;
      const judged* worst = nullptr;
      for (const judged& one : all_) {
        if (one.threads != threads) continue;
        logarithms += std::log(one.ratio);
        ++count;
        if (worst == nullptr || one.ratio > worst->ratio) worst = &one;
      }
      if (worst == nullptr) continue;
      const double mean = std::exp(logarithms / static_cast<double>(count));
      const std::string where = options_.on_gpu ? "on the GPU" : fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
      print(fmt::format("{}: {} graphs, geometric mean {:.3f}, worst {:.2f} ({})\n", where, count, mean, worst->ratio, worst->graph));
      summary.push_back(
          {{"threads", threads}, {"graphs", count}, {"geometric_mean", mean}, {"worst", worst->ratio}, {"worst_graph", worst->graph}});
    }
    report_["summary"] = std::move(summary);
    const auto& left = report_["left_out"];
    if (!left.empty())
      print(fmt::format("{} graphs are left out after {:.0f} s, from {} on (--budget)\n", left.size(), watch_.seconds(),
                        left.front()["graph"].get<std::string>()));
  }

  const zoo_options& options_;
  resources context_;
  std::unique_ptr<zoo_graph> graph_;
  json report_;
  std::vector<judged> all_;
  stopwatch watch_;
  int code_ = exit_code::done;
};

}  // namespace

int run_speed_zoo(zoo_options options, const run_options& run) {
  if (options.sizes.empty()) {
    const unsigned small = options.on_gpu ? 20 : 16;
    options.sizes = {std::uint64_t{1} << small, std::uint64_t{1} << (small + 3)};
  }
  if (options.on_gpu) {
    options.threads = {1};
  } else if (options.threads.empty()) {
    options.threads = {1};
    if (usable_threads(0) > 1) options.threads.push_back(usable_threads(0));
  }
  if (!options.json_path.empty() && options.json_path != "-") require_outputs({options.json_path});
  run_options limits = run;
  limits.threads = options.on_gpu ? 0 : options.threads.back();  // the threads of the steps that are not measured
  return zoo_run{options, limits}.run();
}

}  // namespace copse::cli
