// Edges gathered by one worker, in chunks: nothing is moved when more come, and ids below 2^32 - 1 take 8 bytes per edge, not 16. Which
// block of the input they stood in is kept by the run (a block is tens of thousands of edges), so that they find back to file order.
#pragma once
#include <copse/views.hpp>

#include <algorithm>
#include <cstdint>
#include <list>
#include <memory_resource>
#include <span>
#include <variant>
#include <vector>

namespace copse::io {

/// Edges of one block that lie side by side in a chunk.
struct edge_run {
  std::uint64_t block = 0;
  std::size_t begin = 0;  ///< in the chunk
  std::size_t size = 0;
  std::uint64_t place = 0;  ///< of its first edge in the finished list
};

struct edge_chunk {
  std::variant<buffer<edge<std::uint32_t>>, buffer<edge<std::uint64_t>>> edges;
  std::size_t size = 0;
  std::vector<edge_run> runs{};
  buffer<double> weights{};  ///< of as many edges, or none
};

class edge_chunks {
public:
  explicit edge_chunks(std::pmr::memory_resource* memory) : memory_{memory} {}

  /// What is pushed from here on stands in this block.
  void begin_block(std::uint64_t block) noexcept { block_ = block; }

  /// `weights`: one for each edge, or null, in all calls.
  void push(std::span<const edge<std::uint64_t>> batch, const double* weights = nullptr) {
    std::uint64_t largest = 0;
    for (const auto& e : batch) largest = std::max({largest, e.u, e.v});
    largest_ = std::max(largest_, largest);
    if (largest < no_vertex<std::uint32_t>) {
      append<std::uint32_t>(batch, weights);
    } else {
      append<std::uint64_t>(batch, weights);
    }
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t largest() const noexcept { return largest_; }
  [[nodiscard]] std::list<edge_chunk>& chunks() noexcept { return chunks_; }

private:
  static constexpr std::size_t first_chunk = std::size_t{1} << 12;
  static constexpr std::size_t largest_chunk = std::size_t{1} << 20;

  template <unsigned_index Id>
  void append(std::span<const edge<std::uint64_t>> batch, const double* weights) {
    size_ += batch.size();
    while (!batch.empty()) {
      edge_chunk& chunk = room<Id>(weights != nullptr);
      auto& held = std::get<buffer<edge<Id>>>(chunk.edges);
      const std::size_t now = std::min(batch.size(), held.size() - chunk.size);
      std::transform(batch.begin(), batch.begin() + now, held.begin() + chunk.size, [](const edge<std::uint64_t>& e) {
        return edge<Id>{static_cast<Id>(e.u), static_cast<Id>(e.v)};
      });
      if (weights != nullptr) {
        std::copy_n(weights, now, chunk.weights.begin() + chunk.size);
        weights += now;
      }
      if (chunk.runs.empty() || chunk.runs.back().block != block_) chunk.runs.push_back({.block = block_, .begin = chunk.size});
      chunk.runs.back().size += now;
      chunk.size += now;
      batch = batch.subspan(now);
    }
  }

  template <unsigned_index Id>
  edge_chunk& room(bool weighted) {
    const bool fits = !chunks_.empty() && std::holds_alternative<buffer<edge<Id>>>(chunks_.back().edges) &&
                      chunks_.back().size < std::get<buffer<edge<Id>>>(chunks_.back().edges).size();
    if (!fits) {
      buffer<edge<Id>> edges{next_chunk_, memory_};
      buffer<double> weights{weighted ? next_chunk_ : 0, memory_};
      next_chunk_ = std::min(2 * next_chunk_, largest_chunk);
      chunks_.push_back({.edges = std::move(edges), .weights = std::move(weights)});
    }
    return chunks_.back();
  }

  std::pmr::memory_resource* memory_;
  std::list<edge_chunk> chunks_;
  std::size_t next_chunk_ = first_chunk;
  std::uint64_t block_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t largest_ = 0;
};

}  // namespace copse::io
