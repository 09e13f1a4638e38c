// Direction-optimising breadth-first search (Beamer, Asanovic, Patterson 2012) of one component: small frontiers push along their arcs;
// while the frontier has many arcs, unreached vertices look for a reached neighbour instead. O(n + arcs) per pull step.
// Only reachability is asked for, not distance, so a pull may use what the same step has just reached. Stale labels do no harm: a vertex is
// claimed by a swap, which is not stale, and what an earlier step reached is seen by all, because steps meet at barriers.
#pragma once
#include <copse/extend/host_device.hpp>
#include <loops/frontier.hpp>
#include <loops/links.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace copse::backend {

/// Replaces `free` by `value` in the word of v. True for the one thread that did.
template <class Words, class Id>
COPSE_HOST_DEVICE bool claim(Words words, Id v, Id free, Id value) {
  if (words.load(v) != free) return false;
  for (;;) {
    const auto swap = words.cas(v, free, value);
    if (swap.ok) return true;
    if (swap.seen != free) return false;
  }
}

/// From the frontier to its neighbours.
template <class Labels, class Note>
struct reach_neighbours : frontier_step {
  using id = typename Labels::id;
  Labels labels;
  id start;
  Note note;

  COPSE_HOST_DEVICE reach_neighbours(Labels of, id from, Note noting) noexcept : labels{of}, start{from}, note{noting} {}
  COPSE_HOST_DEVICE id begin(id v) const noexcept { return v; }
  template <class Append>
  COPSE_HOST_DEVICE bool along(id from, id target, Append& append) const {
    if (target != start && claim(labels, target, target, start)) {
      note(from, target);
      append(target);
    }
    return true;
  }
};

/// The same by stores, where nothing is recorded (idempotent, as Merrill, Garland and Grimshaw 2012 have it): threads that find a vertex at
/// the same time all mark it, with the same word, and all append it.
template <class Labels>
struct mark_neighbours : frontier_step {
  using id = typename Labels::id;
  Labels labels;
  id start;

  COPSE_HOST_DEVICE mark_neighbours(Labels of, id from) noexcept : labels{of}, start{from} {}
  COPSE_HOST_DEVICE id begin(id v) const noexcept { return v; }
  template <class Append>
  COPSE_HOST_DEVICE bool along(id /*from*/, id target, Append& append) const {
    if (target != start && labels.load(target) == target) {
      labels.store(target, start);
      append(target);
    }
    return true;
  }
};

/// From unreached vertices to a reached neighbour. `Shared`: several threads may take the same vertex.
template <class Labels, bool Shared, class Note>
struct look_for_reached : frontier_step {
  using id = typename Labels::id;
  Labels labels;
  id start;
  Note note;

  COPSE_HOST_DEVICE look_for_reached(Labels of, id from, Note noting) noexcept : labels{of}, start{from}, note{noting} {}
  COPSE_HOST_DEVICE bool wants(id v) const { return v != start && labels.load(v) == v; }
  COPSE_HOST_DEVICE id begin(id v) const noexcept { return v; }
  template <class Append>
  COPSE_HOST_DEVICE bool along(id v, id target, Append& append) const {
    if (labels.load(target) != start) return true;
    if constexpr (Shared) {
      if (!claim(labels, v, v, start)) return false;
    } else {
      labels.store(v, start);
    }
    note(target, v);
    append(v);
    return false;
  }
};

/// A frontier with at most this share of the remaining arcs is pushed.
inline constexpr std::uint64_t pushed_part = 15;

/// The frontier of searches by reach(). Where the backend pushes by stores, it has room for repeats.
template <class Backend, class Id>
frontier<Backend, Id, true> search_frontier(const Backend& loops, const any_rows<Id>& rows, std::pmr::memory_resource* memory) {
  if constexpr (frontier<Backend, Id, true>::may_hold_repeats) {
    if (loops.searches_by_stores()) return {loops, rows, memory, rows.arcs / pushed_part};
  }
  return {loops, rows, memory};
}
template <class Backend, class Id, class Labels, class Note>
void push_on(frontier<Backend, Id, true>& reached, Labels labels, Id start, Note note) {
  if constexpr (frontier<Backend, Id, true>::may_hold_repeats && std::is_same_v<Note, note_reached<no_recorder>>) {
    if (reached.holds_repeats()) return reached.push_on(mark_neighbours<Labels>{labels, start});
  }
  reached.push_on(reach_neighbours<Labels, Note>{labels, start, note});
}

/// labels[v] = start for every vertex of start's component; note(u, v) for the arc along which v was reached, but for start once each.
/// Precondition: symmetric rows; labels[v] == v for all of these vertices.
template <class Backend, class Id, class Labels, class Note = note_reached<no_recorder>>
void reach(const any_rows<Id>& rows, Labels labels, Id start, frontier<Backend, Id, true>& reached, Note note = {}) {
  std::uint64_t arcs_left = rows.arcs;
  for (reached.restart(start); reached.size() > 0;) {
    std::uint64_t frontier_arcs = reached.arcs();
    if (frontier_arcs > arcs_left / pushed_part) {
      reached.pull(look_for_reached<Labels, frontier<Backend, Id, true>::shares_rows, Note>{labels, start, note});
    } else {
      push_on(reached, labels, start, note);
    }
    if constexpr (frontier<Backend, Id, true>::may_hold_repeats) frontier_arcs -= reached.repeated_arcs();
    arcs_left -= frontier_arcs < arcs_left ? frontier_arcs : arcs_left;
  }
}

}  // namespace copse::backend
