// The side of a hybrid solve that has the rest of the vertices, on any device: a GPU (cuda/gpu_part_kernels.cu), or in tests threads of the
// CPU. There are two, by what becomes of arcs across the cut: keeping_gpu_part.hpp and contracting_gpu_part.hpp. Both make_room, load,
// split, solve what inside() is, take its labels, join; give() may come from another thread, between split and join.
//
// `Device` says how loops run there and how arrays of its memory are reached:
//   backend_type, loops()       as everywhere under src/backend
//   memory()                    of the device
//   walk(rows, arcs, walk)      walk.along(walk.row(i, first, last), first, last, stride) for every i < rows, some threads a row
//   sum_up(counts, items)       counts[i] becomes the sum of those before it, items + 1 entries
//   upload(to, from, bytes)     from host memory, beside the loops; all is there when it returns
//   fetched(from)               one value, after all loops
//   wait()                      until all loops have ended
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

/// The whole graph: a rest with the cut at 0, whose rows are as they are.
inline backend::arc_set<std::uint32_t> whole_graph(const gpu_part_rows<std::uint32_t>& rest) {
  const void* const offsets = rest.offsets.data();
  return rest.offsets.width_bytes() == 8
             ? rows_of(static_cast<const std::uint64_t*>(offsets), rest.targets, rest.count, rest.arcs, rest.sorted)
             : rows_of(static_cast<const std::uint32_t*>(offsets), rest.targets, rest.count, rest.arcs, rest.sorted);
}

}  // namespace copse::hybrid
