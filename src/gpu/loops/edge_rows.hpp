// Converts an edge list to rows in the memory of a GPU, with the arrays that build_csr makes on the host. Both arcs of every edge become
// keys; the keys are sorted by the bits that vertices need, and repeats and loops are dropped. Compiled once (edge_rows.cu), because CUB's
// sort takes long to compile. Sorting moves 32 bytes per edge for each 4 bits of an id. Memory: 32 bytes per edge, which include the edges
// themselves, and CUB's scratch memory.
#pragma once
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <gpu/runtime/gpu.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace copse::backend {

class edge_rows {
public:
  /// The most bytes that are allocated at any time; UINT64_MAX if the number does not fit.
  [[nodiscard]] static std::uint64_t bytes_needed(std::uint32_t vertices, std::uint64_t edges);

  /// Offsets have 32 bits if there are at most `most_narrow` arcs, otherwise 64 bits; tests pass a small number. `memory` is memory of the
  /// GPU. `on` and `memory` must outlive this object.
  edge_rows(const gpu& on, std::pmr::memory_resource* memory, std::uint32_t vertices, std::uint64_t edges,
            std::uint64_t most_narrow = std::numeric_limits<std::uint32_t>::max());

  /// The array for the edges, which the caller fills on the GPU's stream before build().
  [[nodiscard]] edge<std::uint32_t>* edges() noexcept { return reinterpret_cast<edge<std::uint32_t>*>(spare_.data()); }

  struct rows {
    buffer<std::byte> offsets;  ///< vertices + 1 offsets
    unsigned offset_bytes;      ///< bytes of one offset: 4 or 8
    buffer<std::uint32_t> targets;
  };
  /// Builds the rows of the graph. Waits until the GPU has done so.
  [[nodiscard]] rows build() &&;

private:
  /// Leaves the sorted keys of the arcs in spare_ and returns the number of arcs.
  std::size_t sort_arcs();

  const gpu& on_;
  std::pmr::memory_resource* memory_;
  std::uint32_t vertices_;
  std::size_t edges_;
  std::uint64_t most_narrow_;
  buffer<std::uint64_t> keys_, spare_;
};

}  // namespace copse::backend
