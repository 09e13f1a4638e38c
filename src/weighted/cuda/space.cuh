// What the kernels of a weighted forest on a GPU work on.
#pragma once
#include <copse/extend/host_device.hpp>
#include <gpu/steps/device_list.cuh>
#include <weighted/cuda/search.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::weighted {

using backend::warp_threads, backend::warps_a_block, backend::whole_warp, backend::threads_a_block;

inline constexpr std::uint32_t no_arc = ~std::uint32_t{0};
inline constexpr unsigned long long no_rank = ~0ull;  ///< after all edges
inline constexpr unsigned arcs_of_mark = 256;         ///< arcs between two places whose rows are noted

/// The order of edges: by key, then by the arc of the smaller end. As rows are sorted, places of these arcs are in the order of (smaller
/// end, larger end).
COPSE_HOST_DEVICE inline unsigned long long rank_of(std::uint32_t key, std::uint32_t arc) {
  return static_cast<unsigned long long>(key) << 32 | arc;
}

/// An edge that may join two trees. Its ends are vertices first, and the numbers of their trees later.
struct candidate {
  std::uint32_t u, v;
  std::uint32_t key, arc;
  [[nodiscard]] COPSE_HOST_DEVICE unsigned long long rank() const { return rank_of(key, arc); }
};

/// A part of a long row, for one warp.
struct row_piece {
  std::uint32_t end;  ///< its vertex, or the tree of that
  std::uint64_t first, last;
};

inline constexpr std::uint64_t piece_arcs = 2048;

struct forest_counters {
  unsigned candidates[2];
  unsigned pieces;
  unsigned deep;        ///< some vertex has not reached its root yet
  std::uint32_t giant;  ///< the tree of most vertices, or no vertex
  unsigned selected;    ///< by CUB's last selection
  std::uint32_t hot;    ///< a tree at so many edges of the list that it does not choose in this round, or no vertex
};

/// Vertices join once, by the first edges of their rows. The trees that this makes are numbered, and join by candidates.
struct forest_space {
  std::uint32_t* parents;       ///< per vertex
  std::uint32_t* links;         ///< per vertex, then per tree: the arc by which it joined its parent; no_arc for roots
  std::uint32_t* smaller;       ///< per vertex: how many of its targets are not larger than itself
  std::uint32_t* trees;         ///< per vertex: its tree
  std::uint32_t* giant_bits;    ///< per vertex a bit: it is in the giant
  std::uint32_t* marks;         ///< the row of every arcs_of_mark-th arc; may be null
  std::uint32_t* tree_parents;  ///< per tree
  std::uint32_t* tree_links;    ///< per tree, as links
  unsigned long long* best;     ///< per tree: rank of the first candidate that leaves it
  unsigned long long* samples;  ///< sorted ranks of some edges
  candidate* candidates[2];     ///< two lists, used in turns
  row_piece* pieces;
  forest_counters* counters;
  unsigned room;  ///< for candidates
};

/// A long row, cut up into pieces.
__device__ inline void put_pieces(const forest_space& space, std::uint32_t end, std::uint64_t first, std::uint64_t last) {
  unsigned place = atomicAdd(&space.counters->pieces, static_cast<unsigned>((last - first + piece_arcs - 1) / piece_arcs));
  for (; first < last; first += piece_arcs) space.pieces[place++] = {end, first, last - first < piece_arcs ? last : first + piece_arcs};
}

/// Not a member of a struct that holds the shared memory: nvcc 13.0 takes the list itself for shared memory then.
using candidate_appender = backend::warp_appender<candidate>;
[[nodiscard]] __device__ inline backend::device_list<candidate> list_of(const forest_space& space, unsigned which) {
  return {space.candidates[which], &space.counters->candidates[which], space.room};
}

}  // namespace copse::weighted
