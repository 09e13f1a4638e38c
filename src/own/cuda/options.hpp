// What our own path on a GPU may be told.
#pragma once
#include <cstdint>

namespace copse::own {

struct gpu_ideas {
  float least_coverage = .25f;  ///< with fewer votes nobody is passed over
  // Up to here a graph is solved in one launch.
  std::uint64_t one_launch_vertices = std::uint64_t{1} << 18, one_launch_arcs = std::uint64_t{1} << 22;
};

}  // namespace copse::own
