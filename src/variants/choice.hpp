// Which row a call runs, for which view of its graph: what all problems have in common before they solve.
#pragma once
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/graph.hpp>
#include <variants/table.hpp>

namespace copse::variant {

template <class View>
constexpr bool is_rows = requires(View g) {
  g.offsets;
};

struct chosen_variant {
  const table_entry* chosen = nullptr;
  graph built;  ///< rows made of an edge list, for a row that walks them; the view is theirs then
  graph_view view;
  double choosing_seconds = 0;
};

/// Asks a chooser if one is named, and builds rows where the row wants them. Fills in what the report says of it: variant, explanation,
/// threads, edges, build_seconds. Throws usage_error for a name that is no row.
chosen_variant choose_variant(graph_view view, const solve_options& options, problem_kind problem, solve_report& report);

/// f(g), or f(of a copy with both directions) where the row needs them and g may lack some: the copy is made inside the clock, as a phase.
template <class View, class F>
auto with_directions(const table_entry& row, View g, const solve_options& options, phase_times& times, F f) {
  if constexpr (is_rows<View>) {
    if (row.info.both_directions && g.symmetric != symmetry::yes) {
      const auto both = [&] {
        const phase_timer time{times, "symmetrise"};
        return symmetrise(g, build_options{.drop_duplicates = false,
                                           .drop_loops = false,
                                           .threads = options.threads,
                                           .observer = options.observer,
                                           .memory = options.memory});
      }();
      return f(both.view());
    }
  }
  return f(g);
}

}  // namespace copse::variant
