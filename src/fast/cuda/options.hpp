// Sizes by which the fast path on a GPU chooses its way. Tests and benchmarks set them to run either way on the same graph.
#pragma once
#include <cstdint>

namespace copse::fast {

struct gpu_settings {
  // Up to here a graph is solved in one launch (measured on an H200: about half the time at 2^16 vertices, even at 2^20).
  std::uint64_t one_launch_vertices = std::uint64_t{1} << 19, one_launch_arcs = std::uint64_t{1} << 24;
  // Vertices of a part of a flatten, at least: below, a launch costs more than parts gain (measured on an H200).
  std::uint64_t flat_part_vertices = std::uint64_t{1} << 22;
};

}  // namespace copse::fast
