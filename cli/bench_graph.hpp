// A graph as a bench holds it, the facts of it that a report needs, and the solve of any row on it.
#pragma once
#include <copse/components.hpp>
#include <copse/registry/variants.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "bench_rows.hpp"
#include "bench_trials.hpp"
#include "input.hpp"

namespace copse::cli {

class bench_graph {
public:
  /// Reads `from` and holds it as rows, or (`coo`) as the list of the edges of its rows, each once, in their order; solves it once.
  bench_graph(const input& from, input_kind as, resources& with, std::uint64_t seed);
  bench_graph(const bench_graph&) = delete;
  bench_graph& operator=(const bench_graph&) = delete;

  /// The rows, ready to be measured. They refer to this object.
  [[nodiscard]] std::vector<contender> contenders(const std::vector<bench_row>& rows);
  /// The ten-line loop in fresh and in touched memory. Throws usage_error unless it is right for this graph.
  [[nodiscard]] std::vector<contender> yardsticks();

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] std::uint64_t vertices() const noexcept { return held_.vertices(); }
  [[nodiscard]] std::uint64_t arcs() const noexcept { return arcs_; }
  [[nodiscard]] std::uint64_t edges() const noexcept { return edges_; }
  [[nodiscard]] std::uint64_t checksum_of_graph() const noexcept { return graph_checksum_; }
  [[nodiscard]] std::uint64_t components() const noexcept { return components_; }
  /// The untimed solve by serial.none.rem that all others are compared with.
  [[nodiscard]] const solved_once& reference() const noexcept { return reference_; }

private:
  [[nodiscard]] solved_once checked(const components_result& result) const;

  std::string text_;
  input_kind as_;
  resources& with_;
  std::uint64_t seed_;
  graph held_;
  std::uint64_t arcs_ = 0, edges_ = 0, graph_checksum_ = 0, components_ = 0;
  solved_once reference_;
};

}  // namespace copse::cli
