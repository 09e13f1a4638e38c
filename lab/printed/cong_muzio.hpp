// CC and CC-updt of Cong and Muzio (Euro-Par 2014) as they print them, on any backend: a graft stores without a look at the word before.
// The library's `cc` and `cc_updt` (src/finish) store only what is smaller, which saves rounds, and prove what these rest on, too: within a
// pass only labels of its beginning are stored, into words of such labels, and always a smaller one, so that no cycle forms; the last store
// into a word stands, and the edges of the others come again. Algorithm 3 is the sampler `stages` over `cc_printed`. As printed all of them
// work on a list in random order that they may overwrite: `bench --preset paper --input coo`.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/rule_traits.hpp>
#include <finish/moving_edges.hpp>
#include <finish/rounds.hpp>

#include <string_view>
#include <type_traits>

namespace copse::lab {

/// The larger of two different labels onto the smaller one.
template <class P>
COPSE_HOST_DEVICE void store_graft(P p, typename P::id a, typename P::id b) {
  p.store(a < b ? b : a, a < b ? a : b);
}

template <class P, class Noter>
struct store_labels {
  P p;
  Noter any;
  COPSE_HOST_DEVICE void operator()(typename P::id u, typename P::id v) const {
    const auto a = p.load(u), b = p.load(v);
    if (a == b) return;
    store_graft(p, a, b);
    any.note();
  }
};

template <class P>
struct store_ends {
  P p;
  COPSE_HOST_DEVICE void operator()(typename P::id u, typename P::id v) const {
    if (u != v) store_graft(p, u, v);
  }
};

/// Algorithm 1.
struct cc_printed {
  static constexpr std::string_view name = "cc_printed";
  static constexpr std::string_view summary = "rounds: graft labels by stores without a look, flatten (CC as printed)";
  static constexpr rule_traits traits{.synchronous = true, .needs_edge_list = true};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs) {
    finish::change_flag<Backend, Id> any{context};
    const auto p = context.trees.plain();
    for (;;) {
      {
        const finish::round_timer<Backend> time{context, "graft"};
        finish::for_arcs(context, arcs, store_labels<std::remove_const_t<decltype(p)>, decltype(any.notes())>{p, any.notes()});
      }
      if (!any.happened()) return;
      finish::shortcut(context);
    }
  }
};

/// Algorithm 2. Where the list may not be overwritten, a copy drops the edges whose ends have met.
struct cc_updt_printed {
  static constexpr std::string_view name = "cc_updt_printed";
  static constexpr std::string_view summary = "rounds: graft the ends by stores without a look, flatten, update (CC-updt as printed)";
  static constexpr rule_traits traits{.synchronous = true, .needs_mutable_coo = true};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs) {
    finish::moving_edges<Backend, Id> edges{context, arcs};
    const auto p = context.trees.plain();
    while (edges.any_left()) {
      {
        const finish::round_timer<Backend> time{context, "graft"};
        edges.for_each(store_ends<std::remove_const_t<decltype(p)>>{p});
      }
      finish::shortcut(context);
      const finish::round_timer<Backend> time{context, "update"};
      edges.move();
    }
  }
};

}  // namespace copse::lab
