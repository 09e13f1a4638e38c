// The worklist of ecl_mst.cu: how it is filled, and what its edges do in a round.
//
// It lists the edges on one side of a pivot: the light ones first, and the heavy ones once the forest of the light ones joins the ends of
// most of them. Each edge is looked at from its smaller end.
//
// A thread takes a short row, a warp a longer one, and the longest rows are cut into pieces, one for each warp. Threads begin at the end of
// a row and stop at the first target that is not larger than its vertex: targets ascend, so the edges before it belong to other rows.
#pragma once
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/unite/ecl.hpp>
#include <core/random.hpp>
#include <parents/device.cuh>
#include <weighted/cuda/space.cuh>

#include <cuda/atomic>

namespace copse::weighted {

inline constexpr unsigned pivot_samples = 20;
inline constexpr std::uint64_t row_of_a_warp = 32;  ///< a warp takes a row with at least this many arcs

/// Writes the rank that is at position `place` in a sorted sample of pivot_samples ranks to `pivot`: it divides light from heavy edges. One
/// warp.
static __global__ void __launch_bounds__(warp_threads) choose_pivot(keyed_rows rows, unsigned place, unsigned long long* pivot) {
  const unsigned lane = threadIdx.x;
  const auto arc = static_cast<std::uint32_t>(mix(lane) % rows.arcs);
  const unsigned long long rank = rank_of(rows.keys[arc], arc);
  unsigned before = 0;
  for (unsigned other = 0; other < pivot_samples; ++other) {
    const unsigned long long found = __shfl_sync(whole_warp, rank, static_cast<int>(other));
    before += found < rank || (found == rank && other < lane);
  }
  if (lane < pivot_samples && before == place) *pivot = rank;
}

/// Lists edges among the arcs [first, end) of u by `threads` threads, of which the calling one is `number`: each thread has a row of its
/// own, or the whole warp has the same row. All threads of the warp must call it.
template <bool Light>
__device__ void list_row(const keyed_rows& rows, const forest_space& space, unsigned long long pivot, std::uint32_t u, std::uint64_t first,
                         std::uint64_t end, unsigned threads, unsigned number, candidate_appender& list) {
  bool there = first + number < end;
  std::uint64_t at = there ? end - 1 - number : 0;
  const std::uint32_t from = !Light && there ? space.parents[u] : u;
  while (__any_sync(whole_warp, there)) {
    candidate found{from, from, 0, static_cast<std::uint32_t>(at)};
    if (there) {
      const std::uint32_t target = rows.targets[at];
      there = target > u;
      if (there) {
        found.key = rows.keys[at];
        if ((found.rank() < pivot) == Light) found.v = Light ? target : space.parents[target];
        there = at >= first + threads;
        if (there) at -= threads;
      }
    }
    list.append(found.u != found.v, found);
  }
}

/// Lists the light or the heavy edges of rows that are short enough not to be cut into pieces. Precondition for heavy edges: parents are
/// roots.
template <bool Light>
__global__ void __launch_bounds__(threads_a_block) list_edges(keyed_rows rows, forest_space space, const unsigned long long* pivot) {
  __shared__ candidate kept[warps_a_block][candidate_appender::room];
  candidate_appender list{kept[threadIdx.x / warp_threads], list_of(space, 0)};
  const unsigned long long bound = *pivot;
  const unsigned lane = threadIdx.x % warp_threads;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane; base < rows.vertices(); base += stride) {
    const std::size_t row = base + lane;
    const bool exists = row < rows.vertices();
    const std::uint64_t first = exists ? rows.offsets[row] : 0, last = exists ? rows.offsets[row + 1] : 0;
    const bool is_long = last - first >= row_of_a_warp, is_cut = last - first > piece_arcs;
    list_row<Light>(rows, space, bound, static_cast<std::uint32_t>(row), first, is_long ? first : last, 1, 0, list);
    if (is_cut) put_pieces(space, static_cast<std::uint32_t>(row), first, last);
    for (unsigned left = __ballot_sync(whole_warp, is_long && !is_cut); left != 0; left &= left - 1) {
      const int of = __ffs(static_cast<int>(left)) - 1;
      const std::uint64_t begin = __shfl_sync(whole_warp, first, of), end = __shfl_sync(whole_warp, last, of);
      list_row<Light>(rows, space, bound, static_cast<std::uint32_t>(base) + static_cast<unsigned>(of), begin, end, warp_threads, lane,
                      list);
    }
  }
  list.flush();
}

/// Lists the edges of rows that were cut into pieces. One warp per piece.
template <bool Light>
__global__ void __launch_bounds__(threads_a_block) list_cut_rows(keyed_rows rows, forest_space space, const unsigned long long* pivot) {
  __shared__ candidate kept[warps_a_block][candidate_appender::room];
  candidate_appender list{kept[threadIdx.x / warp_threads], list_of(space, 0)};
  const unsigned long long bound = *pivot;
  const unsigned count = space.counters->pieces;
  for (unsigned k = blockIdx.x * warps_a_block + threadIdx.x / warp_threads; k < count; k += gridDim.x * warps_a_block) {
    const keyed_row_piece piece = space.pieces[k];
    list_row<Light>(rows, space, bound, piece.end, piece.first, piece.last, warp_threads, threadIdx.x % warp_threads, list);
  }
  list.flush();
}

