// Kernels that turn pieces of a graph, as they are copied to a GPU, into pairs of ids. Each reads and writes its arrays in order. The
// memory of the GPU is fifty times as fast as the link that the pieces arrive by, so a separate pass costs little, and one kernel unites
// the pairs of all kinds of pieces.
#include <device/piece_kernels.hpp>
#include <gpu/runtime/gpu.hpp>
#include <graph/direction_sum.hpp>

#include <algorithm>

namespace copse::device {
namespace {

using id = std::uint32_t;
using word = unsigned long long;

constexpr unsigned threads = 256;
constexpr std::uint64_t tile_arcs = 2048;  ///< arcs that a block takes at a time

__device__ std::size_t thread_of_grid() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ std::size_t threads_of_grid() { return std::size_t{gridDim.x} * blockDim.x; }

__global__ void __launch_bounds__(threads) pairs_of_columns(const id* sources, const id* targets, std::size_t count, uint2* pairs) {
  for (std::size_t i = thread_of_grid(); i < count; i += threads_of_grid()) pairs[i] = uint2{__ldcs(sources + i), __ldcs(targets + i)};
}

__global__ void __launch_bounds__(threads) pairs_of_parents(const id* words, id first, std::size_t count, uint2* pairs) {
  for (std::size_t i = thread_of_grid(); i < count; i += threads_of_grid()) pairs[i] = uint2{first + static_cast<id>(i), __ldcs(words + i)};
}

__global__ void __launch_bounds__(threads) loops_for_empty(uint2* slots, std::size_t count) {
  for (std::size_t i = thread_of_grid(); i < count; i += threads_of_grid()) {
    if (slots[i].x == no_vertex<id>) slots[i] = uint2{0, 0};
  }
}

/// Adds the sum of `mine` over all threads of a warp to *to.
__device__ void add_up(word* to, word mine) {
  for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_down_sync(0xffffffffu, mine, distance);
  if (threadIdx.x % 32 == 0 && mine != 0) atomicAdd(to, mine);
}

/// Turns the arcs of rows into pairs. A block takes tile_arcs consecutive arcs at a time. It searches all rows for those of the first and
/// the last of these arcs; the rows of the other arcs are searched for between these two, in offsets that the caches hold.
template <class Offset, bool OneDirection, bool Sums>
__global__ void __launch_bounds__(threads)
    pairs_of_rows(const Offset* offsets, const id* targets, rows_piece piece, id vertices, arc_sums* sums, uint2* pairs) {
  const auto offset_of = [offsets](std::uint64_t row) -> std::uint64_t { return offsets[row]; };
  __shared__ std::uint64_t ends[2];
  direction_sum up, down;
  word loops = 0;
  for (std::uint64_t begin = blockIdx.x * tile_arcs; begin < piece.arcs; begin += gridDim.x * tile_arcs) {
    const std::uint64_t end = min(piece.arcs, begin + tile_arcs);
    if (threadIdx.x < 2) ends[threadIdx.x] = row_of(piece.first_arc + (threadIdx.x == 0 ? begin : end - 1), 0, piece.rows, offset_of);
    __syncthreads();
    for (std::uint64_t i = begin + threadIdx.x; i < end; i += threads) {
      const id u = static_cast<id>(piece.first_row + row_of(piece.first_arc + i, ends[0], ends[1] + 1, offset_of));
      const id v = __ldcs(targets + i);
      pairs[i] = OneDirection && u < v && v < vertices ? uint2{0, 0} : uint2{u, v};
      if constexpr (Sums) {
        if (u < v) up.add(u, v);
        if (u > v) down.add(v, u);
        loops += u == v;
      }
    }
    __syncthreads();
  }
  if constexpr (Sums) {
    add_up(&sums->up_first, up.first);
    add_up(&sums->up_second, up.second);
    add_up(&sums->down_first, down.first);
    add_up(&sums->down_second, down.second);
    add_up(&sums->loops, loops);
  }
}

__device__ void set_bit(std::uint32_t* bits, id i) {
  const std::uint32_t bit = 1u << (i % 32);
  // nearly all bits are set more than once, and reading first avoids atomics
  if ((__ldcg(bits + i / 32) & bit) == 0) atomicOr(bits + i / 32, bit);
}

__global__ void __launch_bounds__(threads)
    present_bits(const id* labels, std::size_t count, const id* alone, std::size_t alone_count, std::uint32_t* bits) {
  for (std::size_t i = thread_of_grid(); i < alone_count; i += threads_of_grid()) set_bit(bits, alone[i]);
  for (std::size_t i = thread_of_grid(); i < count; i += threads_of_grid()) {
    if (labels[i] != static_cast<id>(i)) set_bit(bits, labels[i]);
  }
}

unsigned blocks_of(std::size_t count, std::size_t each, unsigned most) {
  return static_cast<unsigned>(std::clamp<std::size_t>((count + each - 1) / each, 1, most));
}

void launched() { backend::checked(cudaGetLastError(), "launching a kernel"); }

uint2* words_of(edge<id>* pairs) { return reinterpret_cast<uint2*>(pairs); }

}  // namespace

void piece_kernels::columns(const id* sources, const id* targets, std::size_t count, pair* pairs) const {
  pairs_of_columns<<<blocks_of(count, threads, blocks_), threads, 0, stream_>>>(sources, targets, count, words_of(pairs));
  launched();
}

void piece_kernels::rows(const void* offsets, unsigned offset_bytes, const id* targets, const rows_piece& piece, id vertices,
                         bool one_direction, arc_sums* sums, pair* pairs) const {
  const unsigned blocks = blocks_of(piece.arcs, tile_arcs, blocks_);
  const auto launch = [&]<class Offset>(const Offset* first) {
    if (sums != nullptr) {
      pairs_of_rows<Offset, false, true><<<blocks, threads, 0, stream_>>>(first, targets, piece, vertices, sums, words_of(pairs));
    } else if (one_direction) {
      pairs_of_rows<Offset, true, false><<<blocks, threads, 0, stream_>>>(first, targets, piece, vertices, nullptr, words_of(pairs));
    } else {
      pairs_of_rows<Offset, false, false><<<blocks, threads, 0, stream_>>>(first, targets, piece, vertices, nullptr, words_of(pairs));
    }
  };
  if (offset_bytes == 8) {
    launch(static_cast<const std::uint64_t*>(offsets));
  } else {
    launch(static_cast<const std::uint32_t*>(offsets));
  }
  launched();
}

void piece_kernels::parents(const id* words, id first, std::size_t count, pair* pairs) const {
  pairs_of_parents<<<blocks_of(count, threads, blocks_), threads, 0, stream_>>>(words, first, count, words_of(pairs));
  launched();
}

void piece_kernels::links(pair* slots, std::size_t count) const {
  loops_for_empty<<<blocks_of(count, threads, blocks_), threads, 0, stream_>>>(words_of(slots), count);
  launched();
}

void piece_kernels::mark_present(const id* labels, std::size_t count, const id* alone, std::size_t alone_count, std::uint32_t* bits) const {
  backend::checked(cudaMemsetAsync(bits, 0, (count + 31) / 32 * sizeof(std::uint32_t), stream_), "clearing memory");
  present_bits<<<blocks_of(std::max(count, alone_count), threads, blocks_), threads, 0, stream_>>>(labels, count, alone, alone_count, bits);
  launched();
}

}  // namespace copse::device
