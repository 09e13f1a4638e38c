// Makes the edge list of a recipe in the memory of a GPU: the list that emit() makes, with 32-bit ids. Direct families use one thread per
// edge. For blocked families the edges of each block are counted, the counts are summed, and one thread per block writes its edges.
#pragma once
#include <copse/memory.hpp>
#include <gen/recipe.hpp>
#include <gpu/runtime/gpu.hpp>

#include <cstdint>

namespace copse::gen {

class gpu_edges {
public:
  /// Counts the edges, and the vertices that the blocks of some families add, whose number is known only after drawing; waits for the
  /// result. `memory` is memory of the GPU. `on` and `memory` must outlive this object.
  gpu_edges(const recipe& plan, const backend::gpu& on, std::pmr::memory_resource* memory);

  /// Returns the most bytes that the constructor allocates, or UINT64_MAX if the number does not fit.
  [[nodiscard]] static std::uint64_t bytes_to_count(const recipe& plan) noexcept;

  /// The number of vertices. If it exceeds 32 bits, write() must not be called.
  [[nodiscard]] std::uint64_t vertices() const noexcept { return vertices_; }
  [[nodiscard]] std::uint64_t edges() const noexcept { return edges_; }

  /// Enqueues the writing of all edges on the GPU's stream. Preconditions: fits_32(vertices()), and `to` has room for edges() edges.
  void write(edge<std::uint32_t>* to) const;
  /// Writes the edges as a stream: in random order, and each in a random direction. `scratch` must have room for edges() edges, too.
  void write_shuffled(edge<std::uint32_t>* to, edge<std::uint32_t>* scratch, std::uint64_t seed) const;

private:
  recipe plan_;
  const backend::gpu& on_;
  std::pmr::memory_resource* memory_;
  std::uint64_t vertices_;
  std::uint64_t edges_ = 0;
  buffer<std::uint64_t> added_;   // number of vertices that the blocks before each block add
  buffer<std::uint64_t> starts_;  // number of edges before each block
};

}  // namespace copse::gen
