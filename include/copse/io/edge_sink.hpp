// Where edges go while a file is parsed. No reader knows what becomes of them: united, collected, verified or counted.
#pragma once
#include <copse/graph/coo.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace copse::io {

/// What a reader knows before the first edge.
struct source_facts {
  std::optional<std::uint64_t> vertices;  ///< declared: they are 0 .. vertices - 1, isolated ones included
  std::optional<std::uint64_t> edges;     ///< declared number of edge lines or stored arcs; a hint for reserving
  unsigned workers = 1;                   ///< `worker` arguments are below this
  bool named = false;                     ///< named_edges() will be called, not edges()
};

/// An edge between string ids. The views are valid during the call only.
struct named_edge {
  std::string_view u;
  std::string_view v;
};

/// Receives the edges of one input: begin once, then batches, concurrently but never two at once with the same `worker`, then finish once.
/// Any call may throw; the reader stops all workers and rethrows. After a throw finish is not called.
class edge_sink {
public:
  virtual ~edge_sink() = default;
  virtual void begin(const source_facts& facts) = 0;
  /// What `worker` passes on from here stands in this block of the input. Blocks are numbered in file order; each is one worker's, which
  /// takes its own in ascending order. Only a sink that keeps the order of the file needs to know.
  virtual void begin_block(unsigned /*worker*/, std::uint64_t /*block*/) {}
  /// Integer ids as written in the file (0-based where the format is 1-based). Loops and repeats are passed on.
  virtual void edges(unsigned worker, std::span<const edge<std::uint64_t>> batch) = 0;
  virtual void named_edges(unsigned worker, std::span<const named_edge> batch) = 0;
  virtual void finish() {}
};

}  // namespace copse::io
