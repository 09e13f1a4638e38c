// Progress and cancellation for the loops of a backend: cheap enough to check once per block.
#pragma once
#include <copse/errors.hpp>
#include <copse/execution.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace copse::backend {

/// The progress of one loop. `advance` may be called from any thread; the observer is called at most five times per second.
class meter {
public:
  meter(observer* watcher, std::uint64_t total, std::string_view stage = "solve", std::string_view unit = "vertices") noexcept
      : watcher_{watcher}, total_{total}, stage_{stage}, unit_{unit} {}

  /// Must be called after `units` more units of work are done. Returns false once the observer has asked to stop; then the remaining work
  /// must be skipped.
  bool advance(std::uint64_t units) {
    if (watcher_ == nullptr) return true;
    if (watcher_->cancel_requested()) stopped_.store(true, std::memory_order_relaxed);
    const std::uint64_t done = done_.fetch_add(units, std::memory_order_relaxed) + units;
    const auto now = clock::now().time_since_epoch().count();
    auto due = due_.load(std::memory_order_relaxed);
    if (now >= due && due_.compare_exchange_strong(due, now + clock::duration{interval}.count(), std::memory_order_relaxed)) {
      watcher_->progress(stage_, done, total_, unit_);
    }
    return !stopped_.load(std::memory_order_relaxed);
  }

  /// Must be called when the loop is over, outside any parallel region. Throws if the observer has asked to stop.
  void finish() const {
    if (stopped_.load(std::memory_order_relaxed)) throw cancelled{};
  }

private:
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds interval{200};

  observer* watcher_;
  std::uint64_t total_;
  std::string_view stage_;
  std::string_view unit_;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<clock::rep> due_{0};
  std::atomic<bool> stopped_{false};
};

}  // namespace copse::backend
