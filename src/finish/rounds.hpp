// What the rules that work in rounds share: the two labels of each edge, a flag that a round changed anything, grafts, pointer jumping, and
// the labels at the beginning of a round.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/memory.hpp>
#include <core/phase_times.hpp>
#include <loops/solve_context.hpp>

#include <atomic>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace copse::finish {

/// A flag that any thread may set, and that one thread reads after the loop.
class changes {
public:
  void note() noexcept {
    if (!any_.load(std::memory_order_relaxed)) any_.store(true, std::memory_order_relaxed);
  }
  /// True if the flag was set since the last call of this function.
  bool happened() noexcept { return any_.exchange(false, std::memory_order_relaxed); }

private:
  std::atomic<bool> any_{false};
};

/// A flag that the steps of a round raise if they change anything. A step holds a `noter` of the flag, because a backend may copy the step
/// to where its loops run. A backend with its own memory defines its own `change_flag`.
template <class Backend, class Id>
class change_flag {
public:
  class noter {
  public:
    explicit noter(changes& any) noexcept : any_{&any} {}
    void note() const noexcept { any_->note(); }

  private:
    changes* any_;
  };

  explicit change_flag(backend::solve_context<Backend, Id>& /*with*/) noexcept {}
  [[nodiscard]] noter notes() noexcept { return noter{any_}; }
  bool happened() noexcept { return any_.happened(); }

private:
  changes any_;
};
template <class Backend, class Id>
requires Backend::on_device class change_flag<Backend, Id> : public Backend::change_flag {
public:
  explicit change_flag(backend::solve_context<Backend, Id>& context) : Backend::change_flag{context.loops, context.trees.memory()} {}
};

/// Adds the time of its scope to a phase, which is a part of a finish over all rounds. On a GPU, where loops end later than their calls,
/// the time is measured between two points of the stream, and is read when the solve has ended.
template <class Backend>
class round_timer {
public:
  template <class Id>
  round_timer(backend::solve_context<Backend, Id>& context, std::string_view name) noexcept : time_{context.times, name} {}

private:
  phase_timer time_;
};
template <class Backend>
requires Backend::on_device class round_timer<Backend> {
public:
  template <class Id>
  round_timer(backend::solve_context<Backend, Id>& context, std::string_view name) : laps_{context.loops.laps()}, name_{name} {
    if (laps_ != nullptr) part_ = laps_->begin_part();
  }
  round_timer(const round_timer&) = delete;
  ~round_timer() {
    if (laps_ != nullptr) laps_->end_part(name_, part_);
  }

private:
  decltype(std::declval<const Backend&>().laps()) laps_;
  std::string_view name_;
  std::size_t part_ = 0;
};

template <class P>
struct label_under_name {
  P p;
  backend::naming<typename P::id> name;
  COPSE_HOST_DEVICE typename P::id operator()(typename P::id v) const noexcept { return name(p.load(name(v))); }
};
template <class Id, class F>
struct step_under_names {
  F f;
  backend::naming<Id> name;
  COPSE_HOST_DEVICE Id operator()(Id u, Id target) const {
    f(name(u), name(target));
    return u;
  }
};

/// Calls f(u, v) for every arc of the set. Both ends are given by the names that rounds use (the giant is vertex 0).
template <class Backend, class Id, class F>
void for_arcs(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs, F f) {
  const auto p = context.trees.plain();
  visit(context.loops, arcs, label_under_name<std::remove_const_t<decltype(p)>>{p, arcs.names()}, step_under_names<Id, F>{f, arcs.names()});
}

template <class Id, class F>
struct step_of_vertex {
  F f;
  COPSE_HOST_DEVICE void operator()(std::size_t i) const { f(static_cast<Id>(i)); }
};

/// Calls f(v) for every vertex.
template <class Backend, class Id, class F>
void for_vertices(backend::solve_context<Backend, Id>& context, F f) {
  context.loops.for_each(context.trees.vertices(), step_of_vertex<Id, F>{f});
}

// What the rules of Cong and Muzio (Fast parallel connected components algorithms on GPUs, Euro-Par 2014) share: a graft, which is a store,
// and the shortcut that follows a pass of grafts.

