// Edges that come in batches from Python, united on arrival.
#pragma once
#include <copse/edge_batch_sink.hpp>

#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

#include "call.hpp"
#include "labels.hpp"

namespace copse::python {

class batch_sink {
public:
  batch_sink(std::optional<std::uint64_t> vertices, call_options options)
      : options_{std::move(options)},
        memory_{options_.memory_bytes},
        watcher_{options_.progress},
        sink_{edge_batch_options{.threads = options_.threads, .vertices = vertices, .observer = &watcher_, .memory = memory_.get()}} {}

  /// body(edge_batch_sink&, observer&) without the interpreter lock; an exception of Python comes first.
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

  held_labels finish() {
    std::optional<components_result> result;
    watched([&](edge_batch_sink& sink, observer&) { result = sink.finish(); });
    return {std::move(*result), memory_};
  }

  [[nodiscard]] std::uint64_t edges() const noexcept { return sink_.edge_count(); }

private:
  call_options options_;
  call_memory memory_;
  watch watcher_;
  edge_batch_sink sink_;
};

}  // namespace copse::python
