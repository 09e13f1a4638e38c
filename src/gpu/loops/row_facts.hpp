// Facts about rows and edge lists in the memory of a GPU, measured instead of taken from their file or owner: the GPU form of
// graph/facts.cpp.
#pragma once
#include <cuda_runtime_api.h>
#include <gpu/runtime/gpu.hpp>
#include <loops/arcs.hpp>

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>

namespace copse::backend {

using offsets_on_gpu = any_rows<std::uint32_t>::offset_array;

/// Returns the index of the first of the n + 1 offsets that is wrong, where offsets must ascend from 0 to the number of arcs. Waits for the
/// answer.
std::optional<std::uint64_t> first_bad_offset(cudaStream_t stream, std::pmr::memory_resource* memory, const offsets_on_gpu& offsets,
                                              std::uint32_t vertices, std::uint64_t arcs);

struct gpu_row_facts {
  std::optional<std::uint64_t> bad_target;  ///< position of the first target that is not a vertex; if set, the other facts are void
  bool sorted = true;                       ///< true if every row is ascending
  /// true if every arc has its reverse, as row_facts defines it: compares 128-bit hashes of the arcs of each direction
  bool symmetric = true;
  std::uint64_t loops = 0;
};
/// Finds out whether all targets are vertices, whether rows are sorted and symmetric, and how many loops there are. Precondition:
/// first_bad_offset() found none. Waits for the answer.
gpu_row_facts inspect_on_gpu(cudaStream_t stream, std::pmr::memory_resource* memory, const any_rows<std::uint32_t>& rows);

/// Returns the index of the first edge with an end that is not a vertex, if there is one.
std::optional<std::uint64_t> first_bad_edge(cudaStream_t stream, std::pmr::memory_resource* memory,
                                            std::span<const edge<std::uint32_t>> edges, std::uint32_t vertices);

}  // namespace copse::backend
