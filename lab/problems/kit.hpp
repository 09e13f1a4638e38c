// What the problems of the laboratory share: contenders in turns, the document that keeps every sample, the words of the command line, and
// the table of problems that main.cpp offers.
#pragma once
#include <fmt/format.h>
#include <copse/errors.hpp>

#include <chrono>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../cli/bench_trials.hpp"
#include "../../cli/words.hpp"

namespace copse::lab {

using json = nlohmann::ordered_json;

/// Seconds. One thread is charged its processor time, which a shared machine falsifies least; more threads are timed by the wall clock.
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

/// One number that a run of a contender gave.
struct reading {
  std::string measure, unit;
  double value = 0;
  std::string phase = {};  ///< the part of a solve that it is about, if it is about one
};
inline reading milliseconds(std::string measure, double seconds) { return {std::move(measure), "ms", 1e3 * seconds}; }
template <class Phases>
void add_phases(const Phases& phases, std::vector<reading>& found) {
  for (const auto& p : phases) found.push_back({"phase", "ms", 1e3 * p.seconds, std::string{p.name}});
}

using series_setting = std::vector<std::pair<std::string, std::string>>;

/// `run` solves once and returns what it measured, the same measures each time; it throws when the answer is wrong.
struct contestant {
  std::string variant;
  series_setting setting;
  std::function<std::vector<reading>()> run;
};

/// Series of samples of one graph, in the order in which they were first met.
class samples {
public:
  /// A warm-up fixes the order of the series and is not kept.
  void add(const contestant& w, const std::vector<reading>& found, bool kept = true);
  [[nodiscard]] json series(std::string_view graph, unsigned threads) const;

private:
  struct one {
    std::string variant, measure, unit;
    series_setting setting;
    std::vector<double> values;
  };
  std::vector<one> all_;
};

/// Runs each contestant once to warm up, and then `trials` times, in an order that changes from round to round.
samples in_turns(std::span<const contestant> contestants, unsigned trials);

/// The options and operands of a problem: `--name value`, and everything else.
class arguments {
public:
  using defaults = std::map<std::string, std::string, std::less<>>;

  /// Throws invalid_argument for an option that `values` does not have.
  arguments(std::span<char* const> words, defaults values);

  [[nodiscard]] const std::string& operator[](std::string_view name) const { return values_.find(name)->second; }
  [[nodiscard]] std::uint64_t number(std::string_view name) const { return std::stoull((*this)[name]); }
  [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(number("threads")); }
  [[nodiscard]] unsigned trials() const { return static_cast<unsigned>(number("trials")); }
  /// The words between commas; none if the value is empty.
  [[nodiscard]] std::vector<std::string> words(std::string_view name) const {
    return (*this)[name].empty() ? std::vector<std::string>{} : cli::comma_separated((*this)[name]);
  }
  [[nodiscard]] const std::vector<std::string>& operands() const noexcept { return operands_; }

private:
  defaults values_;
  std::vector<std::string> operands_;
};

/// Writes a document per graph, a line each, as soon as its samples are there: a later graph may be killed. To standard output without a
/// path.
class recorder {
public:
  recorder(std::string path, json head) : path_{std::move(path)}, head_(std::move(head)) {}  // braces would make an array of it
  /// Writes a line of samples and prints their medians. Throws resource_error if the line could not be written.
  void write(std::string_view graph, unsigned threads, const samples& found);

private:
  std::string path_;
  json head_;
};

struct problem {
  std::string_view name, about, operands;
  arguments::defaults defaults;  ///< besides trials, threads and json, which every problem has
  void (*run)(const arguments& asked, recorder& out);
};

/// Throws resource_error where no GPU is.
void require_gpu();

/// Expects `found` to be what all contenders on a graph found; the first call decides.
class agreement {
public:
  explicit agreement(std::string graph) : graph_{std::move(graph)} {}
  void expect(std::uint64_t found, std::string_view variant) {
    if (!known_) known_ = found;
    if (*known_ != found) throw error{fmt::format("{}: {} found {}, other variants {}", graph_, variant, found, *known_)};
  }

private:
  std::string graph_;
  std::optional<std::uint64_t> known_;
};

}  // namespace copse::lab
