// The GPU's part of a hybrid solve: the rows from the cut on, and the loop bodies that separate their arcs. Arcs that stay inside the part
// are copied to new rows, whose vertices are numbered from 0. The other arcs lead to vertices below the cut, and stay in place. A sorted
// row begins with these, so a search finds their end. The rows of the CPU's part have the same edges in the other direction and are not
// needed.
//
// The part is solved on a device: a GPU (cuda/gpu_part_kernels.cu), or in tests threads of the CPU. There are two classes for it, which
// treat arcs across the cut differently: keeping_gpu_part.hpp and contracting_gpu_part.hpp. The functions of both are called in this order:
// make_room, load, split, inside (whose graph the caller solves), take (with its labels), join; give() may be called by another thread,
// between split and join.
//
// `Device` runs loops on the device and accesses arrays in its memory:
//   backend_type, loops()       as in src/loops
//   memory()                    the device's memory resource
//   walk(rows, arcs, walk)      calls walk.along(walk.row(i, first, last), first, last, stride) for every i < rows, by some threads per row
//   sum_up(counts, items)       sets counts[i] to the sum of the counts before it, for items + 1 entries
//   upload(to, from, bytes)     copies from host memory, concurrently with the loops; the copy is complete when it returns
//   fetched(from)               returns one value, read after all loops
//   wait()                      returns when all loops have ended
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <loops/arcs.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::hybrid {

/// The rows of the GPU's part in a device's memory; row i is the row of vertex cut + i.
template <class Id>
struct gpu_part_rows {
  typename backend::any_rows<Id>::offset_array offsets;  ///< count + 1 offsets
  const Id* targets = nullptr;                           ///< arc a of the graph is targets[a - first_arc]
  std::uint64_t first_arc = 0, arcs = 0;
  Id cut = 0, count = 0;
  bool sorted = false;

  [[nodiscard]] COPSE_HOST_DEVICE Id target(std::uint64_t a) const noexcept { return targets[a - first_arc]; }
  /// Returns the first arc of [first, last), a range of a sorted row, whose target is inside the part, or last if there is none.
  [[nodiscard]] COPSE_HOST_DEVICE std::uint64_t first_inside(std::uint64_t first, std::uint64_t last) const noexcept {
    return first_arc + backend::end_of_smaller(targets, first - first_arc, last - first_arc, cut);
  }
};

/// The answer of the CPU: labels of the vertices of its part, which are those below the cut, and the edges among these vertices that the
/// labels do not take into account.
struct cpu_answer {
  std::span<const std::uint32_t> labels;
  buffer<edge<std::uint32_t>> between;
};

/// Sets counts[i] to the number of arcs of row i that stay inside the part.
template <class Id>
struct count_inside {
  gpu_part_rows<Id> rows;
  std::uint64_t* counts;

  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept {
    const std::uint64_t first = rows.offsets[i], last = rows.offsets[i + 1];
    std::uint64_t count = 0;
    if (rows.sorted) {
      count = last - rows.first_inside(first, last);
    } else {
      for (std::uint64_t a = first; a < last; ++a) count += rows.target(a) >= rows.cut;
    }
    counts[i] = count;
  }
};

/// A walk over sorted rows that copies the arcs inside the part to the positions that `offsets`, the prefix sums of their counts, gives.
template <class Id>
struct copy_inside {
  gpu_part_rows<Id> rows;
  const std::uint64_t* offsets;
  Id* to;

  [[nodiscard]] COPSE_HOST_DEVICE std::size_t size() const noexcept { return rows.count; }
  COPSE_HOST_DEVICE Id row(std::size_t i, std::uint64_t& first, std::uint64_t& last) const noexcept {
    last = rows.offsets[i + 1];
    first = last - (offsets[i + 1] - offsets[i]);
    return static_cast<Id>(i);
  }
  COPSE_HOST_DEVICE void along(Id i, std::uint64_t first, std::uint64_t last, unsigned stride) const noexcept {
    const std::size_t next = std::size_t{i} + 1;
    // The copied arcs are the last ones of the row. So what an arc's index changes by is the end of the row's copy minus the end of the
    // row.
    const std::uint64_t shift = offsets[next] - rows.offsets[next];
    for (std::uint64_t a = first; a < last; a += stride) to[a + shift] = rows.target(a) - rows.cut;
  }
};

/// Copies the arcs of a row that stay inside the part, in their order, by one thread. The row need not be sorted.
template <class Id>
struct filter_inside {
  gpu_part_rows<Id> rows;
  const std::uint64_t* offsets;
  Id* to;

  COPSE_HOST_DEVICE void operator()(std::size_t i) const noexcept {
    std::uint64_t next = offsets[i];
    for (std::uint64_t a = rows.offsets[i], last = rows.offsets[i + 1]; a < last; ++a) {
      if (const Id target = rows.target(a); target >= rows.cut) to[next++] = target - rows.cut;
    }
  }
};

/// Returns a view of the rows of the first `count` vertices, which begin at arc 0 and have both directions of every edge among these
/// vertices.
template <class Offset>
backend::arc_set<std::uint32_t> rows_of(const Offset* offsets, const std::uint32_t* targets, std::size_t count, std::uint64_t arcs,
                                        bool sorted) {
  const std::size_t ends = count == 0 ? 0 : count + 1;
  return backend::arc_set<std::uint32_t>{
      csr_view<std::uint32_t, Offset>{{offsets, ends}, {targets, static_cast<std::size_t>(arcs)}, symmetry::yes, sorted}};
}

/// Returns a view of the rows of the GPU's part as a graph. Precondition: the part begins at vertex 0 (cut), so it is the whole graph.
inline backend::arc_set<std::uint32_t> whole_graph(const gpu_part_rows<std::uint32_t>& part) {
  const void* const offsets = part.offsets.data();
  return part.offsets.width_bytes() == 8
             ? rows_of(static_cast<const std::uint64_t*>(offsets), part.targets, part.count, part.arcs, part.sorted)
             : rows_of(static_cast<const std::uint32_t*>(offsets), part.targets, part.count, part.arcs, part.sorted);
}

}  // namespace copse::hybrid
