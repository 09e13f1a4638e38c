// Two forests become one. A parent is never larger than its child, before and after, so that one ascending pass makes canonical labels at
// the end, and a vertex of one forest may be given a new position without a look at its tree, as long as positions keep their order.
//
// Dense ids: the stars of one forest are united in the array of the other, by all threads. Names: both lists are ascending, so their union
// is found by walking them side by side, in blocks that threads take; no hash table, no sort. O(vertices of both), two passes.
#pragma once
#include <copse/labels.hpp>
#include <copse/memory.hpp>

#include <cstdint>
#include <memory_resource>
#include <variant>

namespace copse::drivers {

struct merge_context {
  unsigned threads = 1;
  std::pmr::memory_resource* memory = nullptr;
};

/// A forest while it is merged: the parent of every vertex is one of its tree that is no larger, its own for a root; no_vertex where a slot
/// is absent.
struct parent_forest {
  std::variant<buffer<std::uint32_t>, buffer<std::uint64_t>> parents;
  vertex_names names;

  [[nodiscard]] std::uint64_t slots() const noexcept { return names.size(); }
  [[nodiscard]] bool dense() const noexcept { return names.what() == vertex_names::kind::identity; }
  [[nodiscard]] bool strings() const noexcept { return names.what() == vertex_names::kind::strings; }
};

/// Of canonical labels, which are parents.
parent_forest parents_of(const labelling& labels, const merge_context& context);

/// Precondition: both are dense, or both have names of one kind and no gaps.
parent_forest merge_parents(parent_forest a, parent_forest b, const merge_context& context);

/// Parents become canonical labels.
labelling flattened(parent_forest forest, const merge_context& context);

}  // namespace copse::drivers
