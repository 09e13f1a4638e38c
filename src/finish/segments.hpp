// Sutton, Ben-Nun, Barak (2018) in the form of the ECL-CC thesis (Algorithm 6): the edge list is cut into 2m/n segments; after the hooks of
// each segment all trees are flattened, so that the next segment's hooks start at roots. The hook is Afforest's: the larger of two parents
// is hooked under the smaller one by compare-and-swap; if the larger one was not a root, the edge continues from that vertex's parent,
// until the ends have met. So one pass per segment is enough. O(n) for every n/2 edges: as much flattening as hooking.
#pragma once
#include <copse/extend/rule_traits.hpp>
#include <copse/extend/rules/unite/afforest.hpp>
#include <finish/rounds.hpp>
#include <finish/united.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace copse::finish {

struct segments {
  static constexpr std::string_view name = "segments";
  static constexpr std::string_view summary = "segments of n/2 edges: hook, flatten (Sutton et al.)";
  static constexpr rule_traits traits{.needs_edge_list = true};

  template <class Backend, class Id>
  static void run(backend::solve_context<Backend, Id>& context, const backend::arc_set<Id>& arcs) {
    const auto p = context.trees.plain();
    const std::size_t length = std::max<std::size_t>(shortest, arcs.vertices / 2);
    for (std::size_t first = 0; first < arcs.edges.size(); first += length) {
      backend::arc_set<Id> segment = arcs;
      segment.edges = arcs.edges.subspan(first, std::min(length, arcs.edges.size() - first));
      {
        const round_timer<Backend> time{context, "graft"};
        visit(context.loops, segment, backend::itself{}, unite_ends<unite::afforest, std::remove_const_t<decltype(p)>>{p});
      }
      shortcut(context);
    }
  }

private:
  // Number of edges that a segment has at least: the pass over the vertices after a segment does not pay for fewer, however few vertices
  // there are.
  static constexpr std::size_t shortest = 64;
};

}  // namespace copse::finish
