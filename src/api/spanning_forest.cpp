// spanning_forest(): choose a row, run it, time it.
#include <copse/errors.hpp>
#include <copse/spanning_forest.hpp>
#include <device/round_trip.hpp>
#include <device/solver.hpp>
#include <variants/choice.hpp>
#include <variants/forest_code.hpp>
#include <variants/table.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace copse {
namespace {

using clock = std::chrono::steady_clock;

template <class Id>
drivers::forest_arrays<Id> span_on_gpu(const variant::table_entry& row, const backend::arc_set<Id>& graph, const solve_options& options,
                                       solve_report& report, phase_times& times, bool with_labels) {
  if constexpr (sizeof(Id) != 4) {
    variant::refuse_wide_ids();
  } else {
    return device::solve_on_gpu(
        row, graph, options, report, times,
        [&](device::solver& solver, const backend::arc_set<Id>& there) {
          return solver.span(row.sampler, row.finish, there, options, times, with_labels);
        },
        [&](device::solver& solver, const device::solver::spanned& found) {
          return drivers::forest_arrays<Id>{solver.copy_out(found.edges, options.memory), solver.copy_out(found.labels, options.memory)};
        });
  }
}

template <class Id>
drivers::forest_arrays<Id> solve_forest_variant(const variant::table_entry& row, const backend::arc_set<Id>& graph,
                                                const solve_options& options, solve_report& report, phase_times& times, bool with_labels) {
  if constexpr (variant::has_cuda) {
    if (row.info.backend == variant::cuda_name) return span_on_gpu(row, graph, options, report, times, with_labels);
  }
  drivers::forest_arrays<Id> made;
  variant::for_each_type(variant::backends{}, [&]<class Backend>() {
    if (row.info.backend == Backend::name)
      made = variant::forest_code<Backend, Id>::run(row.sampler, row.finish, graph, options, times, with_labels);
  });
  return made;
}

forest_result span_view(graph_view whole, const vertex_names& names, const solve_options& options, forest_parts parts) {
  if (options.count) throw usage_error{"count: found a spanning forest, expected components: forests are not counted"};
  forest_result result;
  const auto choice = variant::choose_variant(whole, options, problem_kind::forest, result.report);
  const auto start = clock::now();
  phase_times times;
  std::visit(
      [&]<class View>(const View& g) {
        using id = typename View::id_type;
        const bool with_labels = parts == forest_parts::edges_and_labels;
        auto made = variant::with_directions(*choice.chosen, g, options, times, [&](auto both) {
          return solve_forest_variant(*choice.chosen, backend::arc_set<id>{both}, options, result.report, times, with_labels);
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
