// components(): choose, look the row up, run it, time it.
#include <copse/components.hpp>
#include <copse/core/error.hpp>
#include <copse/registry/hybrid.hpp>
#include <own/report.hpp>
#include <own/solve_own.hpp>
#include <registry/cuda.hpp>
#include <registry/cuda_counted.hpp>
#include <registry/gpu_trip.hpp>
#include <registry/hybrid.hpp>
#include <registry/row_choice.hpp>
#include <registry/table.hpp>

#include <chrono>
#include <mutex>
#include <string>
#include <utility>

namespace copse {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

vertex_names identity_of(graph_view view) {
  return vertex_names::identity(std::visit([](const auto& g) { return std::uint64_t{g.vertices()}; }, view));
}

template <class Id>
buffer<Id> solve_on_gpu(const registry::row& row, const backend::arc_set<Id>& graph, const solve_options& options, solve_report& report,
                        phase_times& times) {
  if constexpr (sizeof(Id) != 4) {
    registry::refuse_wide_ids();
  } else {
    if (options.count) registry::expect_counted(row.info.name, row.sampler, row.finish);
    return registry::there_and_back(
        row, graph, options, report, times,
        [&](registry::cuda_solver& solver, const backend::arc_set<Id>& there) {
          return options.count ? solver.count(row.sampler, row.finish, there, options, times, report.work.emplace())
                               : solver.solve(row.sampler, row.finish, there, options, times);
        },
        [&](registry::cuda_solver& solver, const registry::cuda_solver::solved& solved) {
          return solver.copy_out(solved.labels, options.memory);
        });
  }
}

template <class Id>
buffer<Id> solve_row(const registry::row& row, const backend::arc_set<Id>& graph, const solve_options& options, solve_report& report,
                     phase_times& times) {
  if constexpr (registry::has_cuda) {
    if (row.info.backend == registry::cuda_name) return solve_on_gpu(row, graph, options, report, times);
  }
  if (options.count) {
    if constexpr (sizeof(Id) == 4) {
      static std::mutex one_at_a_time;  // the counters are the process's
      const std::lock_guard lock{one_at_a_time};
      work_counts& work = report.work.emplace();
      const auto solve = row.info.backend == registry::counting_serial::name ? registry::solve_row<registry::counting_serial, Id>
                                                                             : registry::solve_row<registry::counting_omp, Id>;
      return solve(row.sampler, row.finish, graph, options, times, &work);
    }
    throw usage_error{"count: found 64-bit ids, expected at most 2^32 - 1 vertices"};
  }
  buffer<Id> labels;
  registry::for_each_type(registry::backends{}, [&]<class Backend>() {
    if (row.info.backend == Backend::name) {
      labels = registry::solve_row<Backend, Id>(row.sampler, row.finish, graph, options, times, nullptr);
    }
  });
  return labels;
}

/// Our own path, on the route that the row names.
template <class View>
buffer<typename View::id_type> solve_own(const registry::row& row, View g, const solve_options& options, phase_times& times) {
  if (options.count) throw usage_error{"count: found our own path, expected a row of the table: its loops are not counted"};
  own::own_report report;
  const own::own_options ideas{.way = row.info.sampler == "none" ? own::route::unsampled : own::route::sampled, .report = &report};
  auto labels = row.info.backend == backend::serial::name ? own::solve_own<backend::serial>(g, options, ideas)
                                                          : own::solve_own<backend::omp>(g, options, ideas);
  times.add("hook", report.hook_seconds + report.second_hook_seconds);
  times.add("vote", report.vote_seconds);
  times.add("finish", report.flatten_seconds + report.finish_seconds);
  times.add("labels", report.label_seconds);
  return labels;
}

template <class View>
buffer<typename View::id_type> solve_row(const registry::row& row, View g, const solve_options& options, solve_report& report,
                                         phase_times& times) {
  return registry::with_directions(row, g, options, times, [&](auto both) {
    if constexpr (registry::is_rows<View>) {
      if (registry::finish_entries[row.finish].traits.own_path && row.info.backend != registry::cuda_name) {
        return solve_own(row, both, options, times);
      }
    }
    return solve_row(row, backend::arc_set<typename View::id_type>{both}, options, report, times);
  });
}

components_result solve_view(graph_view whole, const vertex_names& names, const solve_options& options) {
  if (is_hybrid(options.variant)) return registry::solve_hybrid(whole, names, options, {});
  components_result result;
  const auto choice = registry::choose_row(whole, options, problem_kind::components, result.report);
  const auto start = std::chrono::steady_clock::now();
  phase_times times;
  std::visit(
      [&](const auto& g) {
        result.labels = labelling{solve_row(*choice.chosen, g, options, result.report, times), names};
      },
      choice.view);
  result.report.solve_seconds = choice.choosing_seconds + seconds_since(start) - result.report.copy_seconds;
  result.report.phases = times.all();
  return result;
}

}  // namespace

components_result components(const graph& g, const solve_options& options) { return solve_view(g.view(), g.names(), options); }

components_result components(graph_view g, const solve_options& options) { return solve_view(g, identity_of(g), options); }

components_result components(const graph& g, const solve_options& options, const hybrid_options& how) {
  return registry::solve_hybrid(g.view(), g.names(), options, how);
}

components_result components(graph_view g, const solve_options& options, const hybrid_options& how) {
  return registry::solve_hybrid(g, identity_of(g), options, how);
}

}  // namespace copse
