// Ids of components that stay: which component after a batch goes on as which before it, and what that means as events.
//
// Idea: a record stays with the larger part where components join or part, so that the records that a batch touched and the vertices that
// moved say everything: a component before the batch shares with that which its record has become all vertices but those that moved.
//
// Cost: of ids and events, O(touched records + moves), and sorting; of the vertices whose id changed, their number. These are found only
// when somebody asks.
#pragma once
#include <copse/dynamic.hpp>
#include <dynamic/connectivity.hpp>

#include <cstdint>
#include <functional>
#include <span>
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

/// Gives every record that a batch touched its id, and takes fresh ones from `next_id`. Returns the events in their order.
[[nodiscard]] std::vector<component_event> settle_ids(dynamic_components& graph, std::uint64_t& next_id, const vertex_order& order,
                                                      const revival* undo);

/// The vertices whose component has another id than before the batch, sorted. Precondition: its ids were settled, and no other batch was
/// begun.
[[nodiscard]] std::vector<id_row> changed_ids(const dynamic_components& graph);

}  // namespace copse::dynamics
