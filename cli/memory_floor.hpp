// What a solve on a GPU cannot beat: the bytes that connectivity has to move, at the rate of a plain copy in the same run.
#pragma once
#include <algorithm>
#include <cstdint>

#include "api/benchmark_solver.hpp"

namespace copse::cli {

/// A model, of a solve that samples one arc and an eighth of each vertex and then visits nothing more: every offset is read, a 32-byte
/// sector for each sampled arc (or all arcs, where they are fewer), and labels are written, read and written again. Where labels fit no
/// cache, each sampled arc costs a random fetch of a label too.
struct memory_floor {
  std::uint64_t vertices, arcs;
  benchmark_solver::memory_rates rates;

  [[nodiscard]] double sampled_arcs() const noexcept { return std::min(static_cast<double>(arcs), 1.125 * static_cast<double>(vertices)); }
  [[nodiscard]] double bytes() const noexcept {
    const double sectors = std::min(static_cast<double>(arcs) / 8, sampled_arcs());
    return 4 * static_cast<double>(vertices + 1) + 32 * sectors + 12 * static_cast<double>(vertices);
  }
  [[nodiscard]] double seconds() const noexcept { return bytes() / rates.copied_bytes_per_second; }
  [[nodiscard]] double seconds_with_gathers() const noexcept {
    return seconds() + (rates.gathers_per_second > 0 ? sampled_arcs() / rates.gathers_per_second : 0);
  }
};

}  // namespace copse::cli
