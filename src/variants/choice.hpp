// Which variant a call runs, and on which view of its graph: what all problems do before they solve.
#pragma once
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/graph.hpp>
#include <core/phase_times.hpp>
#include <core/request.hpp>
#include <variants/table.hpp>

#include <string_view>

namespace copse::variant {

template <class View>
constexpr bool is_rows = requires(View g) {
  g.offsets;
};

struct chosen_variant {
  const table_entry* chosen = nullptr;
  graph built;  ///< rows built from an edge list, for a variant that walks rows; `view` is then a view of these
  graph_view view;
  double choosing_seconds = 0;
};

/// Asks a chooser if one is named, and builds rows if the variant needs them. Fills in the report's variant, explanation, threads, edges
/// and build_seconds. Throws usage_error if the name is not that of a variant.
chosen_variant choose_variant(graph_view view, const solve_request& options, problem_kind problem, solve_report& report);

/// Returns a copy of rows with both directions of every edge, and records the time as a phase of the solve.
template <class View>
auto both_directions_of(View g, const solve_request& options, phase_times& times) {
  const phase_timer time{times, "symmetrise"};
  return symmetrise(g, build_options{.drop_duplicates = false, .drop_loops = false}, options.on());
}

/// Calls f(g), or f(copy) with a copy that has both directions of every edge, if the variant needs them and g may lack some.
template <class View, class F>
auto with_directions(const table_entry& entry, View g, const solve_request& options, phase_times& times, F f) {
  if constexpr (is_rows<View>) {
    if (entry.info.both_directions && g.symmetric != symmetry::yes) return f(both_directions_of(g, options, times).view());
  }
  return f(g);
}

/// Returns the variant of incremental connectivity with that name, or for "auto" the one for this number of threads, or for a GPU. Throws
/// usage_error with the reason if there is none, or if it runs on the CPU although a GPU is requested.
const table_entry& incremental_variant_named(std::string_view name, unsigned threads, bool on_gpu);

}  // namespace copse::variant
