// Loops over the arcs of a graph on a GPU, scheduled by the length of rows. Short rows are walked by one thread each, so that a rule can
// continue from the vertex to which the previous arc led; medium rows by a warp, whose threads read adjacent arcs. Long rows are cut into
// pieces for blocks. The first kernel lists the pieces and a second kernel walks them, so that no block has to walk a hub's row alone.
#pragma once
#include <copse/memory.hpp>
#include <gpu/loops/cuda.cuh>

#include <cstddef>
#include <cstdint>

namespace copse::backend {

inline constexpr std::uint64_t warp_row_arcs = 32, long_row_arcs = 1024;

/// At most long_row_arcs consecutive arcs of a row, from arc `first` on.
template <class Id>
struct long_row_piece {
  std::uint64_t first;
  std::uint32_t arcs;
  Id v;
};

/// The pieces into which a kernel cuts the long rows that it meets, in no order; the next kernel walks them.
template <class Id>
struct piece_list {
  long_row_piece<Id>* pieces;
  unsigned long long* count;

  __device__ void cut(Id v, std::uint64_t first, std::uint64_t last) const {
    const std::uint64_t parts = (last - first + long_row_arcs - 1) / long_row_arcs;
    const std::uint64_t at = atomicAdd(count, static_cast<unsigned long long>(parts));
    for (std::uint64_t k = 0; k < parts; ++k, first += long_row_arcs) {
      const std::uint64_t arcs = last - first < long_row_arcs ? last - first : long_row_arcs;
      pieces[at + k] = {first, static_cast<std::uint32_t>(arcs), v};
    }
  }
};

/// `walk` defines the rows and the work: walk.row(i, first, last) returns the vertex of row number i < walk.size() and sets [first, last)
/// to its arcs that are wanted; walk.along(v, first, last, stride) visits the arcs first, first + stride, ... before last.
template <class Id, class Walk>
__global__ void __launch_bounds__(threads_a_block) walk_rows(Walk walk, piece_list<Id> pieces) {
  constexpr unsigned warp = 32, everyone = 0xFFFFFFFFu;
  const std::size_t n = walk.size(), stride = std::size_t{gridDim.x} * blockDim.x;
  const unsigned lane = threadIdx.x % warp;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane; base < n; base += stride) {
    Id v = 0;
    std::uint64_t first = 0, last = 0;
    if (base + lane < n) v = walk.row(base + lane, first, last);
    const std::uint64_t arcs = last - first;
    if (arcs >= long_row_arcs) pieces.cut(v, first, last);
    for (unsigned left = __ballot_sync(everyone, arcs >= warp_row_arcs && arcs < long_row_arcs); left != 0; left &= left - 1) {
      const int owner = __ffs(static_cast<int>(left)) - 1;
      const Id row = __shfl_sync(everyone, v, owner);
      const std::uint64_t begin = __shfl_sync(everyone, first, owner), end = __shfl_sync(everyone, last, owner);
      walk.along(row, begin + lane, end, warp);
      __syncwarp();
    }
    if (arcs < warp_row_arcs && arcs > 0) walk.along(v, first, last, 1);
    __syncwarp();
  }
}

template <class Id, class Walk>
__global__ void __launch_bounds__(threads_a_block) walk_pieces(Walk walk, piece_list<Id> pieces) {
  const unsigned long long count = *pieces.count;
  for (unsigned long long k = blockIdx.x; k < count; k += gridDim.x) {
    const long_row_piece<Id> piece = pieces.pieces[k];
    walk.along(piece.v, piece.first + threadIdx.x, piece.first + piece.arcs, blockDim.x);
  }
}

/// The memory for a list of pieces: the parts, of at most 1024 arcs each, into which the long rows of a graph of `arcs` arcs are cut, so
/// that a block walks one piece at a time.
template <class Id>
class piece_buffers {
public:
  /// `count` is a counter in the memory of the GPU that is 0 at first and receives the number of pieces; if it is null, the constructor
  /// allocates one.
  piece_buffers(const cuda& loops, std::uint64_t arcs, unsigned long long* count = nullptr)
      // Every long row has at most one piece that is not full, so there are at most twice as many pieces as full ones.
      : pieces_{static_cast<std::size_t>(2 * (arcs / long_row_arcs)), loops.memory()},
        count_{count == nullptr ? 1u : 0u, loops.memory()},
        list_{pieces_.data(), count == nullptr ? count_.data() : count} {
    loops.clear(count_.data(), count_.size() * sizeof(unsigned long long));
  }
  [[nodiscard]] piece_list<Id> list() const noexcept { return list_; }
  /// Calls along.along() for every piece of a long row that the previous kernel has listed, by one block per piece.
  template <class Walk>
  void walk(const cuda& loops, Walk along) const {
    if (pieces_.empty()) return;
    walk_pieces<Id><<<loops.blocks_for(pieces_.size() * threads_a_block), threads_a_block, 0, loops.stream()>>>(along, list());
    loops.launched();
  }

private:
  buffer<long_row_piece<Id>> pieces_;
  buffer<unsigned long long> count_;
  piece_list<Id> list_;
};

/// Walks at most `most_rows` rows of a graph of `arcs` arcs by two kernels: walk_rows takes short and medium rows and cuts long ones into
/// pieces, which walk_pieces takes.
template <class Id, class Walk>
void walk_all(const cuda& backend, std::size_t most_rows, std::uint64_t arcs, Walk walk) {
  if (arcs == 0 || most_rows == 0) return;
  const piece_buffers<Id> pieces{backend, arcs};
  backend.before_launch();
  walk_rows<Id><<<backend.blocks_for(most_rows), threads_a_block, 0, backend.stream()>>>(walk, pieces.list());
  backend.launched();
  pieces.walk(backend, walk);
}

}  // namespace copse::backend
