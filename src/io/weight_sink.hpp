// A sink that wants the weights of edges, too: readers look whether theirs is one (by its dynamic type), so that sinks which do not care
// cost nothing.
#pragma once
#include <copse/errors.hpp>
#include <copse/io.hpp>

#include <span>
#include <string>

namespace copse::io {

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

}  // namespace copse::io
