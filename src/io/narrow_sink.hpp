// A sink that takes edges of 32-bit ids as they lie in a file, so that nobody widens them in between.
#pragma once
#include <copse/views.hpp>

#include <cstdint>
#include <span>

namespace copse::io {

/// What an edge_sink may be, too: a reader that has such edges passes them here instead of to edges(), under the same rules.
class narrow_sink {
public:
  virtual ~narrow_sink() = default;
  virtual void narrow_edges(unsigned worker, std::span<const edge<std::uint32_t>> batch) = 0;
};

}  // namespace copse::io
