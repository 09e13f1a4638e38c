// spanning_forest(): choose a row, run it, time it.
#include <copse/core/error.hpp>
#include <copse/spanning_forest.hpp>
#include <registry/cuda.hpp>
#include <registry/forest_table.hpp>
#include <registry/gpu_trip.hpp>
#include <registry/row_choice.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace copse {
namespace {

using clock = std::chrono::steady_clock;

template <class Id>
drivers::spanned<Id> span_on_gpu(const registry::row& row, const backend::arc_set<Id>& graph, const solve_options& options,
                                 solve_report& report, phase_times& times, bool with_labels) {
  if constexpr (sizeof(Id) != 4) {
    registry::refuse_wide_ids();
  } else {
    return registry::there_and_back(
        row, graph, options, report, times,
        [&](registry::cuda_solver& solver, const backend::arc_set<Id>& there) {
          return solver.span(row.sampler, row.finish, there, options, times, with_labels);
        },
        [&](registry::cuda_solver& solver, const registry::cuda_solver::spanned& found) {
          return drivers::spanned<Id>{solver.copy_out(found.edges, options.memory), solver.copy_out(found.labels, options.memory)};
        });
  }
}

template <class Id>
drivers::spanned<Id> span_row(const registry::row& row, const backend::arc_set<Id>& graph, const solve_options& options,
                              solve_report& report, phase_times& times, bool with_labels) {
  if constexpr (registry::has_cuda) {
    if (row.info.backend == registry::cuda_name) return span_on_gpu(row, graph, options, report, times, with_labels);
  }
  drivers::spanned<Id> made;
  registry::for_each_type(registry::backends{}, [&]<class Backend>() {
    if (row.info.backend == Backend::name)
      made = registry::span_row<Backend, Id>(row.sampler, row.finish, graph, options, times, with_labels);
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
        const bool with_labels = parts == forest_parts::edges_and_labels;
        auto made = registry::with_directions(*choice.chosen, g, options, times, [&](auto both) {
          return span_row(*choice.chosen, backend::arc_set<id>{both}, options, result.report, times, with_labels);
        });
        result.edges = graph{coo<id>{g.vertices(), std::move(made.edges)}, names};
        if (with_labels) result.labels.emplace(std::move(made.labels), names);
      },
      choice.view);
  result.report.solve_seconds =
      choice.choosing_seconds + std::chrono::duration<double>(clock::now() - start).count() - result.report.copy_seconds;
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
