// Rows in no order: every row has its arcs in the places that a random bijection gives them. Sorted rows tell a solver more than many
// inputs do; benchmarks and tests solve both. One text for host and device, so that both make the same rows.
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

/// Where the arcs of one row go.
COPSE_HOST_DEVICE inline permutation order_of_row(std::uint64_t row, std::uint64_t arcs, std::uint64_t seed) noexcept {
  return permutation{arcs, random_stream{seed, row}};
}

/// The work of one thread for one arc of all: its row is searched for, so that long rows are shared by many threads.
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

/// The graph with such rows. Precondition: it has rows.
graph unsorted_rows(graph rows, std::uint64_t seed, const execution& on = {});

/// Reorders rows in the memory of a GPU as unsorted_rows() does, and waits. `offset_bytes`: 4 or 8.
void unsort_rows(const backend::gpu& on, std::pmr::memory_resource* memory, const buffer<std::byte>& offsets, unsigned offset_bytes,
                 buffer<std::uint32_t>& targets, std::uint64_t seed);

}  // namespace copse::gen
