// What an edge_sink may be, too. Readers look whether theirs is one (by its dynamic type), so that sinks which do not care cost nothing.
#pragma once
#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <copse/views.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace copse::io {

/// A sink that wants the weights of edges.
class weight_sink {
public:
  virtual ~weight_sink() = default;
  /// Of the batch of edges that `worker` passes on next: as many, in the same order. No weight is not-a-number.
  virtual void weights(unsigned worker, std::span<const double> batch) = 0;

  /// Asked between blocks of text: shall reading stop for a while?
  [[nodiscard]] virtual bool wants_pause() const noexcept { return false; }
  /// All blocks up to here have been passed on, none behind them, and no worker is at work.
  virtual void pause() {}
};

inline weight_sink* as_weight_sink(edge_sink& sink) noexcept { return dynamic_cast<weight_sink*>(&sink); }

/// A sink that takes edges of 32-bit ids as they lie in a file, without widening them: a reader that has such edges passes them here
/// instead of to edges(), under the same rules.
class narrow_sink {
public:
  virtual ~narrow_sink() = default;
  virtual void narrow_edges(unsigned worker, std::span<const edge<std::uint32_t>> batch) = 0;
};

}  // namespace copse::io
