// The GPU's part of a hybrid solve, on any device: a GPU (cuda/gpu_part_kernels.cu), or in tests threads of the CPU. It has two forms,
// which treat arcs across the cut differently: keeping_gpu_part.hpp and contracting_gpu_part.hpp. The calls of both are, in order:
// make_room, load, split, inside (whose graph the caller solves), take its labels, join; give() may come from another thread, between split
// and join.
//
// `Device` runs loops on the device and reaches arrays in its memory:
//   backend_type, loops()       as in src/loops
//   memory()                    the device's memory resource
//   walk(rows, arcs, walk)      walk.along(walk.row(i, first, last), first, last, stride) for every i < rows, some threads per row
//   sum_up(counts, items)       counts[i] becomes the sum of those before it, items + 1 entries
//   upload(to, from, bytes)     from host memory, concurrently with the loops; done when it returns
//   fetched(from)               one value, read after all loops
//   wait()                      returns when all loops have ended
#pragma once
#include <copse/views.hpp>
#include <hybrid/gpu_part_rows.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::hybrid {

/// Rows of the first `count` vertices, which begin at arc 0 and have both directions of every edge among them.
template <class Offset>
backend::arc_set<std::uint32_t> rows_of(const Offset* offsets, const std::uint32_t* targets, std::size_t count, std::uint64_t arcs,
                                        bool sorted) {
  const std::size_t ends = count == 0 ? 0 : count + 1;
  return backend::arc_set<std::uint32_t>{
      csr_view<std::uint32_t, Offset>{{offsets, ends}, {targets, static_cast<std::size_t>(arcs)}, symmetry::yes, sorted}};
}

/// The whole graph: a GPU part with the cut at 0, whose rows are unchanged.
inline backend::arc_set<std::uint32_t> whole_graph(const gpu_part_rows<std::uint32_t>& part) {
  const void* const offsets = part.offsets.data();
  return part.offsets.width_bytes() == 8
             ? rows_of(static_cast<const std::uint64_t*>(offsets), part.targets, part.count, part.arcs, part.sorted)
             : rows_of(static_cast<const std::uint32_t*>(offsets), part.targets, part.count, part.arcs, part.sorted);
}

}  // namespace copse::hybrid
