// spanning_forest(): choose a row, run it, time it.
#include <copse/core/error.hpp>
#include <copse/spanning_forest.hpp>
#include <registry/cuda.hpp>
#include <registry/forest_table.hpp>
#include <registry/row_choice.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace copse {
namespace {

using clock = std::chrono::steady_clock;

template <class Id>
drivers::spanned<Id> span_row(const registry::row& row, const backend::arc_set<Id>& graph, const solve_options& options, phase_times& times,
                              forest_parts parts) {
  drivers::spanned<Id> made;
  registry::for_each_type(registry::backends{}, [&]<class Backend>() {
    if (row.info.backend != Backend::name) return;
    made = registry::span_row<Backend, Id>(row.sampler, row.finish, graph, options, times, parts == forest_parts::edges_and_labels);
  });
  return made;
}

forest_result span_view(graph_view whole, const vertex_names& names, const solve_options& options, forest_parts parts) {
  if (options.count) throw usage_error{"count: found a spanning forest, expected components: forests are not counted"};
  forest_result result;
  const auto choice = registry::choose_row(whole, options, problem_kind::forest, result.report);
  const auto start = clock::now();
  phase_times times;
  std::visit(
      [&]<class View>(const View& g) {
        using id = typename View::id_type;
        auto made = registry::with_directions(*choice.chosen, g, options, times, [&](auto both) {
          return span_row(*choice.chosen, backend::arc_set<id>{both}, options, times, parts);
        });
        result.edges = graph{coo<id>{g.vertices(), std::move(made.edges)}, names};
        if (parts == forest_parts::edges_and_labels) result.labels.emplace(std::move(made.labels), names);
      },
      choice.view);
  result.report.solve_seconds = choice.choosing_seconds + std::chrono::duration<double>(clock::now() - start).count();
  result.report.phases = times.all();
  return result;
}

}  // namespace

std::uint64_t forest_result::edge_count() const noexcept {
  return std::visit(
      [](const auto& shape) -> std::uint64_t {
        if constexpr (requires { shape.edges; }) {
          return shape.edges.size();
        } else {
          return 0;  // never: a forest is a list
        }
      },
      edges.shape());
}

forest_result spanning_forest(const graph& g, const solve_options& options, forest_parts parts) {
  return span_view(g.view(), g.names(), options, parts);
}

forest_result spanning_forest(graph_view g, const solve_options& options, forest_parts parts) {
  const auto n = std::visit([](const auto& shape) { return std::uint64_t{shape.vertices()}; }, g);
  return span_view(g, vertex_names::identity(n), options, parts);
}

}  // namespace copse
