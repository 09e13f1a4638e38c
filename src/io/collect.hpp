// A sink that keeps the edges: the way from a list of edges in a file to a graph in memory.
#pragma once
#include "ids/id_map.hpp"
#include "io/request.hpp"

#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/views.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <memory_resource>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace copse::io {

// Edges that one worker gathers, in chunks: nothing is moved when more come, and ids below 2^32 - 1 take 8 bytes per edge, not 16. Which
// block of the input they stood in is kept by the run (a block is tens of thousands of edges), so that they find back to file order.

/// Edges of one block that lie side by side in a chunk.
struct edge_run {
  std::uint64_t block = 0;
  std::size_t begin = 0;  ///< in the chunk
  std::size_t size = 0;
  std::uint64_t place = 0;  ///< index of its first edge in the finished list
};

struct edge_chunk {
  std::variant<buffer<edge<std::uint32_t>>, buffer<edge<std::uint64_t>>> edges;
  std::size_t size = 0;
  std::vector<edge_run> runs{};
  buffer<double> weights{};  ///< one per edge, or none
};

class edge_chunks {
public:
  explicit edge_chunks(std::pmr::memory_resource* memory) : memory_{memory} {}

  /// Edges that are pushed from here on belong to this block.
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

/// Ids become 0 .. n - 1 in ascending order of their names; declared ones stay what they are. Peak memory: the edges once more while they
/// are numbered (chunks go as they are copied), and the id map. Sparse ids and strings may be 2^32 - 1 at most. The edges are in file
/// order, whichever worker brought them.
class collecting_sink final : public edge_sink {
public:
  /// Takes weights where it asks for them.
  explicit collecting_sink(const read_request& options, const sink_wishes& asks = {}) : options_{options}, weighted_{asks.weights} {}

  /// Before begin(): ids that are strings are numbered by a map of the caller, which has as many workers as the source. The vertices of the
  /// graph are then all numbers of the map, and the map stays as it is.
  void number_by(ids::id_map<std::string_view>& names) noexcept { names_ = &names; }

  [[nodiscard]] sink_wishes wishes() const noexcept override { return {.weights = weighted_}; }
  void begin(const source_facts& facts) override;
  void begin_block(unsigned worker, std::uint64_t block) override;
  void edges(unsigned worker, const edge_batch& batch) override;
  void vertices(unsigned worker, const vertex_batch& batch) override;
  void ids_are_signed() override { signed_.store(true, std::memory_order_relaxed); }
  void left_out(unsigned worker, std::size_t pending) override;
  void finish() override;

  /// The collected graph. Called after finish().
  graph take() && { return std::move(collected_); }
  /// The weights in the order of the edges. Called after finish().
  buffer<double> take_weights() && { return std::move(weights_); }

private:
  /// An edge that was left out, and the number of edges kept before it in its block.
  struct gap {
    std::uint64_t block, kept;
    auto operator<=>(const gap&) const = default;
  };
  struct worker_state {
    explicit worker_state(std::pmr::memory_resource* memory) : chunks{memory}, lone{memory}, gaps{memory} {}
    edge_chunks chunks;
    edge_chunks lone;                          ///< vertices that need not have an edge, as loops
    std::uint64_t block = 0, block_begin = 0;  ///< the current block, and the number of edges in earlier ones
    std::pmr::vector<gap> gaps;
  };
  /// Gives each run its place in the list: blocks in file order, and the edges of a block as its one worker brought them.
  void place_runs();
  void number_edges_of_file(std::span<edge_run* const> runs) const;
  void finish_dense(std::uint64_t largest);
  void finish_sparse();
  /// Ids of edges are numbers of the map, which is used up.
  template <class Id>
  void finish_mapped(ids::id_map<Id>& map);
  template <class Number>
  void number_edges(std::uint64_t vertices, vertex_names names, Number number);
  template <unsigned_index Id, class Number>
  coo<Id> numbered(std::uint64_t vertices, Number number);
  /// Calls visit(chunk) for all chunks of edges, in parallel.
  template <class Visit>
  void for_each_chunk(Visit visit);

  const read_request& options_;
  bool weighted_;
  std::atomic<bool> signed_{false};
  source_facts facts_;
  std::vector<std::unique_ptr<worker_state>> workers_;
  std::unique_ptr<ids::id_map<std::string_view>> own_names_;
  ids::id_map<std::string_view>* names_ = nullptr;  ///< own_names_, or a map of the caller
  std::uint64_t size_ = 0;                          // edges
  std::uint64_t lone_size_ = 0;                     // vertices that came without edges
  graph collected_;
  buffer<double> weights_;
};

}  // namespace copse::io
