// Minimum spanning forests on a GPU by worklists of edges that reserve trees: Fallin, Gonzalez, Seo, Burtscher (A High-Performance MST
// Implementation for GPUs, SC 2023), written from the paper. No sort, no contraction, and no pass over vertices in a round.
//
// Cost: one pass over arcs and keys, or two with a pivot, and two passes over the list per round. Memory: 16 bytes per vertex, 32 per edge.
#pragma once
#include <weighted/cuda/search.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace copse::weighted {

/// The memory of such searches, on a GPU; as search_room.
class worklist_room {
public:
  explicit worklist_room(std::pmr::memory_resource* memory);
  worklist_room(worklist_room&&) noexcept;
  worklist_room& operator=(worklist_room&&) noexcept;
  ~worklist_room();

  /// For rows of so many vertices and arcs. What was found in it is lost when it grows.
  void reserve(std::size_t vertices, std::uint64_t arcs);

private:
  friend class worklist_search;
  struct parts;
  std::unique_ptr<parts> parts_;
};

/// The same arcs as a search in a search_room, in another order. Waits for the GPU once per round.
std::span<const std::uint32_t> search_on_gpu(const backend::cuda& loops, const keyed_rows& rows, worklist_room& room);
void find_ends(const backend::cuda& loops, const keyed_rows& rows, const worklist_room& room, std::span<const std::uint32_t> arcs,
               edge<std::uint32_t>* edges);

}  // namespace copse::weighted
