// The memory that the kernels of a weighted forest on a GPU work in, and how the arcs of the forest are copied out of it.
#pragma once
#include <copse/extend/host_device.hpp>
#include <gpu/steps/device_list.cuh>
#include <weighted/cuda/search.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::weighted {

using backend::warp_threads, backend::warps_a_block, backend::whole_warp, backend::threads_a_block;

inline constexpr std::uint32_t no_arc = ~std::uint32_t{0};
inline constexpr unsigned long long no_rank = ~0ull;  ///< comes after the ranks of all edges
inline constexpr unsigned arcs_of_mark = 256;         ///< the row of every 256th arc is noted in `marks`

/// The rank of an edge in the order of edges: by key, then by the arc of the smaller end. As rows are sorted, these arcs are in the order
/// of (smaller end, larger end).
COPSE_HOST_DEVICE inline unsigned long long rank_of(std::uint32_t key, std::uint32_t arc) {
  return static_cast<unsigned long long>(key) << 32 | arc;
}

/// An edge that may join two trees. Its ends are vertices first, and later the numbers of their trees.
struct candidate {
  std::uint32_t u, v;
  std::uint32_t key, arc;
  [[nodiscard]] COPSE_HOST_DEVICE unsigned long long rank() const { return rank_of(key, arc); }
};

/// A part of a long row, for one warp.
struct keyed_row_piece {
  std::uint32_t end;  ///< the vertex of the row, or the tree of that vertex
  std::uint64_t first, last;
};

inline constexpr std::uint64_t piece_arcs = 2048;

struct forest_counters {
  unsigned candidates[2];
  unsigned pieces;
  unsigned deep;        ///< nonzero if some path to a root is longer than a kernel follows
  std::uint32_t giant;  ///< the tree with most vertices; no_vertex if there is none
  unsigned selected;    ///< how many elements CUB's last selection has; in ecl_mst, how many edges the forest has so far
  /// a tree that does not choose an edge in this round, because too many edges of the list touch it; otherwise no_vertex
  std::uint32_t hot;
};

/// The arrays of a search for a minimum spanning forest. The algorithm filter_boruvka first joins each vertex along the first edge of its
/// row, in the order of ranks. It numbers the resulting trees, and joins these along candidates: listed edges that may be between two
/// trees. The algorithm ecl_mst uses only some of the arrays.
struct forest_space {
  std::uint32_t* parents;       ///< per vertex: its parent in a union-find forest
  std::uint32_t* links;         ///< per vertex: the arc by which it joined its parent; no_arc for roots
  std::uint32_t* smaller;       ///< per vertex: how many of its targets are not larger than itself
  std::uint32_t* trees;         ///< per vertex: the number of its tree, an index into the arrays per tree
  std::uint32_t* giant_bits;    ///< a bit for each vertex: set if it is in the giant
  std::uint32_t* marks;         ///< the row of every arcs_of_mark-th arc; may be null
  std::uint32_t* tree_parents;  ///< per numbered tree: its parent in a union-find forest of trees
  std::uint32_t* tree_links;    ///< per tree: the arc by which it joined its parent tree; no_arc for roots
  unsigned long long* best;     ///< per tree: the rank of the first candidate that leaves it
  unsigned long long* samples;  ///< sorted ranks of some edges
  candidate* candidates[2];     ///< two lists, used in turns
  keyed_row_piece* pieces;
  forest_counters* counters;
  unsigned room;  ///< the number of candidates that a list has room for
};

/// Cuts a long row into pieces, one for each warp, and appends them to the list of pieces.
__device__ inline void put_pieces(const forest_space& space, std::uint32_t end, std::uint64_t first, std::uint64_t last) {
  unsigned place = atomicAdd(&space.counters->pieces, static_cast<unsigned>((last - first + piece_arcs - 1) / piece_arcs));
  for (; first < last; first += piece_arcs) space.pieces[place++] = {end, first, last - first < piece_arcs ? last : first + piece_arcs};
}

/// Collects the candidates of a warp in shared memory, and appends them to a list in global memory. If it were a member of a struct that
/// holds the shared memory, nvcc 13.0 would take the list for shared memory, too.
using candidate_appender = backend::warp_appender<candidate>;
[[nodiscard]] __device__ inline backend::device_list<candidate> list_of(const forest_space& space, unsigned which) {
  return {space.candidates[which], &space.counters->candidates[which], space.room};
}

// The arcs by which vertices and trees were joined, converted to arcs from the smaller ends of their edges.

struct is_link {
  __device__ bool operator()(std::uint32_t arc) const { return arc != no_arc; }
};

/// Returns the first position in [first, last) for which `before` is false.
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

/// Returns the row of an arc by binary search. space.marks, which has the row of every arcs_of_mark-th arc, bounds the search by the rows
/// of the nearest such arcs before and behind it; if it is null, all rows are searched.
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
    // In the row of the smaller end, several parallel edges may lead to `source`: take the first one with the same key.
    const std::uint64_t last = rows.offsets[std::size_t{target} + 1];
    std::uint64_t at = first_place(rows.offsets[target], last, [&](std::uint64_t i) { return rows.targets[i] < source; });
    while (at + 1 < last && rows.keys[at] != rows.keys[arc]) ++at;
    arcs[k] = static_cast<std::uint32_t>(at);
  }
};

/// Writes both ends of arc arcs[k] to edges[k]: the vertex of its row, and its target.
struct note_ends {
  keyed_rows rows;
  forest_space space;
  const std::uint32_t* arcs;
  edge<std::uint32_t>* edges;
  __device__ void operator()(std::size_t k) const { edges[k] = {source_of(rows, space, arcs[k]), rows.targets[arcs[k]]}; }
};

}  // namespace copse::weighted
