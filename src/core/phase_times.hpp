// Measures how much time the phases of a solve take.
#pragma once
#include <copse/report.hpp>

#include <chrono>
#include <new>
#include <string_view>
#include <vector>

namespace copse {

/// Wall-clock seconds of each phase, in the order in which the phases first occurred.
class phase_times {
public:
  void add(std::string_view name, double seconds) {
    for (phase& known : phases_) {
      if (known.name == name) {
        known.seconds += seconds;
        return;
      }
    }
    phases_.push_back({name, seconds});
  }
  [[nodiscard]] const std::vector<phase>& all() const noexcept { return phases_; }

private:
  std::vector<phase> phases_;
};

/// Adds the lifetime of this object to the time of a phase.
class phase_timer {
public:
  phase_timer(phase_times& times, std::string_view name) noexcept : times_{times}, name_{name} {}
  phase_timer(const phase_timer&) = delete;
  /// If memory to store the time runs out, the time is dropped.
  ~phase_timer() {
    try {
      times_.add(name_, std::chrono::duration<double>(clock::now() - start_).count());
    } catch (const std::bad_alloc&) {
    }
  }

private:
  using clock = std::chrono::steady_clock;
  phase_times& times_;
  std::string_view name_;
  clock::time_point start_ = clock::now();
};

}  // namespace copse
