// The edges of a spanning forest on a GPU: one slot per vertex, written by the thread that links that vertex while it is a root. That
// happens at most once, so there is no contention and no shared counter. The slots of vertices that are still roots at the end are unused
// and never read, so slots need not be cleared. The slots of all other vertices hold the forest.
//
// The edges are compacted in place: with k roots among n vertices, the first n - k slots shall hold the edges. So only the slots of roots
// among these are filled, with as many edges from the last k slots. One pass reads all parents and lists the roots. Two short passes
// follow, as long as that list: one lists the vertices of the last k slots that are not roots, the other moves their edges. Most graphs
// have few roots.
#pragma once
#include <copse/memory.hpp>
#include <gpu/loops/cuda.cuh>
#include <loops/links.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::backend {

using gpu_edge = edge<std::uint32_t>;

struct hand_over_slot {
  gpu_edge* slots;
  std::uint32_t from, to;
  __device__ void operator()(std::size_t /*i*/) const { slots[to] = slots[from]; }
};

/// Records the edges of a spanning forest in kernels: one slot per vertex, for the edge by which it was linked.
class slot_recorder {
public:
  static constexpr bool by_root = true, always = true;
  using id = std::uint32_t;

  slot_recorder() = default;
  explicit slot_recorder(gpu_edge* slots) noexcept : slots_{slots} {}

  /// Records the edge by which `root` was linked, in its slot. The store has a streaming hint, because slots are read only after all links.
  __device__ void operator()(id root, gpu_edge e) const {
    static_assert(sizeof(gpu_edge) == sizeof(uint2));
    __stcs(reinterpret_cast<uint2*>(slots_) + root, uint2{e.u, e.v});
  }
  /// Makes `from` the root of the tree that was searched from `to`, its root so far. A root has no edge to its parent, so the edge that is
  /// recorded for `from` becomes that of `to`.
  __device__ void hand_over(id from, id to) const {
    if (from != to) slots_[to] = slots_[from];
  }
  void hand_over(const cuda& loops, id from, id to) const {
    if (from != to) loops.for_each(1, hand_over_slot{slots_, from, to});
  }

private:
  gpu_edge* slots_ = nullptr;
};

/// Reserves room in a list for `own` items of the calling thread and returns the first position. A block reserves the room of all its
/// threads by one addition to the list's count, because additions to one word by all warps of a GPU take about 3 ns each, one after the
/// other. All threads of the block must call it.
__device__ inline std::uint32_t block_places(std::uint32_t* count, unsigned own) {
  constexpr unsigned warp = 32, everyone = 0xFFFFFFFFu;
  __shared__ unsigned taken;
  __shared__ std::uint32_t first;
  if (threadIdx.x == 0) taken = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % warp;
  unsigned upto = own;
  for (unsigned step = 1; step < warp; step *= 2) {
    const unsigned before = __shfl_up_sync(everyone, upto, step);
    if (lane >= step) upto += before;
  }
  unsigned of_warp = 0;
  if (lane == warp - 1 && upto != 0) of_warp = atomicAdd(&taken, upto);
  of_warp = __shfl_sync(everyone, of_warp, warp - 1);
  __syncthreads();
  if (threadIdx.x == 0 && taken != 0) first = atomicAdd(count, taken);
  __syncthreads();
  return first + of_warp + upto - own;
}

struct slot_counts {
  std::uint32_t roots, movers, filled;
};
inline constexpr unsigned slots_a_turn = 16;  // vertices that a thread examines before its block reserves room in a list

