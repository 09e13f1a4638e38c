// components() on arrays in the memory of a GPU, in the order of the caller's stream. What can be said of a view without its arrays is said
// first, with or without a GPU.
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/graph.hpp>
#include <device/solver.hpp>
#include <variants/entries.hpp>
#include <variants/gpu_choice.hpp>
#include <variants/table.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace copse {
namespace {

using id = std::uint32_t;

template <class View>
constexpr bool has_rows = requires(View g) {
  g.offsets;
};

template <class T>
std::span<T> span_of(device_span<T> array) {
  return {array.data(), array.size()};
}

template <class T>
void expect_array(const char* name, device_span<T> array) {
  if (array.data() != nullptr || array.empty()) return;
  throw usage_error{std::string{name} + ": found null, expected " + std::to_string(array.size()) + " elements"};
}

[[noreturn]] void refuse(const char* name, std::uint64_t found, const std::string& expected) {
  throw usage_error{std::string{name} + ": found " + std::to_string(found) + " elements, expected " + expected};
}

template <class Offset>
void expect_fit(const device_csr_view<Offset>& g) {
  expect_array("offsets", g.offsets);
  expect_array("targets", g.targets);
  constexpr std::uint64_t most = std::uint64_t{no_vertex<id>} + 1;
  if (g.offsets.size() > most) refuse("offsets", g.offsets.size(), "at most " + std::to_string(most) + " for 32-bit ids");
  if (g.offsets.empty() && !g.targets.empty()) refuse("targets", g.targets.size(), "none where there are no offsets");
  if (g.targets.size() > std::numeric_limits<Offset>::max()) refuse("targets", g.targets.size(), "what 32-bit offsets count");
}
void expect_fit(const device_edges_view& g) { expect_array("edges", g.edges); }

/// What the caller handed over, as choosers and solvers see it: they look at numbers.
graph_view shape_of(const device_graph_view& g) {
  return std::visit(
      []<class View>(const View& view) -> graph_view {
        if constexpr (has_rows<View>) {
          return csr_view<id, typename View::offset_type>{
              .offsets = span_of(view.offsets), .targets = span_of(view.targets), .symmetric = view.symmetric, .sorted = view.sorted};
        } else {
          return coo_view<id>{.vertex_count = view.vertex_count, .edges = span_of(view.edges)};
        }
      },
      g);
}

void expect_sizes(const device_graph_view& g, device_span<id> labels) {
  std::visit(
      [&](const auto& view) {
        expect_fit(view);
        if (labels.size() != view.vertices()) refuse("labels", labels.size(), std::to_string(view.vertices()) + ", one per vertex");
      },
      g);
  expect_array("labels", labels);
}

#if defined(COPSE_HAS_CUDA)

/// All arrays are where kernels can read and write them.
void expect_in_reach(const device::solver& solver, const device_graph_view& g, device_span<id> labels) {
  std::visit(
      [&]<class View>(const View& view) {
        if constexpr (has_rows<View>) {
          solver.expect_in_reach(view.offsets.data(), "offsets");
          solver.expect_in_reach(view.targets.data(), "targets");
        } else {
          solver.expect_in_reach(view.edges.data(), "edges");
        }
      },
      g);
  solver.expect_in_reach(labels.data(), "labels");
}

/// Its kernels are enqueued one after the other: no round asks the host whether there is another.
void expect_no_waits(const variant::table_entry& entry) {
  if (variant::finish_entries[entry.finish].traits.fast_path || (entry.info.sampler == "none" && entry.finish < variant::unite_count)) {
    return;
  }
  throw usage_error{entry.info.name +
                    ": found a variant that waits for the GPU between its steps, expected auto, cuda.hb.fast, "
                    "cuda.none.fast or a union-find rule without a sampler"};
}

/// The view says what was found out about its rows.
graph_view with_facts(graph_view shape, const device::solver::graph& checked) {
  std::visit(
      [&](auto& view) {
        if constexpr (has_rows<std::remove_cvref_t<decltype(view)>>) {
          view.symmetric = checked.rows.symmetric ? symmetry::yes : symmetry::no;
          view.sorted = checked.rows.sorted;
        }
      },
      shape);
  return shape;
}

#endif

}  // namespace

#if defined(COPSE_HAS_CUDA)

void components_async(device_graph_view g, device_span<id> labels, cuda_stream stream, const device_options& options) {
  expect_sizes(g, labels);
  const graph_view shape = shape_of(g);
  const auto arcs = device::gpu_arcs_of(shape);
  const auto [entry, explanation] = variant::gpu_variant_for(shape, options.variant);
  device::expect_directions(entry->info, arcs);
  expect_no_waits(*entry);
  device::solver solver{{.stream = stream}};
  expect_in_reach(solver, g, labels);
  if (labels.empty()) return;
  solver.enqueue(entry->sampler, entry->finish, arcs, span_of(labels), {.seed = options.seed});
}

solve_report components(device_graph_view g, device_span<id> labels, cuda_stream stream, const device_options& options) {
  expect_sizes(g, labels);
  device::solver solver{{.stream = stream}};
  expect_in_reach(solver, g, labels);
  graph_view shape = shape_of(g);
  auto arcs = device::gpu_arcs_of(shape);
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
    const auto [seconds, launches] = solver.solve_into(entry->sampler, entry->finish, arcs, span_of(labels), {.seed = options.seed});
    report.solve_seconds = seconds;
    report.launches = launches;
  }
  return report;
}

#else

namespace {
[[noreturn]] void refuse_build() { throw resource_error{"cuda: found a build without the GPU part, expected one with it"}; }
}  // namespace

void components_async(device_graph_view g, device_span<id> labels, cuda_stream /*stream*/, const device_options& /*options*/) {
  expect_sizes(g, labels), refuse_build();
}
solve_report components(device_graph_view g, device_span<id> labels, cuda_stream /*stream*/, const device_options& /*options*/) {
  expect_sizes(g, labels), refuse_build();
}

#endif

}  // namespace copse
