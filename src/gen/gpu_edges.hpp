// From a recipe to an edge list in the memory of a GPU: the list that emit() makes, of 32-bit ids. Direct families take one thread per
// edge. Blocks are counted, their counts summed, and written by one thread per block.
#pragma once
#include <copse/memory.hpp>
#include <gen/recipe.hpp>
#include <gpu/runtime/gpu.hpp>

#include <cstdint>

namespace copse::gen {

class gpu_edges {
public:
  /// Counts what must be counted; waits for that. `memory` is of the GPU, and both outlive this.
  gpu_edges(const recipe& plan, const backend::gpu& on, std::pmr::memory_resource* memory);

  /// What the constructor allocates, at most; numbers that do not fit are the largest one.
  [[nodiscard]] static std::uint64_t bytes_to_count(const recipe& plan) noexcept;

  /// May be more than 32 bits count: write() is then no good.
  [[nodiscard]] std::uint64_t vertices() const noexcept { return vertices_; }
  [[nodiscard]] std::uint64_t edges() const noexcept { return edges_; }

  /// On the GPU's stream. Precondition: fits_32(vertices()), and room for edges().
  void write(edge<std::uint32_t>* to) const;
  /// Writes the edges as a stream: each in either direction, in random order. `scratch`: room for edges() too.
  void write_shuffled(edge<std::uint32_t>* to, edge<std::uint32_t>* scratch, std::uint64_t seed) const;

private:
  recipe plan_;
  const backend::gpu& on_;
  std::pmr::memory_resource* memory_;
  std::uint64_t vertices_;
  std::uint64_t edges_ = 0;
  buffer<std::uint64_t> added_;   // vertices before each block
  buffer<std::uint64_t> starts_;  // edges before each block
};

}  // namespace copse::gen
