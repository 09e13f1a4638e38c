// A graph whose widths were chosen at run time: whatever a reader, a builder or a generator made.
#pragma once
#include <copse/graph/coo.hpp>
#include <copse/graph/csr.hpp>
#include <copse/graph/vertex_names.hpp>

#include <cstdint>
#include <utility>
#include <variant>

namespace copse {

/// Borrows a graph of any shape and width.
using graph_view = std::variant<csr_view<std::uint32_t, std::uint32_t>, csr_view<std::uint32_t, std::uint64_t>,
                                csr_view<std::uint64_t, std::uint64_t>, coo_view<std::uint32_t>, coo_view<std::uint64_t>>;

/// Owns a graph: rows (CSR) or an edge list (COO), of the narrowest widths that hold it, and the names of its vertices.
class graph {
public:
  using storage = std::variant<csr<std::uint32_t, std::uint32_t>, csr<std::uint32_t, std::uint64_t>, csr<std::uint64_t, std::uint64_t>,
                               coo<std::uint32_t>, coo<std::uint64_t>>;

  graph() = default;
  /// Vertices named 0 .. n - 1.
  template <class Shape>
  explicit graph(Shape shape) : storage_{std::move(shape)}, names_{vertex_names::identity(vertices())} {}
  /// `names.size()` is the number of vertices.
  template <class Shape>
  graph(Shape shape, vertex_names names) : storage_{std::move(shape)}, names_{std::move(names)} {}

  /// The same graph, its vertices called `names`; `names.size()` is their number.
  [[nodiscard]] graph renamed(vertex_names names) && { return {std::move(storage_), std::move(names)}; }

  [[nodiscard]] graph_view view() const noexcept {
    return std::visit([](const auto& shape) { return graph_view{shape.view()}; }, storage_);
  }
  [[nodiscard]] std::uint64_t vertices() const noexcept {
    return std::visit([](const auto& shape) { return std::uint64_t{shape.view().vertices()}; }, storage_);
  }
  [[nodiscard]] bool has_rows() const noexcept { return storage_.index() < 3; }
  [[nodiscard]] const vertex_names& names() const noexcept { return names_; }
  [[nodiscard]] const storage& shape() const noexcept { return storage_; }

private:
  storage storage_;
  vertex_names names_;
};

}  // namespace copse
