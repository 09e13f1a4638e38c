// components(): choose, look the row up, run it, time it.
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/hybrid.hpp>
#include <device/counted.hpp>
#include <device/round_trip.hpp>
#include <device/solver.hpp>
#include <fast/report.hpp>
#include <fast/solve.hpp>
#include <hybrid/named.hpp>
#include <variants/choice.hpp>
#include <variants/components_code.hpp>
#include <variants/table.hpp>

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
buffer<Id> solve_on_gpu(const variant::table_entry& row, const backend::arc_set<Id>& graph, const solve_options& options,
                        solve_report& report, phase_times& times) {
  if constexpr (sizeof(Id) != 4) {
    variant::refuse_wide_ids();
  } else {
    if (options.count) device::expect_counted(row.info.name, row.sampler, row.finish);
    return device::solve_on_gpu(
        row, graph, options, report, times,
        [&](device::solver& solver, const backend::arc_set<Id>& there) {
          return options.count ? solver.count(row.sampler, row.finish, there, options, times, report.work.emplace())
                               : solver.solve(row.sampler, row.finish, there, options, times);
        },
        [&](device::solver& solver, const device::solver::solved& solved) { return solver.copy_out(solved.labels, options.memory); });
  }
}

template <class Id>
buffer<Id> solve_variant(const variant::table_entry& row, const backend::arc_set<Id>& graph, const solve_options& options,
                         solve_report& report, phase_times& times) {
  if constexpr (variant::has_cuda) {
    if (row.info.backend == variant::cuda_name) return solve_on_gpu(row, graph, options, report, times);
  }
  if (options.count) {
    if constexpr (sizeof(Id) == 4) {
      static std::mutex one_at_a_time;  // the counters are the process's
      const std::lock_guard lock{one_at_a_time};
      work_counts& work = report.work.emplace();
      const auto run = row.info.backend == variant::counting_serial::name ? variant::components_code<variant::counting_serial, Id>::run
                                                                          : variant::components_code<variant::counting_omp, Id>::run;
      return run(row.sampler, row.finish, graph, options, times, &work);
    }
    throw usage_error{"count: found 64-bit ids, expected at most 2^32 - 1 vertices"};
  }
  buffer<Id> labels;
  variant::for_each_type(variant::backends{}, [&]<class Backend>() {
    if (row.info.backend == Backend::name) {
      labels = variant::components_code<Backend, Id>::run(row.sampler, row.finish, graph, options, times, nullptr);
    }
  });
  return labels;
}

/// The fast path, on the route that the row names.
template <class View>
buffer<typename View::id_type> solve_fast(const variant::table_entry& row, View g, const solve_options& options, phase_times& times) {
  if (options.count) throw usage_error{"count: found the fast path, expected a row of the table: its loops are not counted"};
  fast::fast_report report;
  const fast::fast_options ideas{.way = row.info.sampler == "none" ? fast::route::unsampled : fast::route::sampled, .report = &report};
  auto labels = row.info.backend == backend::serial::name ? fast::solve_fast<backend::serial>(g, options, ideas)
                                                          : fast::solve_fast<backend::omp>(g, options, ideas);
  times.add("hook", report.hook_seconds + report.second_hook_seconds);
  times.add("vote", report.vote_seconds);
  times.add("finish", report.flatten_seconds + report.finish_seconds);
  times.add("labels", report.label_seconds);
  return labels;
}

template <class View>
buffer<typename View::id_type> solve_variant(const variant::table_entry& row, View g, const solve_options& options, solve_report& report,
                                             phase_times& times) {
  return variant::with_directions(row, g, options, times, [&](auto both) {
    if constexpr (variant::is_rows<View>) {
      if (variant::finish_entries[row.finish].traits.fast_path && row.info.backend != variant::cuda_name) {
        return solve_fast(row, both, options, times);
      }
    }
    return solve_variant(row, backend::arc_set<typename View::id_type>{both}, options, report, times);
  });
}

components_result solve_view(graph_view whole, const vertex_names& names, const solve_options& options) {
  if (is_hybrid(options.variant)) return hybrid::solve(whole, names, options, {});
  components_result result;
  const auto choice = variant::choose_variant(whole, options, problem_kind::components, result.report);
  const auto start = std::chrono::steady_clock::now();
  phase_times times;
  std::visit(
      [&](const auto& g) {
        result.labels = labelling{solve_variant(*choice.chosen, g, options, result.report, times), names};
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
  return hybrid::solve(g.view(), g.names(), options, how);
}

components_result components(graph_view g, const solve_options& options, const hybrid_options& how) {
  return hybrid::solve(g, identity_of(g), options, how);
}

}  // namespace copse
