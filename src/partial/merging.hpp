// Two partial answers become one.
//
// Components: a parent is never larger than its child, before and after, so that one ascending pass makes canonical labels at the end.
// Dense ids are united in the array of one of the two; vertices with names move to their positions in the union of the names
// (graph/name_union.hpp), which keep their order.
//
// Weighted forests: the edges of both, side by side (weighted/side_by_side.hpp). Once there are several times as many as vertices, their
// forest takes their place. So most edges are looked at once or twice, and memory is O(vertices).
#pragma once
#include <copse/execution.hpp>
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/weighted_forest.hpp>

#include <cstdint>
#include <memory_resource>
#include <variant>

namespace copse::merging {

/// How the steps run. Borrows the execution.
struct context {
  const execution& on;
  unsigned threads;
};

/// Components while they are merged: the parent of every vertex is one of its tree that is no larger, its own for a root; no_vertex where a
/// slot is absent.
struct parent_forest {
  std::variant<buffer<std::uint32_t>, buffer<std::uint64_t>> parents;
  vertex_names held_names;

  [[nodiscard]] const vertex_names& names() const noexcept { return held_names; }
  [[nodiscard]] bool merges_in_place() const noexcept { return held_names.what() == vertex_names::kind::identity; }
};

/// Weighted forests while they are merged: edges that have the forest of all in them.
struct weighted_list {
  weighted_graph list;
  forest_goal goal = forest_goal::minimum;

  [[nodiscard]] const vertex_names& names() const noexcept { return list.edges.names(); }
  [[nodiscard]] static bool merges_in_place() noexcept { return false; }
};

// Overloads for both.

/// Copies an answer in normal form.
parent_forest working_copy(const labelling& labels, const context& how);
weighted_list working_copy(const weighted_forest_result& forest, const context& how);

/// Throws usage_error if two answers cannot be merged, whatever the names of their vertices are.
void expect_alike(const parent_forest& first, const parent_forest& next);
void expect_alike(const weighted_list& first, const weighted_list& next);

/// Precondition: both merge in place, or neither does and their names are of one kind and one sign (name_kinds, partial.cpp).
parent_forest merged(parent_forest a, parent_forest b, const context& how);
weighted_list merged(weighted_list a, weighted_list b, const context& how);

/// Gives what merges in place names of its own, and drops its gaps.
parent_forest with_names(parent_forest forest, const context& how);
inline weighted_list with_names(weighted_list list, const context& /*how*/) { return list; }

/// The answer, not yet in normal form.
labelling answer_of(parent_forest forest, const context& how);
weighted_forest_result answer_of(weighted_list list, const context& how);

}  // namespace copse::merging
