// What callers of a GPU can set, for units that do not compile against CUDA: the techniques of the papers, each a piece of the GPU loops
// that can be switched on and off for benchmarks; and how memory that the GPU cannot access is copied to it and back.
#pragma once
#include <cstddef>
#include <cstdint>

namespace copse {

/// How a cuda variant walks the rows of a graph: the techniques that the GConn paper adds one at a time (section 3.3, Figure 2). From base
/// on, each includes those before it.
enum class gpu_row_loop : std::uint8_t {
  fused,  ///< passes joined into one, and no waiting for the host (not in the paper). The first arcs of rows are hooked by stores, the
          ///< roots left over listed, and the finish flattens as it lists the vertices outside the giant (rules in rounds: as base)
  base,  ///< k-out sampling by one thread per vertex, one arc of each row per pass; the finish asks every vertex whether it is in the giant
  coalesced,    ///< CSR coalescing: the first two arcs of a row in one pass, by two adjacent threads, which read adjacent words
  reorganised,  ///< edge reorganisation: two threads read two rows so, then swap by a shuffle, and each has both arcs of one row in turn
  gathered,     ///< vertex gathering: the vertices outside the giant are made a list, and the finish walks that
};

/// How passes over a list of edges read each edge.
enum class gpu_edge_load : std::uint8_t {
  words,  ///< its two ends by a load each
  pairs,  ///< both by one load of 64 bits (Soman, Kishore, Narayanan 2010), where the list begins at a multiple of 8 bytes
};

/// How a breadth-first search, the sampler bfs or the finish bfs_cc, goes on from its frontier.
enum class gpu_search : std::uint8_t {
  claimed,     ///< a vertex is claimed by a swap, so that it is in a frontier once
  idempotent,  ///< it is marked by a store: threads that find it at the same time all append it (Merrill, Garland, Grimshaw 2012)
};

/// Which edges of a list the rules soman, cc and shiloach_vishkin visit in a round.
enum class gpu_round_edges : std::uint8_t {
  all,       ///< all (soman: passes over those that it has marked)
  filtered,  ///< those whose ends were in two trees after the round before: the others are filtered out (Gunrock: Wang et al. 2016)
};

struct gpu_techniques {
  gpu_row_loop rows = gpu_row_loop::fused;
  gpu_edge_load edges = gpu_edge_load::words;
  gpu_search search = gpu_search::claimed;
  gpu_round_edges rounds = gpu_round_edges::all;
};

}  // namespace copse

namespace copse::backend {

/// Settings of the copies in staged_copy.hpp.
struct copy_settings {
  unsigned threads = 0;                            ///< at most; 0: all cores
  std::size_t least_bytes = std::size_t{1} << 20;  ///< smaller copies are left to the driver, which is done before threads wake up
  std::size_t piece_bytes = std::size_t{1} << 20;  ///< at most; smaller ones are slower
  bool beside = false;  ///< copy_in: runs concurrently with the work in the stream, and is complete when the call returns
};

}  // namespace copse::backend
