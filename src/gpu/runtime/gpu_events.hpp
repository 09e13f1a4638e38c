// Events in a stream: another stream or the host can wait for one, and the GPU's own clock measures the time between two.
#pragma once
#include <cuda_runtime_api.h>
#include <core/phase_times.hpp>
#include <gpu/runtime/gpu.hpp>

#include <cstddef>
#include <exception>
#include <memory_resource>
#include <string_view>
#include <vector>

namespace copse::backend {

/// An event that another stream or the host can wait for.
class stream_mark {
public:
  stream_mark() { checked(cudaEventCreateWithFlags(&held_, cudaEventDisableTiming), "making an event"); }
  stream_mark(const stream_mark&) = delete;
  ~stream_mark() { static_cast<void>(cudaEventDestroy(held_)); }
  void set(cudaStream_t stream) const { checked(cudaEventRecord(held_, stream), "recording an event"); }
  void hold_back(cudaStream_t other) const { checked(cudaStreamWaitEvent(other, held_, 0), "waiting for a stream"); }
  void wait() const { checked(cudaEventSynchronize(held_), "waiting for a copy"); }

private:
  cudaEvent_t held_ = nullptr;
};

/// Page-locked host memory, which the GPU copies from and to at full speed and while kernels run. The resource lives as long as the
/// program.
inline std::pmr::memory_resource* pinned_memory() {
  class pinned final : public std::pmr::memory_resource {
    void* do_allocate(std::size_t bytes, std::size_t) override {
      void* at = nullptr;
      checked(cudaMallocHost(&at, bytes), "allocating pinned memory");
      return at;
    }
    void do_deallocate(void* at, std::size_t, std::size_t) override { static_cast<void>(cudaFreeHost(at)); }
    [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
  };
  static pinned resource;
  return &resource;
}

/// An event that records the time of the GPU's clock.
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
  /// Returns the seconds from `before` to this event, for which it waits.
  [[nodiscard]] double seconds_since(const gpu_event& before) const {
    float milliseconds = 0;
    checked(cudaEventSynchronize(event_), "waiting for kernels");
    checked(cudaEventElapsedTime(&milliseconds, before.event_, event_), "asking for the time");
    return static_cast<double>(milliseconds) * 1e-3;
  }

private:
  cudaEvent_t event_ = nullptr;
};

/// Measures the time from its construction to the call of seconds(), which waits.
class gpu_stopwatch {
public:
  explicit gpu_stopwatch(const gpu& on) : on_{on}, start_{on} {}
  [[nodiscard]] double seconds() const { return gpu_event{on_}.seconds_since(start_); }

private:
  const gpu& on_;
  gpu_event start_;
};

/// The times of consecutive phases of a solve, and of parts of them. A lap that cannot be recorded is left out: laps end in destructors,
/// and a failure of the GPU is reported by the next call.
class gpu_laps {
public:
  explicit gpu_laps(const gpu& on) : on_{on} { places_.emplace_back(on); }
  /// Ends the phase that began at the previous lap.
  void lap(std::string_view name) noexcept {
    add(name, last_);
    last_ = places_.size() - 1;
  }
  /// Begins a part of a phase and returns its number.
  [[nodiscard]] std::size_t begin_part() {
    places_.emplace_back(on_);
    return places_.size() - 1;
  }
  void end_part(std::string_view name, std::size_t part) noexcept { add(name, part); }
  /// Adds all phases to `times`. Waits for the last one.
  void add_to(phase_times& times) const {
    for (const auto& [name, from, to] : spans_) times.add(name, places_[to].seconds_since(places_[from]));
  }

private:
  struct span {
    std::string_view name;
    std::size_t from, to;  ///< the events at its beginning and its end, as indices into places_
  };

  void add(std::string_view name, std::size_t from) noexcept {
    try {
      places_.emplace_back(on_);
      spans_.push_back({name, from, places_.size() - 1});
    } catch (const std::exception&) {
    }
  }

  const gpu& on_;
  std::vector<gpu_event> places_;
  std::size_t last_ = 0;  ///< index of the event at the end of the last lap
  std::vector<span> spans_;
};

}  // namespace copse::backend