// A round has two steps for each edge of a worklist. First, the edge finds the roots of its ends, and reserves both with its rank unless an
// edge of smaller rank has reserved them; an edge between equal roots leaves the list. Second, an edge that holds a reservation is the
// first one that leaves some tree, so it belongs to the forest and unites its roots.
//
// Ranks differ, so the edges that a round takes form no cycle, and every reserved root has exactly one holder. Only the holder resets its
// reservation: other edges see the holder's rank before and no_rank after, and neither is theirs. Roots do not change in the first step,
// and all finds shorten paths. Every access is a relaxed atomic; the ends of kernels order them.

class reservations {
public:
  COPSE_HOST_DEVICE explicit reservations(const forest_space& space) : parents_{space.parents}, ranks_{space.best} {}

  /// Replaces the ends by the roots of their trees, and reserves these for the edge unless edges of smaller rank have. Returns false if
  /// both ends are in one tree, so that the edge leaves the list.
  COPSE_HOST_DEVICE bool reserve(candidate& edge) const {
    edge.u = find::halve{}(parents_, edge.u);
    edge.v = find::halve{}(parents_, edge.v);
    if (edge.u == edge.v) return false;
    offer(edge.u, edge.rank());
    offer(edge.v, edge.rank());
    return true;
  }
  /// If a root at an end of the edge is reserved for it, the edge belongs to the forest: joins both trees, and returns true. Must be called
  /// after reserve() was called for all edges.
  COPSE_HOST_DEVICE bool take(const candidate& edge) const {
    const bool of_u = holds(edge.u, edge.rank()), of_v = holds(edge.v, edge.rank());
    if (of_u) at(edge.u).store(no_rank, ::cuda::memory_order_relaxed);
    if (of_v) at(edge.v).store(no_rank, ::cuda::memory_order_relaxed);
    if (!of_u && !of_v) return false;
    unite::ecl<find::halve>{}(parents_, edge.u, edge.v);
    return true;
  }

private:
  using word = ::cuda::atomic_ref<unsigned long long, ::cuda::thread_scope_device>;

  [[nodiscard]] COPSE_HOST_DEVICE word at(std::uint32_t root) const { return word{ranks_[root]}; }
  [[nodiscard]] COPSE_HOST_DEVICE bool holds(std::uint32_t root, unsigned long long rank) const {
    return at(root).load(::cuda::memory_order_relaxed) == rank;
  }
  /// Reserves a root for the edge of this rank, unless an edge of smaller rank has done so. Reads the reservation before it writes: most
  /// edges at a large tree come too late, and their atomic writes would all contend for the one word of its root.
  COPSE_HOST_DEVICE void offer(std::uint32_t root, unsigned long long rank) const {
    if (rank < at(root).load(::cuda::memory_order_relaxed)) at(root).fetch_min(rank, ::cuda::memory_order_relaxed);
  }

  parents::cached<std::uint32_t> parents_;
  unsigned long long* ranks_;
};

/// Reserves roots for the edges of one list; edges between two trees go to the other list.
static __global__ void __launch_bounds__(threads_a_block) reserve_roots(forest_space space, unsigned from, unsigned count) {
  __shared__ candidate kept[warps_a_block][candidate_appender::room];
  candidate_appender next{kept[threadIdx.x / warp_threads], list_of(space, 1 - from)};
  const reservations held{space};
  const candidate* list = space.candidates[from];
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x, lane = threadIdx.x % warp_threads;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane; base < count; base += stride) {
    candidate edge{};
    bool stays = false;
    if (base + lane < count) {
      edge = list[base + lane];
      stays = held.reserve(edge);
    }
    next.append(stays, edge);
  }
  next.flush();
}

/// Appends the edges for which a root is reserved to the forest, and joins their trees. Precondition: reserve_roots has run.
static __global__ void __launch_bounds__(threads_a_block) take_reserved(forest_space space, unsigned from, std::uint32_t* forest) {
  using appender = backend::warp_appender<std::uint32_t>;
  __shared__ std::uint32_t kept[warps_a_block][appender::room];
  appender taken{kept[threadIdx.x / warp_threads], backend::device_list<std::uint32_t>{forest, &space.counters->selected}};
  const reservations held{space};
  const candidate* list = space.candidates[from];
  const std::size_t count = space.counters->candidates[from];
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x, lane = threadIdx.x % warp_threads;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane; base < count; base += stride) {
    candidate edge{};
    bool is_taken = false;
    if (base + lane < count) {
      edge = list[base + lane];
      is_taken = held.take(edge);
    }
    taken.append(is_taken, edge.arc);
  }
  taken.flush();
}

}  // namespace copse::weighted
