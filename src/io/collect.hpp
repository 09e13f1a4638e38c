// A sink that keeps the edges: the way from a list of edges in a file to a graph in memory.
#pragma once
#include "io/edge_chunks.hpp"
#include "io/string_table.hpp"
#include "io/weight_sink.hpp"

#include <copse/graph.hpp>
#include <copse/io.hpp>

#include <memory>
#include <vector>

namespace copse::io {

/// Ids become 0 .. n - 1 in ascending order of their names; declared ones stay what they are. Peak memory: the edges once more while they
/// are numbered (chunks go as they are copied), and what tells the ids apart. The edges are in file order, whichever
/// worker brought them.
class collecting_sink : public edge_sink {
public:
  explicit collecting_sink(const read_options& options) : options_{options} {}

  void begin(const source_facts& facts) override;
  void begin_block(unsigned worker, std::uint64_t block) override;
  void edges(unsigned worker, std::span<const edge<std::uint64_t>> batch) override { workers_[worker]->push(batch); }
  void named_edges(unsigned worker, std::span<const named_edge> batch) override;
  void vertices(unsigned worker, std::span<const std::uint64_t> ids) override;
  void named_vertices(unsigned worker, std::span<const std::string_view> names) override;
  void left_out(unsigned worker, std::size_t pending) override;
  void finish() override;

  /// After finish().
  graph take() && { return std::move(collected_); }

protected:
  /// An edge that was left out, and the number of edges kept before it in its block.
  struct gap {
    std::uint64_t block, kept;
    auto operator<=>(const gap&) const = default;
  };
  struct worker_state {
    explicit worker_state(std::pmr::memory_resource* memory) : chunks{memory}, lone{memory}, strings{memory}, gaps{memory} {}
    void push(std::span<const edge<std::uint64_t>> batch) { chunks.push(batch, weights); }
    edge_chunks chunks;
    edge_chunks lone;  ///< vertices that need not have an edge, as loops
    string_table strings;
    const double* weights = nullptr;           ///< the weights of the current batch, if weights are collected
    std::uint64_t block = 0, block_begin = 0;  ///< the current block, and the number of edges in earlier ones
    std::pmr::vector<gap> gaps;
  };
  std::vector<std::unique_ptr<worker_state>> workers_;
  buffer<double> weights_;

private:
  /// Gives each run its place in the list: blocks in file order, and the edges of a block as its one worker brought them.
  void place_runs();
  void number_edges_of_file(std::span<edge_run* const> runs) const;
  void finish_dense(std::uint64_t largest);
  void finish_sparse();
  void finish_named();
  template <class Number>
  void number_edges(std::uint64_t vertices, vertex_names names, Number number);
  template <unsigned_index Id, class Number>
  coo<Id> numbered(std::uint64_t vertices, Number number);
  /// Calls visit(worker, chunk) for all chunks of edges, in parallel.
  template <class Visit>
  void for_each_chunk(Visit visit);

  const read_options& options_;
  source_facts facts_;
  std::uint64_t size_ = 0;       // edges
  std::uint64_t lone_size_ = 0;  // vertices that came without an edge
  graph collected_;
};

/// The same with the weights of the edges.
class weighted_collecting_sink final : public collecting_sink, public weight_sink {
public:
  using collecting_sink::collecting_sink;
  void weights(unsigned worker, std::span<const double> batch) override { workers_[worker]->weights = batch.data(); }
  /// After finish(): in the order of the edges.
  buffer<double> take_weights() && { return std::move(weights_); }
};

}  // namespace copse::io
