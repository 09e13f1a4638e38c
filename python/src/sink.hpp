// Edges that come in batches from Python, united on arrival.
#pragma once
#include <copse/components_sink.hpp>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "call.hpp"
#include "labels.hpp"

namespace copse::python {

/// A sink of the library that several calls of one Python object use, with the options, memory and observer of these calls.
template <class Sink>
class watched_sink {
public:
  /// Constructs the sink as make(options, execution).
  template <class Make>
  watched_sink(call_options options, Make make)
      : options_{std::move(options)},
        memory_{options_.memory_bytes},
        watcher_{options_.progress},
        sink_{make(options_, execution_of(options_, watcher_, memory_))} {}

  /// Calls body(Sink&, observer&) without the interpreter lock. An exception of Python takes precedence over one of the library.
  template <class Body>
  void watched(Body&& body) {
    std::exception_ptr failure;
    {
      const nb::gil_scoped_release unlocked;
      try {
        body(sink_, watcher_);
      } catch (...) {
        failure = std::current_exception();
      }
    }
    watcher_.finish();
    if (failure) std::rethrow_exception(failure);
  }

  /// Adds a note for the user about the added edges.
  void note(const std::string& text) {
    watched([&](Sink&, observer& watcher) { watcher.note(text); });
  }

protected:
  call_options options_;
  call_memory memory_;
  watch watcher_;
  Sink sink_;
};

class batch_sink : public watched_sink<components_sink> {
public:
  batch_sink(std::optional<std::uint64_t> vertices, call_options options)
      : watched_sink{std::move(options), [&](const call_options&, const execution& on) {
                       return components_sink{{.vertices = vertices}, on};
                     }} {}

  held_labels finish() {
    std::optional<components_result> result;
    watched([&](components_sink& sink, observer&) { result = sink.finish(); });
    return {std::move(*result), memory_, watcher_.notes()};
  }

  [[nodiscard]] std::uint64_t edges() const noexcept { return sink_.edge_count(); }
};

}  // namespace copse::python
