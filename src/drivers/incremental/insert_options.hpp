// Limits of inserts by the fast path; tests set them so that few edges among few vertices take every way.
#pragma once
#include <fast/giant_probe.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::drivers {

struct insert_options {
  double least_inside = fast::least_share_inside;       ///< above 0: without a vote the root is no vertex, perhaps
  std::uint64_t fewest_edges = std::uint64_t{1} << 16;  ///< before the first look: few vertices are in the cache whatever they do
  bool any_ranges = false;                              ///< by ranges wherever many threads work, whether it pays or not
  std::size_t worth_a_thread = 1024;                    ///< edges that take longer than it takes to engage one more thread
};

}  // namespace copse::drivers
