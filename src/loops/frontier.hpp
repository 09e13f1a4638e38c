// The frontier of a search in steps: the vertices that the last step reached, and the loops that find the vertices of the next step, along
// the rows of the frontier (push) or along the rows of all vertices (pull). Also a breadth-first search that uses it.
//
// A step type defines what a loop does:
//   bool wants(v)                        returns true if v's arcs shall be visited
//   state begin(v)                       called before the first arc; `state` is a type of the step
//   bool along(state&, target, append)   called for one arc; returns false if the other arcs shall be skipped
//   void end(v, state, append)           called after the last arc
// append(v) adds v to the next frontier; the step ensures that each vertex is added at most once. If `shares_rows`, a row may be walked by
// several threads, each with a state of its own. If `may_hold_repeats`, there are frontiers to which a vertex may be added several times:
// holds_repeats() tells whether a frontier is one of these, and repeated_arcs() how many arcs were skipped as those of repeats.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/memory.hpp>
#include <loops/arcs.hpp>
#include <loops/gather.hpp>
#include <loops/links.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace copse::backend {

/// The base of most steps: the arcs of every vertex of the frontier are visited, and nothing is done after the last arc of a vertex.
struct frontier_step {
  template <class Id>
  COPSE_HOST_DEVICE bool wants(Id /*v*/) const noexcept {
    return true;
  }
  template <class Id, class State, class Append>
  COPSE_HOST_DEVICE void end(Id /*v*/, const State& /*state*/, Append& /*append*/) const noexcept {}
};

/// The vertices that the last step of a search reached. If `Measured`, their arcs are counted.
template <class Backend, class Id, bool Measured>
class frontier {
public:
  static constexpr bool shares_rows = false, may_hold_repeats = false;

  frontier(const Backend& loops, const any_rows<Id>& rows, std::pmr::memory_resource* memory)
      : loops_{loops}, rows_{rows}, now_(rows.vertices(), memory), next_(rows.vertices(), memory) {}

  [[nodiscard]] std::size_t size() const noexcept { return now_.size(); }
  [[nodiscard]] const Id* data() const noexcept { return now_.data(); }
  [[nodiscard]] std::uint64_t arcs() const noexcept { return arcs_.load(std::memory_order_relaxed); }

  /// Makes v the only vertex of the frontier.
  void restart(Id v) {
    now_.clear();
    arcs_.store(0, std::memory_order_relaxed);
    appender{*this, now_}(v);
  }
  /// Calls f(i, append) for every i < count, where append(v) adds v to the current frontier.
  template <class F>
  void add(std::size_t count, F f) {
    loops_.for_blocks(count, [this, f](std::size_t begin, std::size_t end) {
      appender append{*this, now_};
      for (std::size_t i = begin; i < end; ++i) f(i, append);
    });
  }
  template <class Step>
  void push(Step step) {
    next(now_.size(), step, [items = now_.data()](std::size_t i) { return items[i]; });
  }
  /// Replaces the frontier by the vertices that `step` appends along its rows, at least once, and several times if that is faster than
  /// returning to the caller after each.
  template <class Step>
  void push_on(Step step) {
    push(step);
  }
  template <class Step>
  void pull(Step step) {
    next(rows_.vertices(), step, [](std::size_t i) { return static_cast<Id>(i); });
  }

private:
  class appender {
  public:
    appender(frontier& of, gathered<Id>& to) noexcept : of_{of}, append_{to} {}
    appender(const appender&) = delete;
    ~appender() {
      if (Measured && arcs_ > 0) of_.arcs_.fetch_add(arcs_, std::memory_order_relaxed);
    }
    void operator()(Id v) noexcept {
      append_(v);
      if constexpr (Measured) arcs_ += rows_.degree(v);
    }

  private:
    frontier& of_;
    any_rows<Id> rows_ = of_.rows_;
    typename gathered<Id>::appender append_;
    std::uint64_t arcs_ = 0;
  };

  template <class Step, class VertexOf>
  void next(std::size_t count, Step step, VertexOf vertex_of) {
    next_.clear();
    arcs_.store(0, std::memory_order_relaxed);
    loops_.for_blocks(count, [this, shared_step = step, shared_rows = rows_, vertex_of](std::size_t begin, std::size_t end) {
      const Step own = shared_step;  // a local copy, which stays in registers
      const any_rows<Id> rows = shared_rows;
      appender append{*this, next_};
      for (std::size_t i = begin; i < end; ++i) {
        const Id v = vertex_of(i);
        if (!own.wants(v)) continue;
        auto state = own.begin(v);
        for (const Id target : rows.row(v)) {
          inspected<Backend>(1);
          if (!own.along(state, target, append)) break;
        }
        own.end(v, state, append);
      }
    });
    now_.swap(next_);
  }

  const Backend& loops_;
  any_rows<Id> rows_;
  gathered<Id> now_, next_;
  std::atomic<std::uint64_t> arcs_{0};
};

// Direction-optimising breadth-first search (Beamer, Asanovic, Patterson 2012) of one component: small frontiers push along their arcs;
// while the frontier has many arcs, unreached vertices search their rows for a reached neighbour instead. O(n + arcs) per pull step. Only
// reachability matters, not distance, so a pull may use vertices that the same step has just reached. Stale labels do no harm: a vertex is
// claimed by a compare-and-swap, which never acts on a stale value, and all threads see what earlier steps reached, because steps end with
// barriers.

/// Marks v as reached: replaces its word `free`, that of an unreached vertex, by `value`. Returns true to the one thread that did so.
template <class Words, class Id>
COPSE_HOST_DEVICE bool claim(Words words, Id v, Id free, Id value) {
  if (words.load(v) != free) return false;
  for (;;) {
    const auto swap = words.cas(v, free, value);
    if (swap.ok) return true;
    if (swap.seen != free) return false;
  }
}

/// A push step: claims the unreached neighbours of the frontier's vertices and appends them to the next frontier.
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

/// A push step that marks the vertices it reaches by plain stores instead of compare-and-swaps (idempotent, as in Merrill, Garland and
/// Grimshaw 2012): threads that find a vertex at the same time all store the same label, and all append the vertex to the next frontier.
/// For searches that record no edge by which a vertex was reached.
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

/// A pull step: each unreached vertex searches its row for a reached neighbour. `Shared` is true if several threads may walk the row of the
/// same vertex.
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

/// A search pushes along the arcs of a frontier if these are at most 1 / pushed_part of the arcs of vertices that were in no earlier
/// frontier; otherwise unreached vertices search their rows (pull).
inline constexpr std::uint64_t pushed_part = 15;

/// Makes the frontier for searches by reach(). If the backend marks reached vertices by plain stores, so that several threads may append
/// one, it has room for these repeats.
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

/// Sets labels[v] = start for every vertex of start's component, and calls note(u, v) with the arc by which v was reached, once for each v
/// except start. Preconditions: rows are symmetric, and labels[v] == v for all vertices of the component.
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
