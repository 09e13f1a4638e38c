// How vertices are shared out: chunks that one thread owns for a pass.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

namespace copse::fast {

/// Vertices of a chunk, a multiple of 64: some eight chunks per thread, and no more than stay in the cache of one core.
template <class Backend>
std::size_t chunk_of(const Backend& backend, std::size_t n, std::size_t asked) {
  if (asked != 0) return asked;
  if (!Backend::concurrent) return std::size_t{1} << 16;
  return std::bit_ceil(std::clamp<std::size_t>(n / (std::size_t{backend.threads()} * 8), 1024, std::size_t{1} << 16));
}

}  // namespace copse::fast
