#include "bench_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <copse/errors.hpp>
#include <cstddef>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "output.hpp"

namespace copse::cli {

std::vector<std::size_t> turn_order(std::size_t count, std::uint64_t round, std::uint64_t seed) {
  if (count == 0) return {};
  std::mt19937_64 random{seed};  // the C++ standard fixes the numbers of this generator, but not those of distributions and std::shuffle
  std::vector<std::size_t> names(count);
  std::iota(names.begin(), names.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(names[i - 1], names[random() % i]);
  const std::size_t line = (round + random() % count) % count;
  // The order of one round, a line of the Williams square, is 0, 1, n - 1, 2, n - 2, ..., and the next line adds 1 to every number modulo
  // n. If n is even, the differences between neighbours in a line are all different, so no two lines have the same two numbers next to each
  // other in the same order.
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t zigzag = i % 2 == 1 ? (i + 1) / 2 : (count - i / 2) % count;
    order[i] = names[(zigzag + line) % count];
  }
  // If n, the number of contenders, is odd, some of them follow certain others more often than the rest in the n lines of the Williams
  // square (each line is the order of one round). So n rounds use the lines, and the next n rounds the reversed lines: over both, every
  // contender follows every other one equally often.
  if (count % 2 == 1 && round / count % 2 == 1) std::ranges::reverse(order);
  return order;
}

namespace {

/// Silent, and asks to stop when the time is over. Every solve has one, limit or not, so that times with and without --give-up compare.
class watchdog final : public observer {
public:
  explicit watchdog(double limit_seconds) : limit_seconds_{limit_seconds} {}
  void progress(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {}
  [[nodiscard]] bool cancel_requested() const noexcept override { return seconds() > limit_seconds_; }
  [[nodiscard]] double seconds() const noexcept { return watch_.seconds(); }

private:
  double limit_seconds_;
  stopwatch watch_;
};

class tournament {
public:
  tournament(std::span<const contender> contenders, const trial_plan& plan, const solved_once& reference, const trial_watcher& watcher)
      : contenders_{contenders}, plan_{plan}, reference_{reference}, best_seconds_{reference.seconds}, watcher_{watcher} {
    for (const contender& c : contenders) measurements_.push_back({.variant = c.variant, .input = c.input, .threads = c.threads});
  }

  std::vector<measurement> run() {
    if (plan_.within) {
      round("screening");
      screen();
    }
    for (unsigned trial = 1; trial <= plan_.trials; ++trial) round(fmt::format("trial {} of {}", trial, plan_.trials));
    std::ranges::stable_sort(measurements_, {}, [](const measurement& result) { return result.median_seconds(); });
    return std::move(measurements_);
  }

private:
  [[nodiscard]] static bool runs(const measurement& result) {
    return !result.screened_out && !result.gave_up_after_seconds && !result.wrong() && result.failed.empty();
  }

  void round(const std::string& name) {
    std::vector<std::size_t> running;
    for (std::size_t i = 0; i < measurements_.size(); ++i) {
      if (runs(measurements_[i])) running.push_back(i);
    }
    std::uint32_t turn = 0;
    for (const std::size_t place : turn_order(running.size(), rounds_++, plan_.seed)) {
      const std::size_t i = running[place];
      watcher_(fmt::format("{}, variant {} of {}, {}", name, ++turn, running.size(), measurements_[i].variant));
      const auto settles = [&] { return contenders_[i].input != "program" && last_seconds_[i] < plan_.settle_below_seconds; };
      const bool untimed = settles();
      solve(i, turn);
      if (!untimed || !settles() || !runs(measurements_[i])) continue;
      measurements_[i].samples.pop_back();
      measurements_[i].turns.pop_back();
      solve(i, turn);
    }
  }

  void solve(std::size_t i, std::uint32_t turn) {
    measurement& result = measurements_[i];
    const double limit_seconds =
        plan_.give_up ? std::max(*plan_.give_up * best_seconds_, plan_.grace_seconds) : std::numeric_limits<double>::infinity();
    watchdog dog{limit_seconds};
    try {
      const solved_once once = contenders_[i].solve(dog);
      result.ran = once.ran;
      result.launches = once.launches;
      last_seconds_[i] = once.seconds;
      if (once.components) {
        if (once.components != reference_.components) result.wrong_components = once.components;
      } else if (once.checksum != reference_.checksum) {
        result.wrong_checksum = once.checksum;
      }
      if (!result.wrong()) {
        best_seconds_ = std::min(best_seconds_, once.seconds);
        // Not all loops can be cancelled. A contender that finishes after its limit keeps this sample and gets no further turn.
        if (once.seconds > limit_seconds) result.gave_up_after_seconds = once.seconds;
      }
      result.samples.push_back(once.seconds);
      result.turns.push_back(turn);
    } catch (const cancelled&) {
      result.gave_up_after_seconds = dog.seconds();
    } catch (const resource_error& problem) {
      result.failed = problem.what();
    } catch (const program_failure& problem) {
      result.failed = problem.what();
      result.program_failed = true;
    }
  }

