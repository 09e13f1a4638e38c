// Turns whatever is copied to a GPU in pieces into pairs of ids there, so that one function unites them. Compiled without CUDA's kernels.
#pragma once
#include <cuda_runtime_api.h>
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <device/pieces.hpp>

#include <cstddef>
#include <cstdint>
#include <memory_resource>

namespace copse::device {

/// Sums over the arcs of all pieces: hashes of the arcs to larger and to smaller ids, which are equal if the rows store both directions,
/// and the number of loops.
struct arc_sums {
  unsigned long long up_first, up_second, down_first, down_second, loops;

  [[nodiscard]] bool symmetric() const noexcept { return up_first == down_first && up_second == down_second; }
};

/// Enqueues kernels that turn pieces of a graph, in the form in which they were copied to the GPU, into pairs of ids.
class piece_kernels {
public:
  using id = std::uint32_t;
  using pair = edge<id>;

  piece_kernels(cudaStream_t stream, unsigned multiprocessors) noexcept : stream_{stream}, blocks_{multiprocessors * 8} {}

  void columns(const id* sources, const id* targets, std::size_t count, pair* pairs) const;
  /// Writes a pair (row, target) for each arc of a piece of CSR rows. `offsets`: piece.rows + 1 offsets of `offset_bytes` (4 or 8) bytes.
  /// `sums`: receives the hashes and loops of all arcs of the piece in addition; may be null. `one_direction`: true if the rows store both
  /// directions of every edge; one of them is then enough: without `sums`, the pair (0, 0) replaces each arc to a larger id, except to ids
  /// of `vertices` or more, which are to be found as an error.
  void rows(const void* offsets, unsigned offset_bytes, const id* targets, const rows_piece& piece, id vertices, bool one_direction,
            arc_sums* sums, pair* pairs) const;
  /// pairs[i] becomes (first + i, words[i]), a vertex and its parent.
  void parents(const id* words, id first, std::size_t count, pair* pairs) const;
  /// Replaces empty elements of `slots` by loops, so that all can be united. An element per vertex has the edge by which the vertex joined
  /// another tree when it was a root (drivers::gpu_live), or is empty.
  void links(pair* slots, std::size_t count) const;
  /// Sets the bits of roots that occurred in an edge: those whose label another id shares, and those of `alone`, the ids that occurred in
  /// loops. Ids that are not roots are known to have occurred.
  void mark_present(const id* labels, std::size_t count, const id* alone, std::size_t alone_count, std::uint32_t* bits) const;

private:
  cudaStream_t stream_;
  unsigned blocks_;
};

}  // namespace copse::device
