// What a solve by the fast path saw and where its time went.
#pragma once
#include <fast/decide.hpp>

#include <chrono>

namespace copse::fast {

struct fast_report {
  verdict decision;
  double coverage = 0;  ///< sampled: share of the sampled vertices with arcs that are in the giant before the finish
  bool skipped_giant = false;
  double decide_seconds = 0, touch_seconds = 0, hook_seconds = 0, second_hook_seconds = 0, vote_seconds = 0, flatten_seconds = 0,
         finish_seconds = 0, label_seconds = 0;
};

/// Adds the time since the last lap to the field asked for; called once per phase, so the cost does not matter.
class stopwatch {
public:
  explicit stopwatch(fast_report* report) noexcept : report_{report}, last_{clock::now()} {}

  void lap(double fast_report::*field) noexcept {
    if (report_ == nullptr) return;
    const auto now = clock::now();
    report_->*field += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

private:
  using clock = std::chrono::steady_clock;

  fast_report* report_;
  clock::time_point last_;
};

}  // namespace copse::fast
