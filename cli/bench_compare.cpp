// The command copse bench compare: which variants became faster between two files, or how the variants of one file compare with one of
// them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <copse/errors.hpp>
#include <map>
#include <string>
#include <vector>

#include "bench_trials.hpp"
#include "commands.hpp"
#include "json.hpp"
#include "output.hpp"

namespace copse::cli {
namespace {

// A file that copse bench --json wrote, read back for comparing: every member that is used is checked.

struct bench_file {
  struct entry {
    std::string variant, input;
    unsigned threads = 1;
    std::vector<double> samples;  ///< seconds; none where the variant gave up
  };
  struct graph {
    std::string name, checksum;
    std::vector<entry> entries;  ///< except entries with wrong labels
  };

  std::string path;
  json machine;
  std::vector<unsigned> threads;
  std::vector<graph> graphs;

  [[nodiscard]] const graph* find(const std::string& name) const;
};

constexpr const char* expected = "a file that copse bench --json wrote";

bench_file::entry entry_of(const json& object, const std::string& path) {
  bench_file::entry entry{object.at("variant").get<std::string>(), object.at("input").get<std::string>(),
                          object.at("threads").get<unsigned>(), object.at("seconds").at("samples").get<std::vector<double>>()};
  for (const double seconds : entry.samples) {
    if (!std::isfinite(seconds) || seconds <= 0)
      throw input_error::at(path, 0, "a sample of " + std::to_string(seconds) + " seconds for " + entry.variant, expected);
  }
  return entry;
}

bench_file::graph graph_of(const json& object, const std::string& path) {
  bench_file::graph g{object.at("graph").get<std::string>(), object.at("graph_checksum").get<std::string>(), {}};
  for (const json& entry : object.at("rows")) {
    if (!entry.value("wrong", false)) g.entries.push_back(entry_of(entry, path));
  }
  return g;
}

/// The text of an nlohmann::json exception without its prefix, such as `[json.exception.type_error.302] `.
std::string plain(const std::string& what) {
  const auto end = what.find("] ");
  return end == std::string::npos ? what : what.substr(end + 2);
}

const bench_file::graph* bench_file::find(const std::string& name) const {
  const auto found = std::ranges::find(graphs, name, &graph::name);
  return found == graphs.end() ? nullptr : &*found;
}

/// Variants that older versions named differently get their present names. Throws input_error for a file that cannot be read or that copse
/// bench did not write.
bench_file read_bench_file(const std::string& path) {
  const json object = json::parse(read_text(path), nullptr, false);
  if (object.is_discarded()) throw input_error::at(path, 0, "text that is not JSON", expected);
  try {
    if (const auto benchmark = object.at("benchmark").get<std::string>(); benchmark != "bench")
      throw input_error::at(path, 0, "benchmark " + benchmark, expected);
    if (!object.at("machine").is_object()) throw input_error::at(path, 0, "machine " + object["machine"].dump(), "an object of facts");
    bench_file file{path, object.at("machine"), object.at("threads").get<std::vector<unsigned>>(), {}};
    for (const json& graph : object.at("graphs")) file.graphs.push_back(graph_of(graph, path));
    return file;
  } catch (const json::exception& problem) {
    throw input_error::at(path, 0, "JSON where " + plain(problem.what()), expected);
  }
}

constexpr double significant = 0.05;

struct compare_command {
  std::vector<std::string> files;
  std::string against;
};

std::string_view verdict_of(const rank_test_result& test, std::size_t samples_of_a, std::size_t samples_of_b) {
  if (smallest_p(samples_of_a, samples_of_b) >= significant) return "too few samples";
  if (test.p >= significant || test.direction == 0) return "no difference";
  return test.direction < 0 ? "faster" : "slower";
}

/// Collects the text of a comparison of two measurements: a line for each variant on each graph, and for each variant the geometric mean of
/// its ratios over all graphs.
class comparison {
public:
  comparison(std::string_view before, std::string_view after) : before_{before}, after_{after} {}

