// The finish of every union-find rule: unites the ends of each arc. Vertices that have joined the giant since the vote are skipped, too,
// because no vertex leaves it. The unite of each arc in a row starts from the vertex that the previous unite returned.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/rule_traits.hpp>
#include <loops/links.hpp>
#include <loops/solve_context.hpp>

#include <string_view>
#include <type_traits>

namespace copse::finish {

/// The parent of v, which is its root while trees are flat.
template <class P>
struct parent_of {
  P p;
  COPSE_HOST_DEVICE typename P::id operator()(typename P::id v) const noexcept { return p.parent(p.load(v)); }
};

/// Unites the ends of one arc.
template <class Unite, class P>
struct unite_ends {
  static constexpr bool stays_joined = true;
  P p;
  COPSE_HOST_DEVICE typename P::id operator()(typename P::id u, typename P::id target) const { return Unite{}(p, u, target); }
};

/// Unites the ends of one arc, and records the arc if it linked a root.
template <class Unite, class P, class Recorder>
struct unite_noted_ends {
  static constexpr bool stays_joined = true;
  using id = typename P::id;
  P p;
  Recorder recorder;
  COPSE_HOST_DEVICE id operator()(id v, id u, id target) const {
    return backend::unite_and_note<Unite>(p, u, target, recorder, {v, target});
  }
};
/// Records edges in batches, one batch per copy of this step; no two threads use the same copy at once. (Not used for rules for one thread:
/// sequential Rem, which links at two places of its loop, was up to 1.4 times slower with batches.)
template <class Unite, class P, class Recorder>
requires(Unite::traits.concurrent&& requires { typename Recorder::batch; }) struct unite_noted_ends<Unite, P, Recorder> {
  using id = typename P::id;
  using batch_type = typename Recorder::batch;
  P p;
  mutable batch_type batch;
  unite_noted_ends(P parents, Recorder recorder) : p{parents}, batch{recorder} {}
  id operator()(id v, id u, id target) const { return Unite{}(p, u, target, backend::note_in_batch<batch_type, id>{batch, {v, target}}); }
};

template <class Unite>
struct united {
  using rule = Unite;
  static constexpr std::string_view name = Unite::name, summary = Unite::summary;
  static constexpr rule_traits traits = Unite::traits;

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs) {
    const auto p = parents(context.trees);
    using accessor = std::remove_const_t<decltype(p)>;
    visit(context.loops, arcs, parent_of<accessor>{p}, unite_ends<Unite, accessor>{p});
  }
  /// Unites along all arcs, as run() does, and records the links, for a spanning forest.
  template <class Backend, class Id>
  static void record(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs) {
    const auto p = parents(context.trees);
    using accessor = std::remove_const_t<decltype(p)>;
    using recorder = backend::link_recorder<Backend, Id>;
    visit(context.loops, arcs, parent_of<accessor>{p}, unite_noted_ends<Unite, accessor, recorder>{p, context.recorder});
  }

private:
  template <class Trees>
  static auto parents(Trees& trees) {
    if constexpr (traits.aux == aux_array::ranks) {
      return trees.ranked();
    } else if constexpr (traits.aux == aux_array::flags) {
      return trees.flagged();
    } else if constexpr (traits.fresh_loads) {
      return trees.fresh();
    } else {
      return trees.plain();
    }
  }
};

}  // namespace copse::finish
