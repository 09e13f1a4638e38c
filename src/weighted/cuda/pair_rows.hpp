// Converts a list of edges with keys to the rows that a search on a GPU works on, in its memory. Compiled without CUDA's headers.
//
// Both arcs of every edge are sorted by their ends, with the position of the edge next to them; arcs of equal ends stay in the order of the
// list, so that of edges with equal ends and keys the first one comes first. Memory: 40 bytes per arc while they are sorted, 12 afterwards.
#pragma once
#include <copse/memory.hpp>
#include <weighted/variants.hpp>

#include <cstdint>
#include <memory_resource>
#include <span>

namespace copse::backend {
class cuda;
}

namespace copse::weighted {

struct pair_rows {
  buffer<std::uint32_t> offsets, targets;
  buffer<std::uint32_t> keys;   ///< for each arc, the key of its edge, by which edges are ordered
  buffer<std::uint32_t> edges;  ///< for each arc, the position of its edge in the list
};

/// Makes the rows. `pairs` and `keys` are in the memory of the GPU, fewer than 2^31 of each. Does not wait.
pair_rows rows_of_pairs(const backend::cuda& loops, const pairs_view<std::uint32_t>& pairs, const std::uint32_t* keys);

/// Writes to `places`, in ascending order, the positions that the edges of these arcs have in the list of which `rows` were made.
void turn_to_places(const backend::cuda& loops, const pair_rows& rows, std::span<const std::uint32_t> arcs, std::uint32_t* places);

}  // namespace copse::weighted