  void begin_graph(const std::string& name) { graph_ = name; }

  void add(const bench_file::entry& a, const bench_file::entry& b) {
    if (!graph_.empty()) {  // the first line of this graph: write the heading
      text_ += fmt::format("{}{}\n{:>12}  {:>12}  {:>8}  {:>7}  {:<15}  {:>7}  variant\n", text_.empty() ? "" : "\n", graph_,
                           before_ + " ms", after_ + " ms", "ratio", "p", "verdict", "threads");
      graph_.clear();
    }
    const double before = median(a.samples), after = median(b.samples);
    const rank_test_result test = rank_test(a.samples, b.samples);
    text_ += fmt::format("{:>12.3f}  {:>12.3f}  {:>8.3f}  {:>7.4f}  {:<15}  {:>7}  {}\n", before * 1e3, after * 1e3, after / before, test.p,
                         verdict_of(test, a.samples.size(), b.samples.size()), b.threads, b.variant);
    auto& total = means_[{b.variant, b.input, b.threads}];
    total.sum_of_logarithms += std::log(after / before);
    ++total.graphs;
  }

  /// Returns all lines, and a table of the variants: those that were compared on most graphs first, and among these the smallest ratio
  /// first.
  [[nodiscard]] std::string text() const {
    std::vector<std::pair<key, mean>> all{means_.begin(), means_.end()};
    std::ranges::stable_sort(all, [](const auto& x, const auto& y) {
      return std::pair{y.second.graphs, x.second.ratio()} < std::pair{x.second.graphs, y.second.ratio()};
    });
    std::string text =
        text_ + fmt::format("\ngeometric mean of {} / {}\n{:>8}  {:>7}  {:>7}  variant\n", after_, before_, "ratio", "graphs", "threads");
    for (const auto& [k, m] : all) text += fmt::format("{:>8.3f}  {:>7}  {:>7}  {}\n", m.ratio(), m.graphs, std::get<2>(k), std::get<0>(k));
    return text;
  }

  [[nodiscard]] bool empty() const noexcept { return means_.empty(); }

private:
  using key = std::tuple<std::string, std::string, unsigned>;
  struct mean {
    double sum_of_logarithms = 0;
    unsigned graphs = 0;
    [[nodiscard]] double ratio() const { return std::exp(sum_of_logarithms / graphs); }
  };

