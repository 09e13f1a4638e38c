// spanning_forest(): check the view, choose a variant, run it, time it.
#include <api/check_view.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/spanning_forest.hpp>
#include <variants/choice.hpp>
#include <variants/cuda.hpp>
#include <variants/forest_code.hpp>
#include <variants/table.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace copse {
namespace {

using clock = std::chrono::steady_clock;

/// By a variant of cuda: the graph is copied to the GPU, and the forest back.
template <class View>
forest_result solve_on_gpu(const std::string& variant, View g, const vertex_names& names, const solve_options& options,
                           solve_report& report, phase_times& times, forest_parts parts) {
  if constexpr (sizeof(typename View::id_type) != sizeof(std::uint32_t)) variant::refuse_wide_ids();
  const auto start = clock::now();
  gpu_solver solver{{.device = options.gpu.value_or(0), .threads = options.threads}};
  solve_options named = options;
  named.variant = variant;
  const auto resident = [&] {
    const phase_timer time{times, "copy in"};
    return solver.copy_in(g, variant, problem_kind::forest);
  }();
  const auto solved = solver.spanning_forest(resident, named, parts);
  for (const phase& p : solved.report().phases) times.add(p.name, p.seconds);
  auto result = [&] {
    const phase_timer time{times, "copy out"};
    return solver.copy_out(solved, names, options.memory);
  }();
  report.device = solved.report().device;
  report.copy_seconds = std::chrono::duration<double>(clock::now() - start).count() - solved.report().solve_seconds;
  return result;
}

template <class Id>
drivers::forest_arrays<Id> solve_on_cpu(const variant::table_entry& chosen, const backend::arc_set<Id>& graph, const solve_options& options,
                                        phase_times& times, bool with_labels) {
  drivers::forest_arrays<Id> result;
  variant::for_each_type(variant::backends{}, [&]<class Backend>() {
    if (chosen.info.backend == Backend::name)
      result = variant::forest_code<Backend, Id>::run(chosen.sampler, chosen.finish, graph, options, times, with_labels);
  });
  return result;
}

forest_result solve_view(graph_view whole, const vertex_names& names, const solve_options& options, forest_parts parts) {
  if (options.count) throw usage_error{"count: found a spanning forest, expected components: forests are not counted"};
  forest_result result;
  solve_report report;
  const graph_view valid = std::visit([&options](const auto& g) { return graph_view{api::checked(g, options)}; }, whole);
  const auto choice = variant::choose_variant(valid, options, problem_kind::forest, report);
  const auto start = clock::now();
  phase_times times;
  std::visit(
      [&]<class View>(const View& g) {
        using id = typename View::id_type;
        variant::with_directions(*choice.chosen, g, options, times, [&](auto both) {
          if (choice.chosen->info.backend == variant::cuda_name) {
            result = solve_on_gpu(choice.chosen->info.name, both, names, options, report, times, parts);
            return;
          }
          const bool with_labels = parts == forest_parts::edges_and_labels;
          auto found = solve_on_cpu(*choice.chosen, backend::arc_set<id>{both}, options, times, with_labels);
          result.edges = graph{coo<id>{g.vertices(), std::move(found.edges)}, names};
          if (with_labels) result.labels.emplace(std::move(found.labels), names);
        });
      },
      choice.view);
  report.solve_seconds = choice.choosing_seconds + std::chrono::duration<double>(clock::now() - start).count() - report.copy_seconds;
  report.phases = times.all();
  result.report = std::move(report);
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
  return solve_view(g.view(), g.names(), options, parts);
}

forest_result spanning_forest(graph_view g, const solve_options& options, forest_parts parts) {
  const auto n = std::visit([](const auto& shape) { return std::uint64_t{shape.vertices()}; }, g);
  return solve_view(g, vertex_names::identity(n), options, parts);
}

}  // namespace copse
