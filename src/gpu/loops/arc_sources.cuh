// The source vertex of each arc, on a GPU, so that loops over arcs are balanced however long the rows are. O(n + arcs) work, 4 bytes per
// arc.
#pragma once
#include <copse/memory.hpp>
#include <gpu/loops/cuda.cuh>

#include <cub/device/device_scan.cuh>

#include <cstddef>
#include <cstdint>

namespace copse::backend {

template <class Offsets>
struct mark_row_begin {
  Offsets offsets;
  std::uint32_t* sources;
  __device__ void operator()(std::size_t v) const {
    if (offsets[v] != offsets[v + 1]) sources[offsets[v]] = static_cast<std::uint32_t>(v);
  }
};

struct later_vertex {
  __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a < b ? b : a; }
};

/// Returns the source vertex of each arc, from the n + 1 `offsets` of the rows in the memory of the GPU. Enqueues kernels and does not wait
/// for them.
template <class Offsets>
[[nodiscard]] buffer<std::uint32_t> arc_sources(const cuda& loops, Offsets offsets, std::size_t n, std::size_t arcs) {
  buffer<std::uint32_t> sources{arcs, loops.memory()};
  if (arcs == 0) return sources;
  loops.clear(sources.data(), arcs * sizeof(std::uint32_t));
  loops.for_each(n, mark_row_begin<Offsets>{offsets, sources.data()});
  std::size_t bytes = 0;
  const auto run = [&](void* room) {
    checked(cub::DeviceScan::InclusiveScan(room, bytes, sources.data(), sources.data(), later_vertex{}, static_cast<std::int64_t>(arcs),
                                           loops.stream()),
            "naming the rows of arcs");
  };
  run(nullptr);
  buffer<std::byte> room{bytes, loops.memory()};
  run(room.data());
  return sources;
}

}  // namespace copse::backend