  std::string before_, after_;
  std::string graph_;  ///< the graph whose heading is still to be written; empty if there is none
  std::string text_;
  std::map<key, mean> means_;
};

void note(const std::string& text) { complain("copse: note: " + text); }

void note_if_other(std::string_view what, const bench_file& a, const json& of_a, const bench_file& b, const json& of_b) {
  if (of_a != of_b) note(fmt::format("other {}: {} in {}, {} in {}", what, of_a.dump(), a.path, of_b.dump(), b.path));
}

/// Entries of two files belong together when variant, input and threads agree; where each file used one number of threads, those may
/// differ.
const bench_file::entry* partner(const bench_file::entry& entry, const bench_file::graph& graph, bool any_threads) {
  const auto found = std::ranges::find_if(graph.entries, [&](const bench_file::entry& other) {
    return other.variant == entry.variant && other.input == entry.input && (any_threads || other.threads == entry.threads);
  });
  return found == graph.entries.end() ? nullptr : &*found;
}

int compare_files(const bench_file& a, const bench_file& b) {
  for (const std::string fact : {"processor", "cores", "memory_bytes", "compiler"})
    note_if_other(fact, a, a.machine.value(fact, json()), b, b.machine.value(fact, json()));
  note_if_other("threads", a, a.threads, b, b.threads);
  const bool any_threads = a.threads.size() == 1 && b.threads.size() == 1;
  comparison found{"A", "B"};
  std::size_t graphs_left = 0, entries_left = 0;
  for (const bench_file::graph& in_a : a.graphs) {
    const bench_file::graph* in_b = b.find(in_a.name);
    if (in_b == nullptr) {
      ++graphs_left;
      continue;
    }
    note_if_other("graph_checksum of " + in_a.name, a, in_a.checksum, b, in_b->checksum);
    found.begin_graph(in_a.name);
    for (const bench_file::entry& entry : in_b->entries) {
      const bench_file::entry* other = partner(entry, in_a, any_threads);
      if (other == nullptr || other->samples.empty() || entry.samples.empty()) {
        ++entries_left;
      } else {
        found.add(*other, entry);
      }
    }
    entries_left += std::ranges::count_if(in_a.entries, [&](const auto& entry) { return partner(entry, *in_b, any_threads) == nullptr; });
  }
  graphs_left += std::ranges::count_if(b.graphs, [&](const auto& graph) { return a.find(graph.name) == nullptr; });
  if (found.empty())
    throw usage_error{fmt::format("bench compare: {} and {} have no variant in common that has samples in both", a.path, b.path)};
  write_stdout(found.text());
  if (graphs_left + entries_left > 0)
    note(fmt::format("left out: {} graphs that only one file has, {} variants without samples in both", graphs_left, entries_left));
  return exit_code::done;
}

/// Returns the entry of variant `name` that `entry` is compared with: the one with the same number of threads, or the only one. Entries of
/// other programs, which --program measures, are compared with entries of any input (csr or coo).
const bench_file::entry* yardstick(const bench_file::graph& graph, const bench_file::entry& entry, const std::string& name) {
  const bench_file::entry* found = nullptr;
  std::size_t count = 0;
  for (const bench_file::entry& other : graph.entries) {
    const bool comparable = other.input == entry.input || other.input == "program" || entry.input == "program";
    if (other.variant != name || !comparable || other.samples.empty()) continue;
    if (other.threads == entry.threads) return &other;
    found = &other;
    ++count;
  }
  return count == 1 ? found : nullptr;
}

int compare_within(const bench_file& file, const std::string& name) {
  comparison found{"base", "variant"};
  std::size_t entries_left = 0;
  for (const bench_file::graph& graph : file.graphs) {
    found.begin_graph(graph.name);
    for (const bench_file::entry& entry : graph.entries) {
      const bench_file::entry* other = yardstick(graph, entry, name);
      if (other == nullptr || entry.samples.empty()) {
        ++entries_left;
      } else if (other != &entry) {
        found.add(*other, entry);
      }
    }
  }
  if (found.empty())
    throw usage_error{fmt::format("--against: {} has no graph with samples of both {} and another variant", file.path, name)};
  write_stdout(fmt::format("base: {}\n\n", name) + found.text());
  if (entries_left > 0) note(fmt::format("left out: {} variants without samples, or without {} on their graph", entries_left, name));
  return exit_code::done;
}

int run_compare(const compare_command& options) {
  const bool two = options.files.size() == 2;
  if (two != options.against.empty() || options.files.size() > 2)
    throw usage_error{"bench compare takes two files, A.json B.json, or one file and --against NAME"};
  const bench_file a = read_bench_file(options.files.front());
  return two ? compare_files(a, read_bench_file(options.files.back())) : compare_within(a, options.against);
}

}  // namespace

const CLI::App* add_bench_compare(CLI::App& bench, action& chosen) {
  auto [command, options] = add_command<compare_command>(
      bench, chosen, "compare", "Compare files of bench --json: ratios of medians, a rank test, geometric means", run_compare);
  command->add_option("FILE", options->files, "A.json B.json: how B compares with A; or one file with --against")
      ->type_name("")
      ->required();
  command->add_option("--against", options->against, "With one file: compare its variants with the one of this name")->type_name("NAME");
  command->footer(
      "A verdict is a Mann-Whitney U test, two-sided, at p < 0.05; times below 1 in ratio mean that B (the variant) is faster.");
  return command;
}

}  // namespace copse::cli
