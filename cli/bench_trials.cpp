#include "bench_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <copse/errors.hpp>
#include <limits>

#include "bench_order.hpp"
#include "median.hpp"
#include "output.hpp"

namespace copse::cli {
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
      : contenders_{contenders}, plan_{plan}, checksum_{reference.checksum}, best_seconds_{reference.seconds}, watcher_{watcher} {
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
    return !result.screened_out && !result.gave_up_after_seconds && !result.wrong_checksum && result.failed.empty();
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
      const auto settles = [&] { return last_seconds_[i] < plan_.settle_below_seconds; };
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
      if (once.checksum != checksum_) {
        result.wrong_checksum = once.checksum;
      } else {
        best_seconds_ = std::min(best_seconds_, once.seconds);
        // Not all loops can be stopped; a contender that is late all the same keeps its sample, and gets no further turn.
        if (once.seconds > limit_seconds) result.gave_up_after_seconds = once.seconds;
      }
      result.samples.push_back(once.seconds);
      result.turns.push_back(turn);
    } catch (const cancelled&) {
      result.gave_up_after_seconds = dog.seconds();
    } catch (const resource_error& problem) {
      result.failed = problem.what();
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
  std::uint64_t checksum_;
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

}  // namespace copse::cli