/// Points the larger of two different labels at the smaller one. Because this is a store, another thread's graft of the same label may be
/// lost.
template <class P>
COPSE_HOST_DEVICE void graft(P p, typename P::id a, typename P::id b) {
  const auto high = a < b ? b : a, low = a < b ? a : b;
  if (low < p.load(high)) p.store(high, low);
}

/// Flattens all trees.
template <class Backend, class Id>
void shortcut(backend::solve_context<Backend, Id>& context) {
  const round_timer<Backend> time{context, "shortcut"};
  context.trees.flatten(context.loops);
}

// Pointer jumping in lockstep: passes in which every vertex takes an ancestor one step or several steps further up as its parent. With s
// steps per pass, a path of length l is flat after about log l / log (s + 1) passes, where a walk from each of its vertices takes l * l / 2
// steps in total.

/// Makes every vertex's grandparent its parent. Calls `jumped(parent)` for each new parent.
template <class P, class Jumped>
struct jump_once {
  P p;
  Jumped jumped;
  COPSE_HOST_DEVICE void operator()(typename P::id v) const {
    const auto parent = p.load(v), grandparent = p.load(parent);
    if (grandparent == parent) return;
    p.store(v, grandparent);
    jumped(grandparent);
  }
};
template <class P, class Jumped>
jump_once(P, Jumped) -> jump_once<P, Jumped>;

/// Takes a vertex up to `steps` steps up, and notes if it may have further to go.
template <class P, class Noter>
struct jump_some {
  static constexpr unsigned steps = 8;  // most trees are no deeper than this, so that one pass suffices for them

  P p;
  Noter any;
  COPSE_HOST_DEVICE void operator()(typename P::id v) const {
    const auto first = p.load(v);
    auto parent = first;
    for (unsigned step = 0; step < steps; ++step) {
      const auto grandparent = p.load(parent);
      if (grandparent == parent) break;
      parent = grandparent;
      if (step + 1 == steps) any.note();
    }
    if (parent != first) p.store(v, parent);
  }
};
template <class P, class Noter>
jump_some(P, Noter) -> jump_some<P, Noter>;

/// Repeats jump_some for all vertices until every parent is a root: in a pass that notes nothing, each vertex has reached a root, and
/// nothing writes to the parents of roots. A load may be stale, but it still gives an ancestor, and never makes a vertex look like a root
/// that is none.
template <class Backend, class Id>
void jump_to_roots(backend::solve_context<Backend, Id>& context, change_flag<Backend, Id>& any) {
  do {
    for_vertices(context, jump_some{context.trees.plain(), any.notes()});
  } while (any.happened());
}

/// Copies a label, so that the labels of the beginning of a round are kept next to the new ones.
template <class P>
struct copy_label {
  P from, to;
  COPSE_HOST_DEVICE void operator()(typename P::id v) const noexcept { to.store(v, from.load(v)); }
};
template <class P, class Noter>
struct take_over_label {
  P now, before;
  Noter any;
  COPSE_HOST_DEVICE void operator()(typename P::id v) const {
    const auto label = now.load(v);
    if (before.load(v) == label) return;
    before.store(v, label);
    any.note();
  }
};
template <class P, class Noter>
take_over_label(P, P, Noter) -> take_over_label<P, Noter>;

template <class Backend, class Id>
class labels_before {
public:
  using parents = typename Backend::template parents<Id>;

  explicit labels_before(backend::solve_context<Backend, Id>& context)
      : context_{context}, words_(context.trees.vertices(), context.trees.memory()), any_{context} {
    for_vertices(context_, copy_label<parents>{context_.trees.plain(), labels()});
  }

  [[nodiscard]] parents labels() noexcept { return parents{words_.data()}; }

  /// Ends the round: its labels become those that the next round begins with. Returns true if any label changed.
  bool take_over() {
    for_vertices(context_, take_over_label{context_.trees.plain(), labels(), any_.notes()});
    return any_.happened();
  }

private:
  backend::solve_context<Backend, Id>& context_;
  buffer<Id> words_;
  change_flag<Backend, Id> any_;
};

}  // namespace copse::finish
