// Stable ids of components: decides which component after a batch continues which one before it, and reports this as events.
//
// A record stays with the larger part when components join or split, so the records that a batch touched and the vertices that moved are
// enough: the component before the batch shares all vertices but those that moved with the component that its record has become.
//
// Cost: O(touched records + moves), and sorting, for ids and events. The vertices whose id changed are found only on demand, in time
// proportional to their number.
#pragma once
#include <copse/dynamic.hpp>
#include <dynamic/connectivity.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace copse::dynamics {

/// A vertex whose component has another id than before; no_component stands for a vertex that did not exist, or does not exist any more.
struct id_row {
  std::uint32_t vertex;
  std::uint64_t before, after;
  friend bool operator==(const id_row&, const id_row&) = default;
};

/// Compares vertices by name; if empty, they are compared by number.
using vertex_order = std::function<bool(std::uint32_t, std::uint32_t)>;

/// How a batch that reverts another one chooses the ids of components.
struct revival {
  std::span<const id_row> undone;        ///< what the batch that is reverted changed, sorted by vertex
  std::span<const std::uint64_t> ended;  ///< ids that ended in that batch, ascending, and are not in use now
  bool exact = false;                    ///< true if the last batch is reverted: then every component gets back the id that it had before
};

/// Gives every component that a batch changed its id; new ids are taken from `next_id`. Returns the events in their order.
[[nodiscard]] std::vector<component_event> settle_ids(dynamic_components& graph, std::uint64_t& next_id, const vertex_order& order,
                                                      const revival* undo);

/// Returns the vertices whose component has another id than before the batch, sorted. Precondition: settle_ids() was called for the batch,
/// and no other batch has begun.
[[nodiscard]] std::vector<id_row> changed_ids(const dynamic_components& graph);

}  // namespace copse::dynamics
