// Finds vertices of highest degree on a GPU, as loops/by_degree.hpp does on the CPU: threads combine their results by an atomic maximum of
// degree and vertex; the smallest vertex wins a tie.
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/loops/row_walks.cuh>
#include <gpu/steps/device_list.cuh>
#include <loops/by_degree.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory_resource>

namespace copse::backend {

struct offer_degree {
  any_rows<std::uint32_t> rows;
  random_stream random;
  unsigned long long* best;
  __device__ void operator()(std::size_t k) const {
    const auto v = static_cast<std::uint32_t>(random.below(k, rows.vertices()));
    const std::uint64_t degree = rows.degree(v), most = no_vertex<std::uint32_t>;
    // the degree in the upper half, no_vertex - v in the lower one: of several vertices of the highest degree the smallest wins
    atomicMax(best, static_cast<unsigned long long>((degree < most ? degree : most) << 32 | (most - v)));
  }
};

inline std::uint32_t busiest_of(const cuda& loops, const any_rows<std::uint32_t>& rows, unsigned samples, random_stream random) {
  if (samples == 0) return 0;
  buffer<unsigned long long> best{1, loops.memory()};
  loops.clear(best.data(), sizeof(unsigned long long));
  loops.for_each(samples, offer_degree{rows, random, best.data()});
  return no_vertex<std::uint32_t> - static_cast<std::uint32_t>(loops.fetched(best.data()));
}

/// The degree in the upper 32 bits, and no_vertex minus the vertex in the lower ones, so that the maximum prefers smaller vertices. 0 means
/// no vertex yet.
using degree_key = unsigned long long;

struct heaviest_walk {
  using id = std::uint32_t;
  any_rows<id> rows;
  degree_key* found;

  [[nodiscard]] __device__ std::size_t size() const { return rows.vertices(); }
  __device__ id row(std::size_t i, std::uint64_t& first, std::uint64_t& last) const {
    first = rows.offsets[i];
    last = rows.offsets[i + 1];
    if (last - first >= long_row_arcs) found[i] = 0;
    return static_cast<id>(i);
  }
  __device__ void along(id v, std::uint64_t first, std::uint64_t last, unsigned stride) const {
    degree_key best = 0;
    for (std::uint64_t a = first; a < last; a += stride) {
      const id target = rows.targets[a];
      const std::uint64_t degree = rows.degree(target), most = no_vertex<id>;
      const degree_key key = (degree < most ? degree : most) << 32 | (no_vertex<id> - target);
      best = key > best ? key : best;
    }
    if (stride == 1) {
      found[v] = best;
      return;
    }
    for (unsigned step = warp_threads / 2; step != 0; step /= 2) {
      const degree_key other = __shfl_xor_sync(whole_warp, best, step);
      best = other > best ? other : best;
    }
    if (threadIdx.x % warp_threads != 0) return;
    if (stride == warp_threads) {
      found[v] = best;
    } else {
      atomicMax(found + v, best);
    }
  }
};
struct name_heaviest {
  using id = std::uint32_t;
  any_rows<id> rows;
  const degree_key* found;
  id* heaviest;
  __device__ void operator()(std::size_t i) const {
    const auto v = static_cast<id>(i);
    heaviest[v] = rows.degree(v) == 0 ? v : no_vertex<id> - static_cast<id>(found[v]);
  }
};

/// Returns the neighbour of highest degree of every vertex, and a vertex without arcs itself. Rows are scheduled by their length.
template <std::derived_from<cuda> Backend>
buffer<std::uint32_t> heaviest_neighbours(const Backend& on_gpu, const any_rows<std::uint32_t>& rows, std::pmr::memory_resource* memory) {
  const cuda& loops = on_gpu;
  buffer<std::uint32_t> heaviest{rows.vertices(), memory};
  buffer<degree_key> found{rows.vertices(), memory};
  walk_all<std::uint32_t>(loops, rows.vertices(), rows.arcs, heaviest_walk{rows, found.data()});
  loops.for_each(rows.vertices(), name_heaviest{rows, found.data(), heaviest.data()});
  return heaviest;
}

}  // namespace copse::backend
