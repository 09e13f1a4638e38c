// The arcs by which vertices and trees joined, as arcs from the smaller ends of their edges.
#pragma once
#include <weighted/cuda/space.cuh>

namespace copse::weighted {

struct is_link {
  __device__ bool operator()(std::uint32_t arc) const { return arc != no_arc; }
};

/// The first place of [first, last) for which `before` does not hold.
template <class Before>
__device__ std::uint64_t first_place(std::uint64_t first, std::uint64_t last, Before before) {
  while (first < last) {
    const std::uint64_t middle = (first + last) / 2;
    if (before(middle)) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

/// The row that an arc is in. Without marks all rows are searched.
__device__ inline std::uint32_t source_of(const keyed_rows& rows, const forest_space& space, std::uint32_t arc) {
  const std::uint64_t mark = arc / arcs_of_mark, next = mark + 1;
  const bool marked = space.marks != nullptr;
  const std::uint64_t first = marked ? space.marks[mark] : 0;
  const std::uint64_t beyond = marked && next * arcs_of_mark < rows.arcs ? space.marks[next] + 1 : rows.vertices();
  const auto begins_before = [&](std::uint64_t v) { return rows.offsets[v + 1] <= arc; };
  return static_cast<std::uint32_t>(first_place(first, beyond, begins_before));
}

struct turn_to_smaller_end {
  keyed_rows rows;
  forest_space space;
  std::uint32_t* arcs;
  __device__ void operator()(std::size_t k) const {
    const std::uint32_t arc = arcs[k], target = rows.targets[arc], source = source_of(rows, space, arc);
    if (source < target) return;
    // Of parallel edges the first with the smallest key is meant, as in the row of the larger end.
    const std::uint64_t last = rows.offsets[std::size_t{target} + 1];
    std::uint64_t at = first_place(rows.offsets[target], last, [&](std::uint64_t i) { return rows.targets[i] < source; });
    while (at + 1 < last && rows.keys[at] != rows.keys[arc]) ++at;
    arcs[k] = static_cast<std::uint32_t>(at);
  }
};

/// For each arc that was found.
struct note_ends {
  keyed_rows rows;
  forest_space space;
  const std::uint32_t* arcs;
  edge<std::uint32_t>* edges;
  __device__ void operator()(std::size_t k) const { edges[k] = {source_of(rows, space, arcs[k]), rows.targets[arcs[k]]}; }
};

}  // namespace copse::weighted
