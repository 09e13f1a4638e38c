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

/// Vertices are the ids that occur: integers or strings, at most 2^32 - 1 of them. Edges keep their order. 16 bytes per edge of integers
/// (24 more while they are numbered, where ids have gaps), 8 per edge of strings and about 100 per vertex beside its string; 16 per edge
/// for weights and rows.
class edge_collector {
public:
  explicit edge_collector(std::pmr::memory_resource* memory)
      : pairs_{memory}, edges_{memory}, text_numbers_{memory}, texts_{memory}, weights_{memory}, rows_{memory}, memory_{memory} {}

  /// Weights of all edges or of none. Throws usage_error for strings after integers or the reverse, resource_error.
  void add(std::span<const std::uint64_t> sources, std::span<const std::uint64_t> targets, const taken_facts& facts);
  void add(std::span<const std::string_view> sources, std::span<const std::string_view> targets, const taken_facts& facts);

  /// All edges as a list, vertices numbered in ascending order of their ids. What was collected is gone.
  struct collected {
    graph edges;
    buffer<double> weights;      ///< of each edge, or nothing
    buffer<std::uint64_t> rows;  ///< where each edge stands in the table
  };
  [[nodiscard]] collected finish();

private:
  std::uint32_t number_of(std::string_view text);
  void keep(const taken_facts& facts);
  [[nodiscard]] graph graph_of_integers() const;
  [[nodiscard]] graph graph_of_texts() const;

  std::pmr::vector<edge<std::uint64_t>> pairs_;                            // of integers
  std::pmr::vector<edge<std::uint32_t>> edges_;                            // of strings, numbered as they came
  std::pmr::unordered_map<std::string_view, std::uint32_t> text_numbers_;  // views of texts_, which stay where they are
  std::pmr::deque<std::pmr::string> texts_;
  std::pmr::vector<double> weights_;
  std::pmr::vector<std::uint64_t> rows_;
  std::pmr::memory_resource* memory_;
};

}  // namespace copse::python
