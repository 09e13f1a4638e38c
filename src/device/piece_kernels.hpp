// What is copied to a GPU in pieces becomes pairs of ids there, whatever it was: one road unites them. Compiled without CUDA's kernels.
#pragma once
#include <cuda_runtime_api.h>
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <device/pieces.hpp>

#include <cstddef>
#include <cstdint>
#include <memory_resource>

namespace copse::device {

/// What the arcs of pieces say of all rows: as backend::gpu_row_facts, in sums that pieces add to.
struct arc_sums {
  unsigned long long up_first, up_second, down_first, down_second, loops;

  [[nodiscard]] bool symmetric() const noexcept { return up_first == down_first && up_second == down_second; }
};

/// Enqueues kernels that make pairs of pieces.
class piece_kernels {
public:
  using id = std::uint32_t;
  using pair = edge<id>;

  piece_kernels(cudaStream_t stream, unsigned multiprocessors) noexcept : stream_{stream}, blocks_{multiprocessors * 8} {}

  void columns(const id* sources, const id* targets, std::size_t count, pair* pairs) const;
  /// `offsets`: piece.rows + 1 of them, of 4 or 8 bytes. `one_direction`: both are stored, so arcs to larger ids are left out; a loop takes
  /// the place of each. `sums` is null if they are not wanted.
  void rows(const void* offsets, unsigned offset_bytes, const id* targets, const rows_piece& piece, id vertices, bool one_direction,
            arc_sums* sums, pair* pairs) const;
  /// Vertices first, first + 1, ... and what they point at.
  void parents(const id* words, id first, std::size_t count, pair* pairs) const;
  /// Slots of links (drivers::gpu_live), in their place: a loop takes the place of each that is empty.
  void links(pair* slots, std::size_t count) const;
  /// Labels over all ids below `count` say that a root occurred only if others share its label. `alone`: ids that occurred in loops. Sets
  /// the bits of both.
  void mark_present(const id* labels, std::size_t count, const id* alone, std::size_t alone_count, std::uint32_t* bits) const;

private:
  cudaStream_t stream_;
  unsigned blocks_;
};

}  // namespace copse::device
