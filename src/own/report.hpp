// What a solve by our own path saw and where its time went.
#pragma once
#include <own/decide.hpp>

#include <chrono>

namespace copse::own {

struct own_report {
  verdict decision;
  double coverage = 0;  ///< sampled: share of the sampled vertices with arcs that are in the giant before the finish
  bool skipped_giant = false;
  double decide_seconds = 0, touch_seconds = 0, hook_seconds = 0, second_hook_seconds = 0, vote_seconds = 0, flatten_seconds = 0,
         finish_seconds = 0, label_seconds = 0;
};

/// Adds the time since the last lap to the field asked for; costs nothing worth counting: once a phase.
class stopwatch {
public:
  explicit stopwatch(own_report* report) noexcept : report_{report}, last_{clock::now()} {}

  void lap(double own_report::*field) noexcept {
    if (report_ == nullptr) return;
    const auto now = clock::now();
    report_->*field += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

private:
  using clock = std::chrono::steady_clock;

  own_report* report_;
  clock::time_point last_;
};

}  // namespace copse::own
