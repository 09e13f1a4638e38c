// The facts are measured in one pass over the arcs, of which all threads take equal shares. Each thread first searches for the row of its
// first arc.
#include <copse/memory.hpp>
#include <gpu/loops/row_facts.hpp>
#include <gpu/runtime/gpu.hpp>
#include <graph/direction_sum.hpp>

#include <algorithm>

namespace copse::backend {
namespace {

using id = std::uint32_t;
using word = unsigned long long;

constexpr unsigned threads = 256, most_blocks = 1 << 14;
constexpr word arcs_a_turn = 16, none = ~word{0};

struct row_findings {
  word first_bad;
  word unsorted;
  word loops;
  word up_first, up_second, down_first, down_second;
};

template <class Offset>
__global__ void __launch_bounds__(threads) judge_offsets(const Offset* offsets, word vertices, word arcs, row_findings* found) {
  const word stride = word{gridDim.x} * blockDim.x;
  for (word i = word{blockIdx.x} * blockDim.x + threadIdx.x; i <= vertices; i += stride) {
    const word value = offsets[i];
    const bool good = value <= arcs && (i == 0 ? value == 0 : value >= offsets[i - 1]) && (i < vertices || value == arcs);
    if (!good) atomicMin(&found->first_bad, i);
  }
}

__global__ void __launch_bounds__(threads) judge_edges(const edge<id>* edges, word count, id vertices, row_findings* found) {
  const word stride = word{gridDim.x} * blockDim.x;
  for (word i = word{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    if (edges[i].u >= vertices || edges[i].v >= vertices) atomicMin(&found->first_bad, i);
  }
}

/// Returns the sum of `mine` over the threads of a warp in its first thread. All threads of the warp must call it.
__device__ word warp_sum(word mine) {
  for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_down_sync(0xFFFFFFFFu, mine, distance);
  return mine;
}
/// Adds the sum of `mine` over the threads of a warp to `to`. All threads of the warp must call it.
__device__ void add_up(word* to, word mine) {
  const word sum = warp_sum(mine);
  if (threadIdx.x % 32 == 0 && sum != 0) atomicAdd(to, sum);
}

template <class Offset>
__global__ void __launch_bounds__(threads)
    inspect_arcs(const Offset* offsets, const id* targets, id vertices, word arcs, row_findings* found) {
  direction_sum up, down;
  word loops = 0;
  bool sorted = true;
  const word stride = word{gridDim.x} * blockDim.x * arcs_a_turn;
  for (word first = (word{blockIdx.x} * blockDim.x + threadIdx.x) * arcs_a_turn; first < arcs; first += stride) {
    id u = 0;
    for (id beyond = vertices; beyond - u > 1;) {
      const id middle = u + (beyond - u) / 2;
      (offsets[middle] <= first ? u : beyond) = middle;
    }
    const word last = arcs - first < arcs_a_turn ? arcs : first + arcs_a_turn;
    for (word i = first; i < last; ++i) {
      while (offsets[word{u} + 1] <= i) ++u;
      const id v = targets[i];
      if (v >= vertices) {
        atomicMin(&found->first_bad, i);
        break;
      }
      sorted = sorted && (i == offsets[u] || targets[i - 1] <= v);
      if (u < v) up.add(u, v);
      if (u > v) down.add(v, u);
      loops += u == v;
    }
  }
  add_up(&found->unsorted, sorted ? 0 : 1);
  add_up(&found->loops, loops);
  add_up(&found->up_first, up.first);
  add_up(&found->up_second, up.second);
  add_up(&found->down_first, down.first);
  add_up(&found->down_second, down.second);
}

template <class Launch>
row_findings found_by(cudaStream_t stream, std::pmr::memory_resource* memory, word turns, Launch launch) {
  buffer<row_findings> on_device{1, memory};
  checked(cudaMemsetAsync(on_device.data(), 0, sizeof(row_findings), stream), "looking at rows");
  checked(cudaMemsetAsync(&on_device.data()->first_bad, 0xFF, sizeof(word), stream), "looking at rows");
  launch(static_cast<unsigned>(std::clamp<word>((turns + threads - 1) / threads, 1, most_blocks)), on_device.data());
  checked(cudaGetLastError(), "looking at rows");
  row_findings found{};
  checked(cudaMemcpyAsync(&found, on_device.data(), sizeof found, cudaMemcpyDeviceToHost, stream), "looking at rows");
  checked(cudaStreamSynchronize(stream), "looking at rows");
  return found;
}

/// Calls f(offsets), with 32-bit or 64-bit offsets.
template <class F>
void with_offsets(const offsets_on_gpu& offsets, F f) {
  if (offsets.width_bytes() == 8) {
    f(static_cast<const std::uint64_t*>(offsets.data()));
  } else {
    f(static_cast<const std::uint32_t*>(offsets.data()));
  }
}

std::optional<std::uint64_t> position(word first_bad) { return first_bad == none ? std::nullopt : std::optional<std::uint64_t>{first_bad}; }

}  // namespace

std::optional<std::uint64_t> first_bad_offset(cudaStream_t stream, std::pmr::memory_resource* memory, const offsets_on_gpu& offsets,
                                              std::uint32_t vertices, std::uint64_t arcs) {
  const auto found = found_by(stream, memory, word{vertices} + 1, [&](unsigned blocks, row_findings* to) {
    with_offsets(offsets, [&](const auto* first) { judge_offsets<<<blocks, threads, 0, stream>>>(first, vertices, arcs, to); });
  });
  return position(found.first_bad);
}

std::optional<std::uint64_t> first_bad_edge(cudaStream_t stream, std::pmr::memory_resource* memory, std::span<const edge<id>> edges,
                                            std::uint32_t vertices) {
  if (edges.empty()) return std::nullopt;
  const auto found = found_by(stream, memory, edges.size(), [&](unsigned blocks, row_findings* to) {
    judge_edges<<<blocks, threads, 0, stream>>>(edges.data(), edges.size(), vertices, to);
  });
  return position(found.first_bad);
}

gpu_row_facts inspect_on_gpu(cudaStream_t stream, std::pmr::memory_resource* memory, const any_rows<std::uint32_t>& rows) {
  if (rows.arcs == 0) return {};
  const auto found = found_by(stream, memory, (rows.arcs + arcs_a_turn - 1) / arcs_a_turn, [&](unsigned blocks, row_findings* to) {
    with_offsets(rows.offsets, [&](const auto* first) {
      inspect_arcs<<<blocks, threads, 0, stream>>>(first, rows.targets, rows.vertices(), rows.arcs, to);
    });
  });
  const bool symmetric = found.up_first == found.down_first && found.up_second == found.down_second;
  return {position(found.first_bad), found.unsorted == 0, symmetric, found.loops};
}

}  // namespace copse::backend
