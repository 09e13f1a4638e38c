// Rooted forests and their Euler tours.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/memory.hpp>
#include <copse/report.hpp>
#include <copse/types.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace copse {

/// The arrays of a rooted forest, with ids of one width: parents[v] is v itself for a root; depths[v] is the number of edges from v to the
/// root.
template <class Id>
struct rooted_arrays {
  buffer<Id> parents, depths;
};

/// The arrays of an Euler tour: parents and depths as in rooted_arrays, and an order of the vertices in which every subtree is a range.
template <class Id>
struct tour_arrays {
  buffer<Id> parents, depths;
  buffer<Id> sizes;     ///< n counts: the number of vertices in the subtree of v, including v
  buffer<Id> preorder;  ///< n positions: preorder[v] is the position of v in `order`
  buffer<Id> order;     ///< n ids: the subtree of v is order[preorder[v]] and the sizes[v] - 1 vertices that follow
};

/// A rooted forest: the root of each tree is its smallest vertex, is its own parent and has depth 0.
template <template <class> class Arrays>
class rooted_trees {
public:
  template <class Id>
  using arrays = Arrays<Id>;
  using storage = std::variant<Arrays<std::uint32_t>, Arrays<std::uint64_t>>;

  rooted_trees() = default;
  template <class Id>
  rooted_trees(Arrays<Id> held, vertex_names names) : arrays_{std::move(held)}, names_{std::move(names)} {}

  [[nodiscard]] std::uint64_t vertices() const noexcept {
    return read([](const auto& held) { return held.parents.size(); });
  }
  [[nodiscard]] std::uint64_t parent(std::uint64_t v) const noexcept {
    return read([v](const auto& held) { return held.parents[v]; });
  }
  [[nodiscard]] std::uint64_t depth(std::uint64_t v) const noexcept {
    return read([v](const auto& held) { return held.depths[v]; });
  }
  /// The arrays, for loops over all vertices.
  [[nodiscard]] const storage& held() const noexcept { return arrays_; }
  [[nodiscard]] const vertex_names& names() const noexcept { return names_; }

protected:
  template <class F>
  [[nodiscard]] std::uint64_t read(F f) const noexcept {
    return std::visit([f](const auto& held) { return std::uint64_t{f(held)}; }, arrays_);
  }

private:
  storage arrays_;
  vertex_names names_;
};

using rooted_forest = rooted_trees<rooted_arrays>;

/// A rooted forest with subtree sizes and a preorder, from its Euler tour. The order has the trees by ascending roots. In a tree a
/// vertex comes before its children. The children, each followed by its subtree, are in ascending order of ids, but starting with the
/// ids larger than the vertex's parent, followed by the smaller ones (as in a walk around the tree that always turns the same way). So
/// the order depends only on the edges.
class forest_tour : public rooted_trees<tour_arrays> {
public:
  using rooted_trees::rooted_trees;

  [[nodiscard]] std::uint64_t size(std::uint64_t v) const noexcept {
    return read([v](const auto& held) { return held.sizes[v]; });
  }
  [[nodiscard]] std::uint64_t preorder(std::uint64_t v) const noexcept {
    return read([v](const auto& held) { return held.preorder[v]; });
  }
  /// The vertex at a position in preorder: the inverse of preorder().
  [[nodiscard]] std::uint64_t vertex(std::uint64_t place) const noexcept {
    return read([place](const auto& held) { return held.order[place]; });
  }
};

// Euler tours: parents, depths, subtree sizes and preorder of a whole forest by one list ranking, however deep its trees are.

struct tour_result {
  forest_tour tour;
  solve_report report;  ///< times include the check of the forest; the phase "rank" includes copies to and from a GPU
};

/// Computes the Euler tour of a forest, such as forest_result::edges: a list of edges without a cycle. The same edges, in any order, give
/// the same arrays, for any number of threads. `ranking` is a name of variants(problem_kind::list_ranking) or auto; only the ranking can
/// run on a GPU. O(n) work; the number of parallel steps does not depend on the depth of the trees. Peak memory, with the rows of the
/// forest and the arrays, is 11 ids per vertex (8 ids and 4 offsets if there are too many edges for 32-bit offsets). Throws usage_error
/// unless the list has n - k edges that join n vertices to k trees (naming the first edge that has an invalid end or closes a cycle), and
/// for an unknown ranking; resource_error when memory runs out; cancelled.
[[nodiscard]] tour_result euler_tour(const graph& forest, const std::string& ranking = "auto", const execution& on = {});

}  // namespace copse
