// Rows in random order: every row has its arcs in the order of a random bijection. Sorted rows tell a solver more than many real inputs do,
// so benchmarks and tests also solve unsorted rows. Host and device are compiled from the same source, so that both make the same rows.
#pragma once
#include <copse/execution.hpp>
#include <copse/extend/host_device.hpp>
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <core/random.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::backend {
class gpu;
}

namespace copse::gen {

/// Returns the permutation by which the arcs of one row are reordered.
COPSE_HOST_DEVICE inline permutation order_of_row(std::uint64_t row, std::uint64_t arcs, std::uint64_t seed) noexcept {
  return permutation{arcs, random_stream{seed, row}};
}

/// Moves one arc to its new place. A loop runs over arcs and not over rows, so that many threads share a long row; a binary search in the
/// offsets finds the row of an arc.
template <class Offset>
struct arc_mover {
  const Offset* offsets;
  std::size_t vertices;
  const std::uint32_t* from;
  std::uint32_t* to;
  std::uint64_t seed;

  COPSE_HOST_DEVICE void operator()(std::size_t arc) const noexcept {
    std::size_t row = 0;
    for (std::size_t after = vertices; after - row > 1;) {  // offsets[row] <= arc < offsets[after]
      const std::size_t middle = row + (after - row) / 2;
      (offsets[middle] <= arc ? row : after) = middle;
    }
    const std::size_t first = offsets[row];
    to[first + order_of_row(row, offsets[row + 1] - first, seed)(arc - first)] = from[arc];
  }
};

/// Returns the graph with every row in random order. Precondition: the graph is held as rows.
graph unsorted_rows(graph rows, std::uint64_t seed, const execution& on = {});

/// Puts the arcs of every row in the memory of a GPU in random order, the same as that of unsorted_rows() in host memory, and waits.
/// `offset_bytes` is 4 or 8.
void unsort_rows(const backend::gpu& on, std::pmr::memory_resource* memory, const buffer<std::byte>& offsets, unsigned offset_bytes,
                 buffer<std::uint32_t>& targets, std::uint64_t seed);

}  // namespace copse::gen
