// Forests with roots, and Euler tours.
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

/// What a forest with roots is held in, of ids of one width: parents[v] is v itself for a root, depths[v] the number of edges up to it.
template <class Id>
struct rooted_arrays {
  buffer<Id> parents, depths;
};

/// The arrays of an Euler tour: parents and depths as in rooted_arrays, and an order of the vertices in which every subtree is a range.
template <class Id>
struct tour_arrays {
  buffer<Id> parents, depths;
  buffer<Id> sizes;     ///< n numbers of vertices: the vertex and all below it
  buffer<Id> preorder;  ///< n places in the order
  buffer<Id> order;     ///< n ids: the vertices below v, itself included, are order[preorder[v]] and the sizes[v] - 1 that follow
};

/// Trees that know their roots: the smallest vertex of each tree, which is its own parent and has depth 0.
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
  /// The arrays themselves, for loops over all vertices.
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

/// A rooted forest as its Euler tour tells it. The order has the trees by ascending roots; in a tree a vertex comes before its children,
/// and these, each with all below it, by ascending ids: first those larger than the vertex's parent, then the smaller. (As a walk around
/// a tree keeps turning the same way.) So it depends on the edges alone.
class forest_tour : public rooted_trees<tour_arrays> {
public:
  using rooted_trees::rooted_trees;

  [[nodiscard]] std::uint64_t size(std::uint64_t v) const noexcept {
    return read([v](const auto& held) { return held.sizes[v]; });
  }
  [[nodiscard]] std::uint64_t preorder(std::uint64_t v) const noexcept {
    return read([v](const auto& held) { return held.preorder[v]; });
  }
  /// The vertex at a place in preorder: the inverse of preorder().
  [[nodiscard]] std::uint64_t vertex(std::uint64_t place) const noexcept {
    return read([place](const auto& held) { return held.order[place]; });
  }
};

// Euler tours: parents, depths, sizes of subtrees and preorder of a whole forest by one list ranking, however deep its trees.

struct tour_result {
  forest_tour tour;
  solve_report report;  ///< its check included; the phase "rank" includes the copies to a GPU and back
};

/// Tours a forest, such as forest_result::edges: a list of edges without a cycle. The same edges, in whatever order, give the same arrays,
/// whatever the threads. `ranking` is a name of variants(problem_kind::list_ranking) or auto; a GPU ranks, and the CPU does all else. O(n)
/// work; the number of parallel steps does not depend on the depth of the trees. With the rows of the forest and the arrays, 11 ids per
/// vertex are held at the end (8 and 4 offsets, where the edges are too many for 32-bit offsets). Throws usage_error unless it is a list of
/// n - k edges that joins n vertices to k trees (naming the first edge that is no vertex's or closes a cycle) and for an unknown ranking,
/// resource_error when memory ends, cancelled.
[[nodiscard]] tour_result euler_tour(const graph& forest, const std::string& ranking = "auto", const execution& on = {});

}  // namespace copse
