// Minimum spanning forests on a GPU, of rows in its memory: one round of Boruvka's algorithm over the rows, then rounds on lists of
// candidates, light edges first. Sources of the ideas: edge lists, reservations by an atomic minimum, and light edges first: Fallin,
// Gonzalez, Seo, Burtscher (A High-Performance MST Implementation for GPUs, SC 2023); skipping edges inside trees: Osipov, Sanders, Singler
// (The Filter-Kruskal Minimum Spanning Tree Algorithm, ALENEX 2009).
//
// Cost: one pass over arcs and keys, one over the arcs beyond the pivot that reads a bit of the giant for each, and rounds on lists of a
// few edges per vertex. Memory: 44 bytes per vertex, and 32 per candidate: at most 3 candidates per vertex, or all edges if these are
// fewer.
#pragma once
#include <copse/memory.hpp>
#include <copse/types.hpp>
#include <loops/arcs.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace copse::backend {
class cuda;
}  // namespace copse::backend

namespace copse::weighted {

/// Rows with both directions of every edge, each sorted by target, and a key for each arc, the same in both directions: edges with smaller
/// keys are taken earlier.
struct keyed_rows : backend::any_rows<std::uint32_t> {
  const std::uint32_t* keys;
};

/// The memory of searches on a GPU. It grows to what the largest search needed, and is kept for the next one.
class search_room {
public:
  explicit search_room(std::pmr::memory_resource* memory);
  search_room(search_room&&) noexcept;
  search_room& operator=(search_room&&) noexcept;
  ~search_room();

  /// Grows to the memory that rows of that many vertices and arcs need. Growing loses the results of earlier searches.
  void reserve(std::size_t vertices, std::uint64_t arcs);

private:
  friend class forest_search;
  struct parts;
  std::unique_ptr<parts> parts_;
};

/// Returns the arcs of the forest, each from the smaller end of its edge, in no order; they are in `room` until its next search. There are
/// n - k of them for k components. Of edges with equal keys the one with the smaller ends comes first, so the forest is unique. Waits for
/// the GPU a few times per round. Precondition: fewer than 2^32 - 1 arcs.
std::span<const std::uint32_t> search_on_gpu(const backend::cuda& loops, const keyed_rows& rows, search_room& room);

/// Finds both ends of each of these arcs, the smaller one first: edges[i] has the ends of arcs[i]. `arcs`: the result of the last search in
/// `room`, of `rows`.
void find_ends(const backend::cuda& loops, const keyed_rows& rows, const search_room& room, std::span<const std::uint32_t> arcs,
               edge<std::uint32_t>* edges);

// Minimum spanning forests on a GPU by worklists of edges that reserve trees: Fallin, Gonzalez, Seo, Burtscher (A High-Performance MST
// Implementation for GPUs, SC 2023), written from the paper. No sort, no contraction, and no pass over vertices in a round.
//
// Cost: one pass over arcs and keys, or two if a pivot divides light edges from heavy ones, and in each round two passes over the list of
// edges that are left. Memory: 16 bytes per vertex, 32 per edge.

/// The memory of searches by ecl_mst on a GPU, kept for the next search.
class worklist_room {
public:
  explicit worklist_room(std::pmr::memory_resource* memory);
  worklist_room(worklist_room&&) noexcept;
  worklist_room& operator=(worklist_room&&) noexcept;
  ~worklist_room();

  /// Grows to the memory that rows of that many vertices and arcs need. Growing loses the results of earlier searches.
  void reserve(std::size_t vertices, std::uint64_t arcs);

private:
  friend class worklist_search;
  struct parts;
  std::unique_ptr<parts> parts_;
};

/// Finds the same arcs as a search in a search_room, in another order. Waits for the GPU once per round.
std::span<const std::uint32_t> search_on_gpu(const backend::cuda& loops, const keyed_rows& rows, worklist_room& room);
void find_ends(const backend::cuda& loops, const keyed_rows& rows, const worklist_room& room, std::span<const std::uint32_t> arcs,
               edge<std::uint32_t>* edges);

}  // namespace copse::weighted
