// Tables of edges held as a graph in memory, with the names of its vertices: for what needs all edges at once.
#pragma once
#include <copse/graph.hpp>
#include <copse/memory.hpp>

#include <cstdint>
#include <deque>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arrow_rows.hpp"

namespace copse::python {

/// Vertices are the ids that occur: integers or strings, at most 2^32 - 1 of them. Edges keep their order. 8 bytes per edge, 16 for its
/// weight and row, and about 60 per vertex beside its string.
class edge_collector {
public:
  explicit edge_collector(std::pmr::memory_resource* memory)
      : numbers_{memory},
        text_numbers_{memory},
        ids_{memory},
        texts_{memory},
        edges_{memory},
        weights_{memory},
        rows_{memory},
        memory_{memory} {}

  /// Weights of all edges or of none. Throws usage_error for strings after integers or the reverse, resource_error.
  void add(std::span<const std::uint64_t> sources, std::span<const std::uint64_t> targets, const row_facts& facts);
  void add(std::span<const std::string_view> sources, std::span<const std::string_view> targets, const row_facts& facts);

  /// All edges as a list, vertices numbered in ascending order of their ids. What was collected is gone.
  struct collected {
    graph edges;
    buffer<double> weights;      ///< of each edge, or nothing
    buffer<std::uint64_t> rows;  ///< where each edge stands in the table
  };
  [[nodiscard]] collected finish();

private:
  std::uint32_t number_of(std::uint64_t id);
  std::uint32_t number_of(std::string_view text);
  template <class Id>
  void take(std::span<const Id> sources, std::span<const Id> targets, const row_facts& facts);
  [[nodiscard]] vertex_names sorted_names(std::vector<std::uint32_t>& places) const;

  std::pmr::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::pmr::unordered_map<std::string_view, std::uint32_t> text_numbers_;  // views of texts_, which stay where they are
  std::pmr::vector<std::uint64_t> ids_;
  std::pmr::deque<std::pmr::string> texts_;
  std::pmr::vector<edge<std::uint32_t>> edges_;
  std::pmr::vector<double> weights_;
  std::pmr::vector<std::uint64_t> rows_;
  std::pmr::memory_resource* memory_;
};

}  // namespace copse::python
