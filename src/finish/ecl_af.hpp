// Atomic-free ECL-CC (Jaiganesh, thesis 2017, section 4.5): ecl_cc with a plain store in place of each compare-and-swap, over all edges
// again until a pass finds no two representatives that differ.
//
// Links may be lost: two hooks of one root overwrite each other, and a late jump overwrites a hook. But always p[x] <= x, because every
// store is below a parent that was just read, and p[x] is in x's component; so no store does harm, and every edge is tried again. In the
// last pass no thread hooks: jumps store ancestors only, no vertex changes its tree, and every edge finds one root, so everything is
// joined. It ends: a store to p[x] is below a value that p[x] held in the same pass, so below the value at the beginning of the pass; a
// pass that hooks makes the sum of all parents smaller. Stale loads change nothing: the value that is read was there in this pass, whose
// end is a barrier.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/parent_array.hpp>
#include <copse/extend/rule_traits.hpp>
#include <finish/ecl_cc.hpp>
#include <finish/rounds.hpp>
#include <loops/host_loops.hpp>

#include <string_view>
#include <type_traits>

namespace copse::finish {

/// An accessor whose compare-and-swap is a store that always succeeds, and that notes the change.
template <class P, class Noter>
class stores_only : public P {
public:
  COPSE_HOST_DEVICE stores_only(P parents, Noter any) noexcept : P{parents}, any_{any} {}

  COPSE_HOST_DEVICE cas_result<typename P::word> cas(typename P::id v, typename P::word expected, typename P::word desired) const noexcept {
    this->store(v, desired);
    any_.note();
    return {true, expected};
  }

private:
  Noter any_;
};

struct ecl_af {
  static constexpr std::string_view name = "ecl_af";
  static constexpr std::string_view summary = "ecl_cc by plain stores, repeated until nothing changes (atomic-free ECL-CC)";
  static constexpr rule_traits traits{.from_scratch = true, .needs_rows = true};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& graph) {
    ecl_cc::start(context, graph.rows);
    change_flag<Backend, Id> any{context};
    const stores_only p{context.trees.plain(), any.notes()};
    do {
      visit(backend::guided{context.loops}, graph, backend::itself{},
            unite_ends<unite::ecl<find::representative>, std::remove_const_t<decltype(p)>>{p});
    } while (any.happened());
  }
};

}  // namespace copse::finish
