// Times by the GPU's own clock: what lies between two places of a stream.
#pragma once
#include <copse/report.hpp>
#include <gpu/runtime/checked.hpp>
#include <gpu/runtime/gpu.hpp>

#include <string_view>
#include <vector>

namespace copse::backend {

/// A place in a stream.
class gpu_event {
public:
  explicit gpu_event(const gpu& on) {
    checked(cudaEventCreate(&event_), "making an event");
    checked(cudaEventRecord(event_, on.stream()), "recording an event");
  }
  gpu_event(gpu_event&& other) noexcept : event_{other.event_} { other.event_ = nullptr; }
  gpu_event& operator=(gpu_event&&) = delete;
  ~gpu_event() {
    if (event_ != nullptr) static_cast<void>(cudaEventDestroy(event_));
  }
  /// Waits for this place.
  [[nodiscard]] double seconds_since(const gpu_event& before) const {
    float milliseconds = 0;
    checked(cudaEventSynchronize(event_), "waiting for kernels");
    checked(cudaEventElapsedTime(&milliseconds, before.event_, event_), "asking for the time");
    return static_cast<double>(milliseconds) * 1e-3;
  }

private:
  cudaEvent_t event_ = nullptr;
};

/// From its making to the call of seconds(), which waits.
class gpu_stopwatch {
public:
  explicit gpu_stopwatch(const gpu& on) : on_{on}, start_{on} {}
  [[nodiscard]] double seconds() const { return gpu_event{on_}.seconds_since(start_); }

private:
  const gpu& on_;
  gpu_event start_;
};

/// Phases of a solve, one after the other.
class gpu_laps {
public:
  explicit gpu_laps(const gpu& on) : on_{on} { ends_.emplace_back(on); }
  /// The phase from the last lap to here.
  void lap(std::string_view name) {
    ends_.emplace_back(on_);
    names_.push_back(name);
  }
  /// Waits for the last.
  void add_to(phase_times& times) const {
    for (std::size_t k = 0; k < names_.size(); ++k) times.add(names_[k], ends_[k + 1].seconds_since(ends_[k]));
  }

private:
  const gpu& on_;
  std::vector<gpu_event> ends_;
  std::vector<std::string_view> names_;
};

}  // namespace copse::backend
