// Checks of labels in the memory of a GPU: the proof of proof.hpp, and the checksum. They share no code with what they check, nor with the
// serial proof.
#pragma once
#include <copse/graph.hpp>
#include <copse/verify.hpp>
#include <copse/views.hpp>

#include <cstdint>
#include <memory_resource>
#include <span>

struct CUstream_st;  // what a cudaStream_t points to

namespace copse {

/// Arrays in the memory of a GPU: rows, or a list of edges.
struct graph_on_gpu {
  std::uint32_t vertices = 0;
  std::uint64_t arcs = 0;  ///< for a list, its edges
  const void* offsets = nullptr;
  bool wide_offsets = false;
  const std::uint32_t* targets = nullptr;
  const edge<std::uint32_t>* edges = nullptr;  ///< instead of offsets and targets
};

/// What verify() says of the same graph and labels. `memory` is the GPU's: 4 bytes per vertex, and some. The stream is waited for.
verdict prove_on_gpu(const graph_on_gpu& g, std::span<const std::uint32_t> labels, const vertex_names& names,
                     std::pmr::memory_resource* memory, CUstream_st* stream);

/// What checksum() says of the same labels of vertices 0 .. n - 1, without copying them out. O(n); `memory` is the GPU's: some bytes. The
/// stream is waited for.
std::uint64_t checksum_on_gpu(std::span<const std::uint32_t> labels, std::pmr::memory_resource* memory, CUstream_st* stream);

}  // namespace copse
