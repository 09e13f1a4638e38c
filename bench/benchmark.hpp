// What benchmarks share: a clock, the middle of samples, contenders in turns, results, the words after the name of a program, and its main.
#pragma once
#include <fmt/format.h>
#include <copse/build.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/labels.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../cli/machine.hpp"
#include "../cli/output.hpp"
#include "../cli/words.hpp"

namespace copse::bench {

using json = nlohmann::ordered_json;

/// Seconds. One thread is charged what it ran, not what it waited for others on a shared machine.
inline double now(unsigned threads) {
  if (threads != 1) return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class Work>
double seconds_of(unsigned threads, Work work) {
  const double start = now(threads);
  work();
  return now(threads) - start;
}

/// 0 of none.
inline double median(std::vector<double> samples) { return samples.empty() ? 0 : cli::median(std::move(samples)); }

/// Ways to label one graph in turns, every way once, then again; every sample is kept, and all must give the same labels.
class contest {
public:
  explicit contest(unsigned threads) noexcept : threads_{threads} {}

  void add(std::string name, std::function<labelling()> solve) { ways_.push_back({std::move(name), std::move(solve), {}}); }

  void run(unsigned trials) {
    for (unsigned trial = 0; trial < trials; ++trial) {
      for (way& w : ways_) {
        w.solve();  // so that every sample has the same neighbour before it: cli/bench_trials.hpp says why
        labelling labels;
        w.samples.push_back(seconds_of(threads_, [&] { labels = w.solve(); }));
        const std::uint64_t sum = copse::checksum(labels);
        if (answer_ == 0) answer_ = sum;
        if (sum != answer_) throw error{w.name + " gives other labels"};
      }
    }
  }

  /// Medians go to the terminal.
  void add_to(json& result) const {
    json seconds;
    for (const way& w : ways_) {
      const double least = *std::min_element(w.samples.begin(), w.samples.end());
      seconds[w.name] = {{"median", median(w.samples)}, {"samples", w.samples}};
      fmt::print(stderr, "{:9.3f} ms (least {:9.3f})  {}\n", median(w.samples) * 1e3, least * 1e3, w.name);
    }
    result["checksum"] = fmt::format("{:016x}", answer_);
    result["seconds"] = std::move(seconds);
  }

private:
  struct way {
    std::string name;
    std::function<labelling()> solve;
    std::vector<double> samples;
  };

  unsigned threads_;
  std::vector<way> ways_;
  std::uint64_t answer_ = 0;
};

/// How every result begins.
inline json result_of(std::string_view benchmark) { return {{"benchmark", benchmark}, {"machine", cli::machine_facts()}}; }
inline json result_of(std::string_view benchmark, unsigned threads) {
  json result = result_of(benchmark);
  result["threads"] = threads;
  result["clock"] = threads == 1 ? "thread" : "wall";
  return result;
}
/// Throws resource_error where there is no GPU.
inline json result_on_gpu(std::string_view benchmark) {
  const auto all = gpus();
  if (all.empty()) throw resource_error{"found no GPU, expected one"};
  json result = result_of(benchmark);
  result["gpu"] = all.front().name;
  return result;
}

/// One of the series of a result that is nothing but series.
inline json series_of(std::string_view graph, std::string_view variant, std::string_view measure, unsigned threads,
                      const std::vector<double>& milliseconds) {
  return {{"graph", graph}, {"variant", variant}, {"measure", measure}, {"unit", "ms"}, {"threads", threads}, {"samples", milliseconds}};
}

template <class Phases>
json seconds_by_name(const Phases& phases) {
  json seconds = json::object();
  for (const auto& p : phases) seconds[std::string{p.name}] = p.seconds;
  return seconds;
}

/// To a file, or to standard output where `path` is empty. Throws resource_error where it is not all there, as on a full disk.
inline void write_result(const std::string& path, const json& result) {
  const std::string text = result.dump(1);
  if (path.empty()) return fmt::print("{}\n", text);
  std::ofstream out{path};
  out << text << '\n' << std::flush;
  if (!out) throw resource_error{path + ": could not be written"};
}

/// The exit status of a program whose faults are exceptions. `usage`: the program's name, and its arguments.
template <class Run>
int run_and_tell(std::string_view usage, Run run) {
  const std::string_view program = usage.substr(0, usage.find(' '));
  if (!cli::unfit_to_measure.empty()) {
    fmt::print(stderr, "{}: refuses to measure {}\n", program, cli::unfit_to_measure);
    return 2;
  }
  try {
    return run();
  } catch (const std::invalid_argument& problem) {
    fmt::print(stderr, "{}: {}\nusage: {}\n", program, problem.what(), usage);
    return 2;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}: {}\n", program, problem.what());
    return 1;
  }
}

/// What is asked for: `--name value` and `name=value` are the same.
class benchmark_arguments {
public:
  /// All names that there are, with what holds where nothing is said.
  using defaults = std::map<std::string, std::string, std::less<>>;

