// Ids of components that stay: which component after a batch goes on as which before it, and what that means as events.
//
// Idea: records of components stay with the larger part where components join or part, so that the vertices whose record is another than
// before the batch say everything: how many vertices an old and a new component share follows from them and from the sizes.
//
// Cost: O(moves log moves), and O(vertices whose id changed).
#pragma once
#include <copse/dynamic.hpp>
#include <dynamic/connectivity.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace copse::dynamics {

/// A vertex whose component has another id than before; no_component: it was not there, or is not there now.
struct id_row {
  std::uint32_t vertex;
  std::uint64_t before, after;
  friend bool operator==(const id_row&, const id_row&) = default;
};

/// By the names of vertices; by their numbers where empty.
using vertex_order = std::function<bool(std::uint32_t, std::uint32_t)>;

/// How a batch that undoes another one chooses ids.
struct revival {
  std::span<const id_row> undone;        ///< what that batch changed, sorted by vertex
  std::span<const std::uint64_t> ended;  ///< ids that ended in it, ascending, and are not in use now
  bool exact = false;                    ///< it was the last batch: every id is as it was
};

struct identity_changes {
  std::vector<id_row> rows;  ///< sorted by vertex
  std::vector<component_event> events;
};

/// Gives every record that a batch touched its id, takes fresh ones from `next_id`, and forgets the moves.
identity_changes settle_ids(dynamic_components& graph, std::uint64_t& next_id, const vertex_order& order, const revival* undo);

}  // namespace copse::dynamics
