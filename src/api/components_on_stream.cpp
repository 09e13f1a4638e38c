// components() of arrays in the memory of a GPU, in the order of the caller's stream.
#include <api/device_views.hpp>
#include <copse/cuda.hpp>
#include <copse/graph.hpp>
#include <device/solver.hpp>
#include <variants/gpu_choice.hpp>
#include <variants/table.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace copse {
namespace {

using id = std::uint32_t;

/// Returns a view for choosing a variant, which uses the sizes but does not read the arrays. Throws usage_error for sizes that do not fit
/// together, for null pointers, and unless there is a label for each vertex.
graph_view shape_of(const device_graph_view& g, device_span<id> labels) {
  const graph_view shape = api::shape_of(g);
  api::expect_labels(shape, labels);
  return shape;
}

/// Returns `shape` with the symmetry and the order of rows that `checked` found.
graph_view with_facts(graph_view shape, const device::solver::graph& checked) {
  std::visit(
      [&](auto& view) {
        if constexpr (requires { view.offsets; }) {
          view.symmetric = checked.rows.symmetric ? symmetry::yes : symmetry::no;
          view.sorted = checked.rows.sorted;
        }
      },
      shape);
  return shape;
}

}  // namespace

void components_async(device_graph_view g, device_span<id> labels, const solve_options& options, const execution& on) {
  const graph_view shape = shape_of(g, labels);
  const auto arcs = device::gpu_arcs_of(shape);
  const auto [entry, explanation] = variant::gpu_variant_for(shape, options.variant);
  device::expect_directions(entry->info, arcs);
  variant::expect_no_waits(*entry);
  device::solver solver{{.stream = on.stream.value_or(nullptr), .memory_limit_bytes = on.gpu_memory}};
  solver.expect_in_reach(arcs);
  solver.expect_in_reach(labels.data(), "labels");
  if (labels.empty()) return;
  solver.enqueue(entry->sampler, entry->finish, arcs, api::span_of(labels), {{.seed = options.seed}, {}});
}

solve_report components(device_graph_view g, device_span<id> labels, const solve_options& options, const execution& on) {
  graph_view shape = shape_of(g, labels);
  auto arcs = device::gpu_arcs_of(shape);
  device::solver solver{{.stream = on.stream.value_or(nullptr), .memory_limit_bytes = on.gpu_memory}};
  solver.expect_in_reach(arcs);
  solver.expect_in_reach(labels.data(), "labels");
  if (!std::visit([](const auto& view) { return view.trusted; }, g)) {
    solver.check(arcs);
    shape = with_facts(shape, arcs);
  }
  auto [entry, explanation] = variant::gpu_variant_for(shape, options.variant);
  device::expect_directions(entry->info, arcs);
  solve_report report;
  report.variant = entry->info.name;
  report.explanation = std::move(explanation);
  report.device = std::string{variant::cuda_name}.append(":").append(std::to_string(solver.device()));
  report.edges = arcs.is_rows ? arcs.rows.arcs : arcs.edges.size();
  if (!labels.empty()) {
    const auto [seconds, launches] =
        solver.solve_into(entry->sampler, entry->finish, arcs, api::span_of(labels), {{.seed = options.seed}, {}});
    report.solve_seconds = seconds;
    report.launches = launches;
  }
  return report;
}

}  // namespace copse
