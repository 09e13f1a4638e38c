// A forest as its Euler tour tells it.
#pragma once
#include <copse/core/memory.hpp>
#include <copse/core/types.hpp>
#include <copse/graph/vertex_names.hpp>

#include <cstdint>
#include <utility>
#include <variant>

namespace copse {

/// Trees that know their roots (the smallest vertex of each, its own parent, at depth 0), and every subtree as a range of an order. The
/// order has the trees by ascending roots; in a tree a vertex comes before its children, and these, each with all below it, by ascending
/// ids: first those larger than the vertex's parent, then the smaller. (As who walks around a tree keeps turning the same way.) So it
/// depends on the edges alone.
class forest_tour {
public:
  template <unsigned_index Id>
  struct arrays {
    buffer<Id> parents;   ///< n ids
    buffer<Id> depths;    ///< n numbers of edges up to the root
    buffer<Id> sizes;     ///< n numbers of vertices: the vertex and all below it
    buffer<Id> preorder;  ///< n places in the order
    buffer<Id> order;     ///< n ids: the vertices below v, itself included, are order[preorder[v]] and the sizes[v] - 1 that follow
  };
  using storage = std::variant<arrays<std::uint32_t>, arrays<std::uint64_t>>;

  forest_tour() = default;
  template <unsigned_index Id>
  forest_tour(arrays<Id> held, vertex_names names) : arrays_{std::move(held)}, names_{std::move(names)} {}

  [[nodiscard]] std::uint64_t vertices() const noexcept {
    return std::visit([](const auto& held) { return std::uint64_t{held.parents.size()}; }, arrays_);
  }
  [[nodiscard]] std::uint64_t parent(std::uint64_t v) const noexcept {
    return std::visit([v](const auto& held) { return std::uint64_t{held.parents[v]}; }, arrays_);
  }
  [[nodiscard]] std::uint64_t depth(std::uint64_t v) const noexcept {
    return std::visit([v](const auto& held) { return std::uint64_t{held.depths[v]}; }, arrays_);
  }
  [[nodiscard]] std::uint64_t size(std::uint64_t v) const noexcept {
    return std::visit([v](const auto& held) { return std::uint64_t{held.sizes[v]}; }, arrays_);
  }
  [[nodiscard]] std::uint64_t preorder(std::uint64_t v) const noexcept {
    return std::visit([v](const auto& held) { return std::uint64_t{held.preorder[v]}; }, arrays_);
  }
  /// The vertex at a place of the order.
  [[nodiscard]] std::uint64_t vertex(std::uint64_t place) const noexcept {
    return std::visit([place](const auto& held) { return std::uint64_t{held.order[place]}; }, arrays_);
  }
  /// For loops over all vertices.
  [[nodiscard]] const storage& held() const noexcept { return arrays_; }
  [[nodiscard]] const vertex_names& names() const noexcept { return names_; }

private:
  storage arrays_;
  vertex_names names_;
};

}  // namespace copse
