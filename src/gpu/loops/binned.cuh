// ECL-CC's schedule on a GPU (Jaiganesh, thesis 2017, section 4.2), for visit() with a guided backend: three kernels by the degree of
// vertices. The first walks short rows by one thread each and fills the double-sided worklist, an array of n words that holds the
// vertices of medium degree from the front and those of high degree from the rear. The second kernel assigns the vertices at the front to
// warps, the third assigns those at the rear to blocks; each warp or block takes its next vertex by an atomic addition. (The default
// schedule, visit.cuh, cuts the rows of hubs into pieces instead.)
#pragma once
#include <copse/memory.hpp>
#include <gpu/loops/visit.cuh>
#include <loops/host_loops.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::backend {

/// The thresholds of ECL-CC (Jaiganesh, thesis 2017): the most arcs of a row that one thread walks, and the most that one warp walks.
inline constexpr std::uint64_t binned_thread_arcs = 16, binned_warp_arcs = 352;

/// A list of vertices that grows from both ends: from the front by those whose rows are walked by one warp each, from the rear by those
/// whose rows are walked by one block each. `counts` has the number of vertices at the front and at the rear, and how many of each have
/// been taken.
template <class Id>
struct double_sided_worklist {
  Id* vertices;
  std::size_t capacity;
  unsigned long long* counts;

  [[nodiscard]] __device__ unsigned long long& front() const { return counts[0]; }
  [[nodiscard]] __device__ unsigned long long& rear() const { return counts[1]; }
  [[nodiscard]] __device__ unsigned long long& taken_front() const { return counts[2]; }
  [[nodiscard]] __device__ unsigned long long& taken_rear() const { return counts[3]; }

  __device__ void push_front(Id v) const { vertices[atomicAdd(&front(), 1ull)] = v; }
  __device__ void push_rear(Id v) const { vertices[capacity - 1 - atomicAdd(&rear(), 1ull)] = v; }
};

template <class Id, class Step>
__global__ void __launch_bounds__(threads_a_block) walk_by_threads(row_steps<Id> steps, double_sided_worklist<Id> list, Step step) {
  const std::size_t n = steps.rows.vertices(), stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    const Id v = static_cast<Id>(i);
    const std::uint64_t first = steps.rows.offsets[i], last = steps.rows.offsets[i + 1];
    if (last - first <= binned_thread_arcs) {
      steps.along(v, first, last, 1, step);
    } else if (last - first <= binned_warp_arcs) {
      list.push_front(v);
    } else {
      list.push_rear(v);
    }
  }
}

template <class Id, class Step>
__global__ void __launch_bounds__(threads_a_block) walk_by_warps(row_steps<Id> steps, double_sided_worklist<Id> list, Step step) {
  constexpr unsigned warp = 32, everyone = 0xFFFFFFFFu;
  const unsigned lane = threadIdx.x % warp;
  const unsigned long long count = list.front();
  if (count == 0) return;
  for (;;) {
    unsigned long long k = 0;
    if (lane == 0) k = atomicAdd(&list.taken_front(), 1ull);
    k = __shfl_sync(everyone, k, 0);
    if (k >= count) return;
    const Id v = list.vertices[k];
    steps.along(v, steps.rows.offsets[v] + lane, steps.rows.offsets[std::size_t{v} + 1], warp, step);
    __syncwarp();
  }
}

template <class Id, class Step>
__global__ void __launch_bounds__(threads_a_block) walk_by_blocks(row_steps<Id> steps, double_sided_worklist<Id> list, Step step) {
  __shared__ unsigned long long turn;
  const unsigned long long count = list.rear();
  if (count == 0) return;
  for (;;) {
    if (threadIdx.x == 0) turn = atomicAdd(&list.taken_rear(), 1ull);
    __syncthreads();
    const unsigned long long k = turn;
    __syncthreads();  // every thread has read `turn`, the row that the block walks, before it is written again
    if (k >= count) return;
    const Id v = list.vertices[list.capacity - 1 - k];
    steps.along(v, steps.rows.offsets[v] + threadIdx.x, steps.rows.offsets[std::size_t{v} + 1], blockDim.x, step);
  }
}

/// The body of a loop over all vertices i, one thread each: calls f(v, first, last) with the vertex v = i and the range of its row's arcs.
template <class Id, class F>
struct step_along_whole_row {
  any_rows<Id> rows;
  F f;
  __device__ void operator()(std::size_t i) const { f(static_cast<Id>(i), rows.offsets[i], rows.offsets[i + 1]); }
};

template <>
class guided<cuda> {
public:
  explicit guided(const cuda& loops) noexcept : loops_{loops} {}
  [[nodiscard]] const cuda& loops() const noexcept { return loops_; }

  /// Calls f(v, first, last) for every whole row, by one thread per row.
  template <class Id, class F>
  void for_row_pieces(const any_rows<Id>& g, F f) const {
    loops_.for_each(g.vertices(), step_along_whole_row<Id, F>{g, f});
  }

private:
  const cuda& loops_;
};

/// Precondition: the graph is given as rows, and every arc is to be visited. A row of a symmetric graph is assigned to a thread, a warp or
/// a block by the number of all its arcs, though only arcs to smaller vertices are visited, as in ECL-CC.
template <class Id, class Label, class Step>
void visit(const guided<cuda>& schedule, const arc_set<Id>& set, Label /*label*/, Step step) {
  const cuda& loops = schedule.loops();
  const std::size_t n = set.vertices;
  if (n == 0) return;
  buffer<Id> vertices{n, loops.memory()};
  buffer<unsigned long long> counts{4, loops.memory()};
  loops.clear(counts.data(), counts.size() * sizeof(unsigned long long));
  const double_sided_worklist<Id> list{vertices.data(), n, counts.data()};
  const row_steps<Id> steps{set.rows, set.rows.symmetric};
  loops.before_launch();
  walk_by_threads<<<loops.blocks_for(n), threads_a_block, 0, loops.stream()>>>(steps, list, step);
  loops.launched();
  if (set.rows.arcs <= binned_thread_arcs) return;
  walk_by_warps<<<loops.blocks_for(n), threads_a_block, 0, loops.stream()>>>(steps, list, step);
  loops.launched();
  walk_by_blocks<<<loops.blocks_for(n), threads_a_block, 0, loops.stream()>>>(steps, list, step);
  loops.launched();
}

}  // namespace copse::backend
