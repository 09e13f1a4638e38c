// What a solve by our own path keeps in the memory of the GPU: made once, it serves any number of graphs of its sizes.
#pragma once
#include <copse/core/memory.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::own {

/// Arcs [first, first + arcs) of v.
template <class Id>
struct row_part {
  std::uint64_t first;
  std::uint32_t arcs;
  Id v;
};

/// Lengths of lists, and the giant's label.
template <class Id>
struct gpu_counters {
  unsigned roots, near_tiles, outside, parts;
  Id giant;
  unsigned long long agreed;  ///< the giant that all blocks of one_launch go by, above a 1; 0: none has voted yet
};

/// What there is beside the labels.
template <class Id>
struct gpu_workspace {
  buffer<Id> list;
  buffer<row_part<Id>> parts;
  buffer<gpu_counters<Id>> counters;
  bool sampled, one_launch;
};

}  // namespace copse::own
