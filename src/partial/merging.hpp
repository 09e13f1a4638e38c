// Merges two partial answers.
//
// Components: a parent is never larger than its child, before and after a merge, so that one ascending pass makes canonical labels at the
// end. Dense ids are united in the array of one of the two; vertices with names move to their positions in the union of the names
// (graph/name_union.hpp), which keep their order.
//
// Weighted forests: the edges of both are put into one list (weighted/side_by_side.hpp). Once the list has several times as many edges as
// vertices, it is replaced by its forest. So most edges are processed once or twice, and memory is O(vertices).
#pragma once
#include <copse/execution.hpp>
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/weighted_forest.hpp>

#include <cstdint>
#include <memory_resource>
#include <variant>

namespace copse::merging {

/// The execution on which the steps of a merge run, kept as a reference.
struct context {
  const execution& on;
  unsigned threads;
};

/// Components during a merge, as an array of parents: the parent of a vertex is in the same tree and is not larger. A root is its own
/// parent, and the parent of an absent vertex is no_vertex.
struct parent_forest {
  std::variant<buffer<std::uint32_t>, buffer<std::uint64_t>> parents;
  vertex_names held_names;

  [[nodiscard]] const vertex_names& names() const noexcept { return held_names; }
  [[nodiscard]] bool merges_in_place() const noexcept { return held_names.what() == vertex_names::kind::identity; }
};

/// Weighted forests during a merge: a list of edges that contains the forest of all edges so far.
struct weighted_list {
  weighted_graph list;
  forest_goal goal = forest_goal::minimum;

  [[nodiscard]] const vertex_names& names() const noexcept { return list.edges.names(); }
  [[nodiscard]] static bool merges_in_place() noexcept { return false; }
};

// The following functions are overloaded for components and for weighted forests.

/// Copies an answer into the form that merges work on. Precondition: the answer is in normal form (normal_form.hpp).
parent_forest working_copy(const labelling& labels, const context& how);
weighted_list working_copy(const weighted_forest_result& forest, const context& how);

/// Throws usage_error if two answers cannot be merged for reasons other than the names of their vertices.
void expect_alike(const parent_forest& first, const parent_forest& next);
void expect_alike(const weighted_list& first, const weighted_list& next);

/// Merges two answers. Precondition: vertices are named by their own numbers in both (merges_in_place()) or in neither. In the latter case,
/// the names of both are strings, or integers of which none is negative in one answer and above INT64_MAX in the other.
parent_forest merged(parent_forest a, parent_forest b, const context& how);
weighted_list merged(weighted_list a, weighted_list b, const context& how);

/// Turns a forest whose vertices are named by their own numbers into one with a list of names and without absent vertices; returns other
/// forests unchanged.
parent_forest with_names(parent_forest forest, const context& how);
inline weighted_list with_names(weighted_list list, const context& /*how*/) { return list; }

/// The merged answer, not necessarily in normal form, the one form in which equal answers are saved.
labelling answer_of(parent_forest forest, const context& how);
weighted_forest_result answer_of(weighted_list list, const context& how);

}  // namespace copse::merging