  /// Throws invalid_argument for a name that `values` has not.
  benchmark_arguments(int count, char** arguments, defaults values) : values_{std::move(values)} {
    for (int i = 1; i < count; ++i) {
      const std::string_view word = arguments[i];
      const auto equals = word.find('=');
      if (word.starts_with("--")) {
        if (i + 1 == count) throw std::invalid_argument{std::string{word} + " has no value"};
        set(word.substr(2), arguments[++i]);
      } else if (equals != word.npos && values_.contains(word.substr(0, equals))) {
        set(word.substr(0, equals), word.substr(equals + 1));
      } else {
        graphs_.emplace_back(word);
      }
    }
  }

  [[nodiscard]] const std::string& operator[](std::string_view name) const { return values_.find(name)->second; }
  [[nodiscard]] unsigned number(std::string_view name) const { return static_cast<unsigned>(std::stoul((*this)[name])); }
  /// Of a list with commas; none of an empty one.
  [[nodiscard]] std::vector<std::string> words(std::string_view name) const {
    return (*this)[name].empty() ? std::vector<std::string>{} : cli::comma_separated((*this)[name]);
  }
  template <class T = double>
  [[nodiscard]] std::vector<T> numbers(std::string_view name) const {
    std::vector<T> all;
    for (const auto& word : words(name)) all.push_back(static_cast<T>(std::stod(word)));
    return all;
  }
  /// Graphs and files. Throws invalid_argument when there is none.
  [[nodiscard]] const std::vector<std::string>& graphs() const {
    if (graphs_.empty()) throw std::invalid_argument{"found no graph"};
    return graphs_;
  }
  /// To the file of the option json.
  void write(const json& result) const { write_result((*this)["json"], result); }

private:
  void set(std::string_view name, std::string_view value) {
    const auto known = values_.find(name);
    if (known == values_.end()) throw std::invalid_argument{"unknown " + std::string{name}};
    known->second = value;
  }

  defaults values_;
  std::vector<std::string> graphs_;
};

/// The main of a benchmark called `program`, whose words are options with these defaults, and `operands`.
template <class Run>
int run_benchmark(int count, char** arguments, std::string_view program, std::string_view operands,
                  const benchmark_arguments::defaults& values, Run run) {
  std::string usage{program};
  for (const auto& [name, value] : values) usage += fmt::format(" [--{} {}]", name, value.empty() ? "..." : value);
  return run_and_tell(usage.append(" ").append(operands), [&] {
    run(benchmark_arguments{count, arguments, values});
    return 0;
  });
}

/// `measure(graph)` makes an entry of the result's graphs. It is written after each: the next may be killed.
template <class Graphs, class Measure>
void measure_each(const Graphs& graphs, const std::string& path, json result, Measure measure) {
  result["graphs"] = json::array();
  std::size_t left = std::size(graphs);
  for (const auto& graph : graphs) {
    result["graphs"].push_back(measure(std::string{graph}));
    if (--left == 0 || !path.empty()) write_result(path, result);
  }
}
template <class Measure>
void measure_each(const benchmark_arguments& asked, json result, Measure measure) {
  measure_each(asked.graphs(), asked["json"], std::move(result), measure);
}

/// Rows, of a generator spec or as a file has them.
inline graph graph_named(const std::string& name, unsigned threads = 0) {
  return gen::is_spec(name) ? build_csr(gen::generate(name, {.threads = threads}), {}, {.threads = threads}) : io::read_graph(name);
}

/// Of a file without its folder.
inline std::string short_name(const std::string& graph) { return graph.substr(graph.find_last_of('/') + 1); }

}  // namespace copse::bench
