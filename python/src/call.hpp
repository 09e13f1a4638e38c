// Runs calls from Python: without the interpreter lock, stopped by Ctrl-C, and with progress reported on the caller's thread.
#pragma once
#include <nanobind/nanobind.h>
#include <copse/execution.hpp>
#include <copse/io.hpp>
#include <copse/memory.hpp>
#include <copse/options.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace copse::python {

namespace nb = nanobind;

/// The options that every call from Python has.
struct call_options {
  std::string variant = "auto";
  unsigned threads = 0;
  std::string device = "cpu";
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> memory_bytes;
  std::uint64_t gpu_memory_bytes = UINT64_MAX;
  nb::object progress = nb::none();  ///< None, or progress(stage, done, total, unit)
};

/// The memory of one call, which is counted if it is limited. Objects that are allocated from it keep a copy of this object, which they
/// destroy last.
class call_memory {
public:
  explicit call_memory(std::optional<std::uint64_t> limit_bytes) {
    if (limit_bytes) tracked_ = std::make_shared<tracked_memory>(*limit_bytes);
  }
  call_memory() = default;
  [[nodiscard]] std::pmr::memory_resource* get() const noexcept { return tracked_ ? tracked_.get() : host_memory(); }

private:
  std::shared_ptr<tracked_memory> tracked_;
};

/// Checks for signals and reports progress up to 20 times a second, on the thread of the caller, as Python code must not run on other
/// threads. Notes of the library become Python warnings when the call ends.
class watch final : public observer {
public:
  explicit watch(nb::object callback) noexcept : callback_{std::move(callback)} {}

  void progress(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) override;
  void note(std::string_view text) override;
  [[nodiscard]] bool cancel_requested() const noexcept override;
  /// Throws what a signal or the callback raised, and passes the notes on to Python's warnings, one of each kind. The caller holds the
  /// interpreter lock.
  void finish();
  /// All notes so far, each once. Called after finish().
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept { return notes_; }

private:
  using clock = std::chrono::steady_clock;
  struct position {
    std::string stage, unit;
    std::uint64_t done = 0, total = 0;
  };

  void look() noexcept;
  void tell();
  void warn();

  const std::thread::id caller_ = std::this_thread::get_id();
  const nb::object callback_;
  clock::time_point next_look_ = clock::now() + interval;
  std::atomic<bool> stopped_{false};
  std::optional<nb::python_error> raised_;
  std::mutex mutex_;
  std::optional<position> position_;  ///< the progress that was not reported to Python yet
  std::vector<std::string> notes_;    ///< finish() rewrites them with the names of Python arguments
  std::size_t finished_notes_ = 0;
  std::set<std::string> warned_;  ///< kinds of notes for which Python was warned

  static constexpr std::chrono::milliseconds interval{50};
};

/// Returns the text of an error or a note with options of the command line replaced by the equivalent Python arguments.
std::string in_python(std::string_view text);

/// Calls body(observer&) without the interpreter lock. If Python (a signal or the progress callback) and the library both raised an
/// exception, throws the one of Python. The notes of the call are stored in `notes`.
template <class Body>
auto run(const call_options& options, Body&& body, std::vector<std::string>* notes = nullptr) {
  watch watcher{options.progress};
  using result = std::invoke_result_t<Body, observer&>;
  std::conditional_t<std::is_void_v<result>, int, std::optional<result>> value{};
  std::exception_ptr failure;
  {
    const nb::gil_scoped_release unlocked;
    try {
      if constexpr (std::is_void_v<result>) {
        body(static_cast<observer&>(watcher));
      } else {
        value.emplace(body(static_cast<observer&>(watcher)));
      }
    } catch (...) {
      failure = std::current_exception();
    }
  }
  watcher.finish();
  if (failure) std::rethrow_exception(failure);
  if (notes != nullptr) notes->insert(notes->end(), watcher.notes().begin(), watcher.notes().end());
  if constexpr (!std::is_void_v<result>) return std::move(*value);
}

inline execution execution_of(const call_options& from, observer& watcher, const call_memory& memory) {
  return {
      .device = from.device, .threads = from.threads, .gpu_memory = from.gpu_memory_bytes, .observer = &watcher, .memory = memory.get()};
}

inline solve_options solve_options_of(const call_options& from) { return {.variant = from.variant, .seed = from.seed}; }

/// Returns the options for reading a file and storing the numbers of its edges in `numbers`.
inline io::read_options numbering_edges(io::read_options options, io::edge_numbers& numbers) {
  options.numbers = &numbers;
  return options;
}

}  // namespace copse::python
