// A sink that keeps the edges, to turn a list of edges in a file into a graph in memory.
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

// The edges that one worker gathers, in chunks that are never moved. Edges between ids below 2^32 - 1 take 8 bytes instead of 16. The
// block of the input that edges come from is stored once for each run of consecutive edges (a block has tens of thousands), and later
// restores the file order.

/// Consecutive edges in a chunk that come from one block of the input.
struct edge_run {
  std::uint64_t block = 0;
  std::size_t begin = 0;  ///< index of the run's first edge in the chunk
  std::size_t size = 0;
  std::uint64_t place = 0;  ///< index of the run's first edge in the finished list of edges
};

struct edge_chunk {
  std::variant<buffer<edge<std::uint32_t>>, buffer<edge<std::uint64_t>>> edges;
  std::size_t size = 0;
  std::vector<edge_run> runs{};
  buffer<double> weights{};  ///< one per edge, or empty
};

class edge_chunks {
public:
  explicit edge_chunks(std::pmr::memory_resource* memory) : memory_{memory} {}

  /// Edges that are pushed from here on belong to this block.
  void begin_block(std::uint64_t block) noexcept { block_ = block; }

  /// `weights` has one entry per edge, or is null in all calls.
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

/// A sink that builds a graph. Its vertices are 0 .. n - 1 in ascending order of their ids; if the number of vertices is declared, ids are
/// kept as they are. Peak memory: a second copy of the edges while they are numbered (each chunk is freed once it is copied), and the id
/// map. There may be at most 2^32 - 1 different sparse ids or strings. The edges are in file order, whichever worker read them.
class collecting_sink final : public edge_sink {
public:
  explicit collecting_sink(const read_request& options, const sink_wishes& asks = {}) : options_{options}, weighted_{asks.weights} {}

  /// Numbers string ids with a map of the caller, which must have as many workers as the source. The vertices of the graph are then all ids
  /// in the map, which is not consumed. To be called before begin().
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
    edge_chunks lone;                          ///< vertices passed to vertices(), which may have no edge, stored as loops
    std::uint64_t block = 0, block_begin = 0;  ///< the current block, and the number of the worker's edges before it
    std::pmr::vector<gap> gaps;
  };
  /// Computes where each run of edges begins in the final list: runs are ordered by block, and those of one block, which a single worker
  /// reads, as that worker read them.
  void place_runs();
  void number_edges_of_file(std::span<edge_run* const> runs) const;
  void finish_dense(std::uint64_t largest);
  void finish_sparse();
  /// Builds the graph from edges whose ids are already replaced by numbers of the map. The map is consumed.
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
  ids::id_map<std::string_view>* names_ = nullptr;  ///< points to own_names_ or to a map of the caller
  std::uint64_t size_ = 0;                          // number of edges
  std::uint64_t lone_size_ = 0;                     // vertices given without edges
  graph collected_;
  buffer<double> weights_;
};

}  // namespace copse::io
