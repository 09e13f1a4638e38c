// Kernels of incremental connectivity. A thread takes four edges at once, so that the eight gathers of their parents are under way
// together; most edges of most streams end in one tree by then and are done. The others are united by Union-Async with halving, whose loads
// may be old (parents/device.cuh): what is read was a parent once, and a link is a swap.
#pragma once
#include <copse/graph/coo.hpp>
#include <copse/parents/device.cuh>
#include <copse/rules/find/halve.hpp>
#include <copse/rules/unite/async.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::drivers {

using gpu_id = std::uint32_t;
using gpu_edge = edge<gpu_id>;
using gpu_parents = parents::cached<gpu_id>;
static_assert(sizeof(gpu_edge) == sizeof(uint2));

/// What kernels found out, read by the host when it waits.
struct gpu_tally {
  unsigned long long links;    ///< roots that became children
  unsigned long long refused;  ///< edges with an id that is no vertex
};

/// How many edges a batch in a captured graph has; they follow.
struct alignas(16) staged_header {
  unsigned long long count;
};

struct count_link {
  unsigned* links;
  __device__ void operator()(gpu_id, gpu_id) const { ++*links; }
};

__device__ inline void add_to(unsigned long long* sum, unsigned part) {
  const unsigned of_warp = __reduce_add_sync(0xffffffffu, part);
  if (threadIdx.x % 32 == 0 && of_warp != 0) atomicAdd(sum, of_warp);
}

/// By all threads of the grid, which are whole warps.
__device__ inline void insert_pairs(const gpu_edge* pairs, std::size_t count, gpu_parents p, gpu_id vertices, gpu_tally* tally) {
  constexpr int at_once = 4;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  unsigned links = 0, refused = 0;
  for (std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; first < count; first += at_once * threads) {
    gpu_id u[at_once], v[at_once], above_u[at_once], above_v[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      const std::size_t i = first + k * threads;
      const uint2 e =
          i < count ? __ldcs(reinterpret_cast<const uint2*>(pairs) + i) : uint2{0, 0};  // read once: leave the caches to parents
      const bool good = e.x < vertices && e.y < vertices;
      refused += !good;
      u[k] = good ? e.x : 0;
      v[k] = good ? e.y : 0;
    }
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      above_u[k] = p.load(u[k]);
      above_v[k] = p.load(v[k]);
    }
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      if (above_u[k] != above_v[k]) unite::async<find::halve>{}(p, u[k], v[k], count_link{&links});
    }
  }
  add_to(&tally->links, links);
  add_to(&tally->refused, refused);
}

__global__ void __launch_bounds__(256)
    insert_batch_kernel(const gpu_edge* pairs, std::size_t count, gpu_parents p, gpu_id vertices, gpu_tally* tally) {
  insert_pairs(pairs, count, p, vertices, tally);
}
/// The number of edges is not known when the graph is captured: it is copied with them.
__global__ void __launch_bounds__(256) insert_staged_kernel(const staged_header* staged, gpu_parents p, gpu_id vertices, gpu_tally* tally) {
  insert_pairs(reinterpret_cast<const gpu_edge*>(staged + 1), staged->count, p, vertices, tally);
}

/// Precondition: nothing is inserted meanwhile. A warp makes 32 answers, one word.
__global__ void __launch_bounds__(256)
    query_kernel(const gpu_edge* pairs, std::size_t count, gpu_parents p, gpu_id vertices, std::uint32_t* answers) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x, whole = (count + 31) / 32 * 32;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < whole; i += threads) {
    const gpu_edge e = i < count ? pairs[i] : gpu_edge{0, vertices};
    const bool known = e.u < vertices && e.v < vertices;
    const bool same = i < count && (e.u == e.v || (known && find::halve{}(p, e.u) == find::halve{}(p, e.v)));
    const unsigned word = __ballot_sync(0xffffffffu, same);
    if (i % 32 == 0) answers[i / 32] = word;
  }
}

struct plant_roots {
  gpu_parents p;
  gpu_id first;
  __device__ void operator()(std::size_t i) const { p.store(first + static_cast<gpu_id>(i), first + static_cast<gpu_id>(i)); }
};

}  // namespace copse::drivers
