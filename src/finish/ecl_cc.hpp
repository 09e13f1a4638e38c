// ECL-CC as a whole (Jaiganesh, thesis 2017; Jaiganesh and Burtscher 2018). Every vertex first takes the first smaller neighbour of its row
// as its parent, by a store to its own word. Then each edge is visited from its larger end, and the representatives of both ends are joined
// by compare-and-swap (rules/unite/ecl.hpp); the representative of the row's vertex is carried from arc to arc. Vertices are scheduled in
// guided turns; on one thread that is the thesis's serial form, on a GPU its double-sided worklist (gpu/loops/binned.cuh). The pass that
// makes labels flattens the trees. This finish starts from scratch: it would overwrite the parents of a sampled forest. Sampling together
// with the rule is the variant `ecl`.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/extend/rule_traits.hpp>
#include <copse/extend/rules/find/representative.hpp>
#include <copse/extend/rules/unite/ecl.hpp>
#include <finish/united.hpp>
#include <loops/arcs.hpp>
#include <loops/host_loops.hpp>
#include <loops/solve_context.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace copse::finish {

template <class Backend, class P>
struct start_below {
  P p;
  backend::any_rows<typename P::id> rows;
  COPSE_HOST_DEVICE void operator()(typename P::id v, std::uint64_t first, std::uint64_t last) const {
    for (std::uint64_t a = first; a < last; ++a) {
      backend::inspected<Backend>(1);
      if (rows.targets[a] < v) return p.store(v, rows.targets[a]);
      if (rows.sorted) return;
    }
  }
};

struct ecl_cc {
  static constexpr std::string_view name = "ecl_cc";
  static constexpr std::string_view summary = "start at the first smaller neighbour, then ecl in guided turns (ECL-CC)";
  static constexpr rule_traits traits{.from_scratch = true, .needs_rows = true};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& graph) {
    const auto p = context.trees.plain();
    start(context, graph.rows);
    visit(backend::guided{context.loops}, graph, backend::itself{},
          unite_ends<unite::ecl<find::representative>, std::remove_const_t<decltype(p)>>{p});
  }

  /// Gives every vertex the first smaller target of its row as its parent.
  template <class Backend, class Id>
  static void start(backend::solve_context<Backend, Id>& context, const backend::any_rows<Id>& rows) {
    const auto p = context.trees.plain();
    backend::guided{context.loops}.for_row_pieces(rows, start_below<Backend, std::remove_const_t<decltype(p)>>{p, rows});
  }
};

}  // namespace copse::finish