  void screen() {
    double best = std::numeric_limits<double>::infinity();
    for (const measurement& result : measurements_) {
      if (runs(result)) best = std::min(best, result.min_seconds());
    }
    for (measurement& result : measurements_) {
      if (!runs(result)) continue;
      result.screened_out = result.min_seconds() > *plan_.within * best;
      if (result.screened_out) continue;
      result.samples.clear();
      result.turns.clear();
    }
  }

  std::span<const contender> contenders_;
  const trial_plan& plan_;
  const solved_once& reference_;
  double best_seconds_;
  std::uint64_t rounds_ = 0;
  const trial_watcher& watcher_;
  std::vector<measurement> measurements_;
  std::vector<double> last_seconds_ = std::vector<double>(contenders_.size(), 0);
};

}  // namespace

double measurement::min_seconds() const {
  return samples.empty() ? std::numeric_limits<double>::infinity() : *std::ranges::min_element(samples);
}

double measurement::median_seconds() const { return samples.empty() ? std::numeric_limits<double>::infinity() : median(samples); }

std::vector<measurement> measure(std::span<const contender> contenders, const trial_plan& plan, const solved_once& reference,
                                 const trial_watcher& watcher) {
  return tournament{contenders, plan, reference, watcher}.run();
}

namespace {

constexpr std::size_t most_exact = 60;  // binomial coefficients up to 60 are exact in a double except for the last bits

/// ways[u] is the number of orders of n + m different samples in which exactly u pairs (a, b) have a > b. These are the coefficients of the
/// Gaussian binomial, the
/// product of (1 - x^(m + i)) / (1 - x^i) over i = 1 .. n.
std::vector<double> ways_of(std::size_t n, std::size_t m) {
  std::vector<double> ways(n * m + 1, 0.0);
  ways[0] = 1;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t u = n * m; u >= m + i; --u) ways[u] -= ways[u - (m + i)];
    for (std::size_t u = i; u <= n * m; ++u) ways[u] += ways[u - i];
  }
  return ways;
}

double exact_p(double u, std::size_t n, std::size_t m) {
  const auto ways = ways_of(n, m);
  const auto extreme = static_cast<std::size_t>(std::min(u, static_cast<double>(n * m) - u));
  double all = 0, tail = 0;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    all += ways[i];
    if (i <= extreme) tail += ways[i];
  }
  return std::min(1.0, 2 * tail / all);
}

/// Sum of t^3 - t over the groups of t equal samples.
double tie_term(std::vector<double> samples) {
  std::ranges::sort(samples);
  double sum = 0;
  for (std::size_t begin = 0; begin < samples.size();) {
    std::size_t end = begin;
    while (end < samples.size() && samples[end] == samples[begin]) ++end;
    const auto t = static_cast<double>(end - begin);
    sum += t * t * t - t;
    begin = end;
  }
  return sum;
}

double approximate_p(double u, double n, double m, double ties) {
  const double all = n + m;
  const double variance = n * m / 12 * (all + 1 - ties / (all * (all - 1)));
  if (variance <= 0) return 1;  // all samples are equal
  const double distance = std::max(0.0, std::abs(u - n * m / 2) - 0.5);
  return std::min(1.0, std::erfc(distance / std::sqrt(2 * variance)));
}

}  // namespace

rank_test_result rank_test(std::span<const double> a, std::span<const double> b) {
  rank_test_result result;
  for (const double x : a) {
    for (const double y : b) result.u += x > y ? 1 : (x == y ? 0.5 : 0);
  }
  std::vector<double> all{a.begin(), a.end()};
  all.insert(all.end(), b.begin(), b.end());
  const double ties = tie_term(all);
  const double pairs = static_cast<double>(a.size() * b.size());
  result.direction = result.u > pairs / 2 ? -1 : (result.u < pairs / 2 ? 1 : 0);
  result.p = ties == 0 && all.size() <= most_exact
                 ? exact_p(result.u, a.size(), b.size())
                 : approximate_p(result.u, static_cast<double>(a.size()), static_cast<double>(b.size()), ties);
  return result;
}

double smallest_p(std::size_t samples_of_a, std::size_t samples_of_b) {
  double orders = 1;  // the number of orders of the samples of a and b: (a + b) choose a
  for (std::size_t i = 1; i <= samples_of_a; ++i) orders *= static_cast<double>(samples_of_b + i) / static_cast<double>(i);
  return std::min(1.0, 2 / orders);
}

}  // namespace copse::cli
