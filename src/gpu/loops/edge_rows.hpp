// From an edge list to rows, in the memory of a GPU: the arrays that build_csr makes of it. Both arcs of every edge become keys, keys are
// sorted by the bits that vertices need, repeats and loops dropped. Compiled once (edge_rows.cu): CUB's sort takes long to compile.
// Cost: 32 bytes per edge moved for each 4 bits of an id; memory: 32 bytes per edge, the edges themselves among them, and CUB's scratch.
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

  /// Offsets have 32 bits for up to `most_narrow` arcs; tests pass a small number. `memory` is of the GPU, and both outlive this object.
  edge_rows(const gpu& on, std::pmr::memory_resource* memory, std::uint32_t vertices, std::uint64_t edges,
            std::uint64_t most_narrow = std::numeric_limits<std::uint32_t>::max());

  /// Room for the edges, to be filled on the GPU's stream.
  [[nodiscard]] edge<std::uint32_t>* edges() noexcept { return reinterpret_cast<edge<std::uint32_t>*>(spare_.data()); }

  struct rows {
    buffer<std::byte> offsets;  ///< vertices + 1 of them
    unsigned offset_bytes;      ///< bytes of one offset: 4 or 8
    buffer<std::uint32_t> targets;
  };
  /// Builds the rows and waits for them.
  [[nodiscard]] rows build() &&;

private:
  /// Leaves the arcs in spare_ and returns their number.
  std::size_t sort_arcs();

  const gpu& on_;
  std::pmr::memory_resource* memory_;
  std::uint32_t vertices_;
  std::size_t edges_;
  std::uint64_t most_narrow_;
  buffer<std::uint64_t> keys_, spare_;
};

}  // namespace copse::backend
