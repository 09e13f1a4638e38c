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

/// A graph in the memory of a GPU, as rows or as a list of edges.
struct graph_on_gpu {
  std::uint32_t vertices = 0;
  std::uint64_t arcs = 0;  ///< number of arcs, or of edges if the graph is a list
  const void* offsets = nullptr;
  bool wide_offsets = false;
  const std::uint32_t* targets = nullptr;
  const edge<std::uint32_t>* edges = nullptr;  ///< used instead of offsets and targets if the graph is a list
};

/// Returns the verdict that verify() returns for the same graph and labels. `memory` is memory of the GPU, of which 4 bytes per vertex and
/// a little more are allocated. Waits for the stream.
verdict prove_on_gpu(const graph_on_gpu& g, std::span<const std::uint32_t> labels, const vertex_names& names,
                     std::pmr::memory_resource* memory, CUstream_st* stream);

/// Returns what checksum() returns for the same labels of vertices 0 .. n - 1, without copying them to the host. O(n). `memory` is
/// memory of the GPU, of which a few bytes are allocated. Waits for the stream.
std::uint64_t checksum_on_gpu(std::span<const std::uint32_t> labels, std::pmr::memory_resource* memory, CUstream_st* stream);

}  // namespace copse