/// Appends to `list`, in any order, those vertices of [first, first + count) that are roots (if `Roots` is true) or those that are not.
template <bool Roots, class P>
__device__ void list_vertices(P p, std::size_t first, std::size_t count, std::uint32_t* list, std::uint32_t* length) {
  constexpr std::size_t of_block = std::size_t{threads_a_block} * slots_a_turn;
  for (std::size_t base = blockIdx.x * of_block; base < count; base += gridDim.x * of_block) {
    unsigned wanted = 0;
#pragma unroll
    for (unsigned k = 0; k < slots_a_turn; ++k) {
      const std::size_t i = base + k * threads_a_block + threadIdx.x;
      if (i >= count) continue;
      const auto v = static_cast<typename P::id>(first + i);
      wanted |= static_cast<unsigned>(p.is_root(v, p.load(v)) == Roots) << k;
    }
    std::uint32_t at = block_places(length, static_cast<unsigned>(__popc(wanted)));
    for (; wanted != 0; wanted &= wanted - 1) {
      const std::size_t k = static_cast<unsigned>(__ffs(static_cast<int>(wanted)) - 1);
      list[at++] = static_cast<std::uint32_t>(first + base + k * threads_a_block + threadIdx.x);
    }
  }
}

template <class P>
__global__ void __launch_bounds__(threads_a_block) list_roots(P p, std::size_t n, std::uint32_t* roots, slot_counts* counts) {
  list_vertices<true>(p, 0, n, roots, &counts->roots);
}
/// Lists those of the last k vertices that are not roots, where k is the number of roots. They are as many as the roots among the first
/// n - k vertices.
template <class P>
__global__ void __launch_bounds__(threads_a_block) list_movers(P p, std::size_t n, std::uint32_t* movers, slot_counts* counts) {
  const std::size_t k = counts->roots;
  list_vertices<false>(p, n - k, k, movers, &counts->movers);
}
template <class Edge>
__global__ void __launch_bounds__(threads_a_block)
    fill_slots(Edge* slots, std::size_t n, const std::uint32_t* roots, const std::uint32_t* movers, slot_counts* counts) {
  const std::size_t k = counts->roots, stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x; base < k; base += stride) {
    const std::size_t i = base + threadIdx.x;
    const bool fills = i < k && roots[i] < n - k;
    const std::uint32_t at = block_places(&counts->filled, fills ? 1 : 0);
    if (fills) slots[roots[i]] = slots[movers[at]];
  }
}

/// Enqueues the kernels after which the first n - counts->roots of the n slots hold the edges of the forest. `p` reads the parents of the n
/// vertices. Precondition: n > 0.
template <class P>
void compact_slots(const cuda& loops, P p, std::size_t n, gpu_edge* slots, slot_counts* counts) {
  // A vertex's slot has the edge by which it was linked, so the slots of the k roots are empty. The empty ones among the first n - k slots
  // get the edges of the movers, the vertices among the last k that are not roots: at most min(k, n - k) vertices.
  buffer<std::uint32_t> roots{n, loops.memory()}, movers{n / 2, loops.memory()};
  loops.clear(counts, sizeof(slot_counts));
  const unsigned blocks = loops.blocks_for((n + slots_a_turn - 1) / slots_a_turn);
  loops.before_launch();
  list_roots<<<blocks, threads_a_block, 0, loops.stream()>>>(p, n, roots.data(), counts);
  loops.launched();
  list_movers<<<blocks, threads_a_block, 0, loops.stream()>>>(p, n, movers.data(), counts);
  loops.launched();
  fill_slots<<<blocks, threads_a_block, 0, loops.stream()>>>(slots, n, roots.data(), movers.data(), counts);
  loops.launched();
}

/// Returns the edges of the forest, compacted. slots[v] has the edge by which v was linked, if v is no root; `p` reads the parents of the n
/// vertices. Waits for all earlier loops.
template <class P>
buffer<gpu_edge> collect_slots(const cuda& loops, P p, std::size_t n, buffer<gpu_edge> slots) {
  if (n == 0) return slots;
  buffer<slot_counts> counts{1, loops.memory()};
  compact_slots(loops, p, n, slots.data(), counts.data());
  slots.shrink(n - loops.fetched(counts.data()).roots);
  return slots;
}

}  // namespace copse::backend
