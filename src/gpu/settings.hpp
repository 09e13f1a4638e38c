// Settings of GPU code for units that do not compile against CUDA: the techniques of the papers, each of which can be switched on and off
// for benchmarks, and how memory that the GPU cannot access is copied to and from it.
#pragma once
#include <cstddef>
#include <cstdint>

namespace copse {

/// How a cuda variant walks the rows of a graph: the techniques that the GConn paper adds one at a time (section 3.3, Figure 2). Each value
/// after `base` includes the techniques before it, back to `base`.
enum class gpu_row_loop : std::uint8_t {
  /// Not in the paper: passes are joined, and the host does not wait between them. Vertices are hooked along the first arcs of their rows
  /// by plain stores, and the vertices left without a parent are listed. The finish flattens trees in the pass that lists the vertices
  /// outside the giant. Rules that work in rounds run as with `base`.
  fused,
  /// K-out sampling takes one thread per vertex, and one arc of each row per pass. The finish checks every vertex for being in the giant.
  base,
  coalesced,    ///< CSR coalescing: the first two arcs of a row in one pass, by two adjacent threads, which read adjacent words
  reorganised,  ///< edge reorganisation: two threads read two rows as in `coalesced`, then exchange arcs, so that each has those of one row
  gathered,     ///< vertex gathering: the vertices outside the giant are collected in a list, and the finish walks only their rows
};

/// How passes over a list of edges read each edge.
enum class gpu_edge_load : std::uint8_t {
  words,  ///< loads the two ends of an edge one by one
  pairs,  ///< loads both ends at once as 64 bits (Soman, Kishore, Narayanan 2010), if the list is aligned to 8 bytes
};

/// How a breadth-first search (the sampler bfs or the finish bfs_cc) marks the vertices that it reaches.
enum class gpu_search : std::uint8_t {
  claimed,     ///< by a compare-and-swap, so that each vertex is in a frontier once
  idempotent,  ///< by a plain store: all threads that reach a vertex at the same time append it (Merrill, Garland, Grimshaw 2012)
};

/// Which edges of a list the rules soman, cc and shiloach_vishkin visit in a round.
enum class gpu_round_edges : std::uint8_t {
  all,       ///< all edges (soman skips those whose ends it has found in one tree before)
  filtered,  ///< only edges whose ends were in different trees after the previous round (Gunrock: Wang et al. 2016)
};

struct gpu_techniques {
  gpu_row_loop rows = gpu_row_loop::fused;
  gpu_edge_load edges = gpu_edge_load::words;
  gpu_search search = gpu_search::claimed;
  gpu_round_edges rounds = gpu_round_edges::all;
};

}  // namespace copse

namespace copse::backend {

/// Settings of copies between a GPU and host memory that it cannot access (gpu/runtime/staged_copy.hpp).
struct copy_settings {
  unsigned threads = 0;                            ///< at most so many threads copy; 0 for all cores
  std::size_t least_bytes = std::size_t{1} << 20;  ///< smaller copies are left to the driver, which finishes before threads would wake up
  std::size_t piece_bytes = std::size_t{1} << 20;  ///< bytes that go through page-locked memory at a time, at most 1 MiB; fewer are slower
  bool beside = false;  ///< copy_in runs concurrently with earlier work in the stream, and the copy is complete when it returns
};

}  // namespace copse::backend
