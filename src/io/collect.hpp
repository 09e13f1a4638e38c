// A sink that keeps the edges: the way from a list of edges in a file to a graph in memory.
#pragma once
#include "io/edge_chunks.hpp"
#include "io/string_table.hpp"

#include <copse/graph.hpp>
#include <copse/io.hpp>

#include <memory>
#include <vector>

namespace copse::io {

/// Ids become 0 .. n - 1 in ascending order of their names; declared ones stay what they are. Peak memory: the edges once more while they
/// are numbered (chunks go as they are copied), and what tells the ids apart. The edges are in file order, whichever
/// worker brought them.
class collecting_sink final : public edge_sink {
public:
  explicit collecting_sink(const read_options& options) : options_{options} {}

  void begin(const source_facts& facts) override;
  void begin_block(unsigned worker, std::uint64_t block) override { workers_[worker]->chunks.begin_block(block); }
  void edges(unsigned worker, std::span<const edge<std::uint64_t>> batch) override { workers_[worker]->chunks.push(batch); }
  void named_edges(unsigned worker, std::span<const named_edge> batch) override;
  void finish() override;

  /// After finish().
  graph take() && { return std::move(collected_); }

private:
  struct worker_state {
    explicit worker_state(std::pmr::memory_resource* memory) : chunks{memory}, strings{memory} {}
    edge_chunks chunks;
    string_table strings;
  };

  /// Gives each run its place in the list: blocks in file order, and the edges of a block as its one worker brought them.
  void place_runs();
  void finish_dense(std::uint64_t largest);
  void finish_sparse();
  void finish_named();
  template <class Number>
  void number_edges(std::uint64_t vertices, vertex_names names, Number number);
  template <unsigned_index Id, class Number>
  coo<Id> numbered(std::uint64_t vertices, Number number);
  /// Calls visit(worker, chunk) for all chunks, in parallel.
  template <class Visit>
  void for_each_chunk(Visit visit);

  const read_options& options_;
  source_facts facts_;
  std::vector<std::unique_ptr<worker_state>> workers_;
  std::uint64_t size_ = 0;
  graph collected_;
};

}  // namespace copse::io
