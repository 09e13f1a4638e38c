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
    for (const contender& c : contenders) rows_.push_back({.variant = c.variant, .input = c.input, .threads = c.threads});
  }

  std::vector<measurement> run() {
    if (plan_.within) {
      round("screening");
      screen();
    }
    for (unsigned trial = 1; trial <= plan_.trials; ++trial) round(fmt::format("trial {} of {}", trial, plan_.trials));
    std::ranges::stable_sort(rows_, {}, [](const measurement& row) { return row.median_seconds(); });
    return std::move(rows_);
  }

private:
  [[nodiscard]] static bool runs(const measurement& row) {
    return !row.screened_out && !row.gave_up_after_seconds && !row.wrong_checksum && row.failed.empty();
  }

  void round(const std::string& name) {
    std::vector<std::size_t> running;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (runs(rows_[i])) running.push_back(i);
    }
    std::uint32_t turn = 0;
    for (const std::size_t place : turn_order(running.size(), rounds_++, plan_.seed)) {
      const std::size_t i = running[place];
      watcher_(fmt::format("{}, row {} of {}, {}", name, ++turn, running.size(), rows_[i].variant));
      const auto settles = [&] { return last_seconds_[i] < plan_.settle_below_seconds; };
      const bool untimed = settles();
      solve(i, turn);
      if (!untimed || !settles() || !runs(rows_[i])) continue;
      rows_[i].samples.pop_back();
      rows_[i].turns.pop_back();
      solve(i, turn);
    }
  }

  void solve(std::size_t i, std::uint32_t turn) {
    measurement& row = rows_[i];
    const double limit_seconds =
        plan_.give_up ? std::max(*plan_.give_up * best_seconds_, plan_.grace_seconds) : std::numeric_limits<double>::infinity();
    watchdog dog{limit_seconds};
    try {
      const solved_once once = contenders_[i].solve(dog);
      row.ran = once.ran;
      row.launches = once.launches;
      last_seconds_[i] = once.seconds;
      if (once.checksum != checksum_) {
        row.wrong_checksum = once.checksum;
      } else {
        best_seconds_ = std::min(best_seconds_, once.seconds);
        // Not all loops can be stopped; who is late all the same has a sample, and no further turn.
        if (once.seconds > limit_seconds) row.gave_up_after_seconds = once.seconds;
      }
      row.samples.push_back(once.seconds);
      row.turns.push_back(turn);
    } catch (const cancelled&) {
      row.gave_up_after_seconds = dog.seconds();
    } catch (const resource_error& problem) {
      row.failed = problem.what();
    }
  }

  void screen() {
    double best = std::numeric_limits<double>::infinity();
    for (const measurement& row : rows_) {
      if (runs(row)) best = std::min(best, row.min_seconds());
    }
    for (measurement& row : rows_) {
      if (!runs(row)) continue;
      row.screened_out = row.min_seconds() > *plan_.within * best;
      if (row.screened_out) continue;
      row.samples.clear();
      row.turns.clear();
    }
  }

  std::span<const contender> contenders_;
  const trial_plan& plan_;
  std::uint64_t checksum_;
  double best_seconds_;
  std::uint64_t rounds_ = 0;
  const trial_watcher& watcher_;
  std::vector<measurement> rows_;
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
