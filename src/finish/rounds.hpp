// What the rules that work in rounds share: each edge's two labels, and whether a round changed anything.
#pragma once
#include <copse/extend/host_device.hpp>
#include <core/phase_times.hpp>
#include <loops/solve_context.hpp>

#include <atomic>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace copse::finish {

/// Set by any thread, read by one after the loop.
class changes {
public:
  void note() noexcept {
    if (!any_.load(std::memory_order_relaxed)) any_.store(true, std::memory_order_relaxed);
  }
  /// Was it set since the last call?
  bool happened() noexcept { return any_.exchange(false, std::memory_order_relaxed); }

private:
  std::atomic<bool> any_{false};
};

/// The same for steps that a backend copies to where its loops run: they hold a `noter`. A backend with its own memory defines its own
/// `change_flag`.
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

/// Adds the time of its scope to a phase: part of a finish, over all rounds. On a GPU, where loops end later than their calls, the time
/// lies between two places of the stream, and nobody waits for it before the solve has ended.
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

/// f(u, v) for every arc of the set, both under the names that rounds know (the giant is vertex 0).
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

/// f(v) for every vertex.
template <class Backend, class Id, class F>
void for_vertices(backend::solve_context<Backend, Id>& context, F f) {
  context.loops.for_each(context.trees.vertices(), step_of_vertex<Id, F>{f});
}

}  // namespace copse::finish
