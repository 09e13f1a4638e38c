// Graphs whose edges carry weights: the columns, and how they are read from files and written to them.
#pragma once
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/memory.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <variant>

namespace copse {

/// Borrows a column of weights, one for each edge of a list or each arc of rows, in their order. Numbers of any sign, infinities included;
/// not-a-number is refused by whoever compares them.
using weights_view = std::variant<std::span<const float>, std::span<const double>, std::span<const std::int32_t>,
                                  std::span<const std::uint32_t>, std::span<const std::int64_t>, std::span<const std::uint64_t>>;

/// Owns such a column.
class weight_column {
public:
  using storage =
      std::variant<buffer<float>, buffer<double>, buffer<std::int32_t>, buffer<std::uint32_t>, buffer<std::int64_t>, buffer<std::uint64_t>>;

  weight_column() = default;
  template <class Weight>
  explicit weight_column(buffer<Weight> weights) : weights_{std::move(weights)} {}

  [[nodiscard]] weights_view view() const noexcept {
    return std::visit([](const auto& weights) { return weights_view{weights.span()}; }, weights_);
  }
  [[nodiscard]] std::uint64_t size() const noexcept {
    return std::visit([](const auto& weights) { return std::uint64_t{weights.size()}; }, weights_);
  }
  /// Weight i as a double, which holds all but integers beyond 2^53 exactly. For loops prefer visiting `held()`.
  [[nodiscard]] double operator[](std::uint64_t i) const noexcept {
    return std::visit([i](const auto& weights) { return static_cast<double>(weights[i]); }, weights_);
  }
  [[nodiscard]] const storage& held() const noexcept { return weights_; }

private:
  storage weights_;
};

/// A list of edges (or rows) and the weight of each.
struct weighted_graph {
  graph edges;
  weight_column weights;
};

namespace io {

/// Reads a list of edges with its weights, both in the order of the file: the column `weight_column` of an edge list, the values of Matrix
/// Market, the third number of DIMACS, the data of a sparse matrix in `.npz`, the weights of `.egr`. Weights are doubles. Ids as
/// read_graph() has them; rows become a list of their arcs. Throws input_error for a file that holds no weights, and for a weight that is
/// not a number, with its line.
weighted_graph read_weighted_graph(const std::filesystem::path& path, const read_options& options = {});

/// Edges (a list) with their weights by suffix: `.csv` (header `u,v,weight`), `.el .txt` ("-" too; `u v weight`), `.npy` (m x 3 doubles;
/// refuses names that are strings or beyond 2^53), `.mtx` (real general, vertices numbered from 1).
void write_weighted_edges(const graph& edges, weights_view weights, const std::filesystem::path& path, const write_options& options = {});

}  // namespace io
}  // namespace copse
