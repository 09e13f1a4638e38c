// components(), spanning_forest(), verify() and checksum() of a gpu_graph.
#include <api/device_views.hpp>
#include <api/gpu_parts.hpp>
#include <copse/errors.hpp>
#include <copse/variants.hpp>
#include <device/counted.hpp>
#include <hybrid/on_device.hpp>
#include <variants/added.hpp>
#include <variants/table.hpp>

#include <span>
#include <string>
#include <utility>
#include <variant>

namespace copse {

using variant::gpu_variant_for;

const variant::table_entry& gpu_graph::parts::variant_of(const solve_options& options, problem_kind problem, solve_report& report) const {
  auto [chosen, explanation] = gpu_variant_for(shape, options.variant, problem, tree);
  report = on->report_of(chosen->info.name, std::move(explanation));
  device::expect_directions(chosen->info, arcs);
  report.edges = device::sizes_of(arcs).arcs;
  return *chosen;
}

namespace {

using id = std::uint32_t;

[[noreturn]] void refuse_room(const std::string& what, std::size_t found, std::size_t expected) {
  throw usage_error{what + " must have room for " + std::to_string(expected) + " elements, not " + std::to_string(found)};
}

void expect_fast_path(const variant::table_entry& chosen, const std::string& call) {
  if (variant::finish_at(chosen.finish).traits.fast_path) return;
  throw usage_error{call + " needs the variant cuda.hb.fast or cuda.none.fast, not " + chosen.info.name};
}

template <class T>
device_span<const T> const_span(const buffer<T>& array) {
  return {array.data(), array.size()};
}

gpu_labels solved(gpu_access::graph_parts& g, const device::solver::graph& arcs, const solve_request& options) {
  auto found = std::make_unique<gpu_access::label_parts>(g.on);
  const auto here = g.on->enter();
  device::solver& solver = g.on->solver();
  solve_report& report = found->report;
  const variant::table_entry& chosen = g.variant_of(options.options(), problem_kind::components, report);
  if (options.count) device::expect_counted(chosen.info.name, chosen.sampler, chosen.finish);
  phase_times times;
  auto labelled = options.count ? solver.count(chosen.sampler, chosen.finish, arcs, options, times, report.work.emplace())
                                : solver.solve(chosen.sampler, chosen.finish, arcs, options, times);
  found->labels = std::move(labelled.labels);
  report.solve_seconds = labelled.seconds;
  report.launches = labelled.launches;
  report.phases = times.all();
  return gpu_access::owner_of(std::move(found));
}

}  // namespace

device_span<const id> gpu_labels::on_device() const noexcept { return const_span(parts_->labels); }
const solve_report& gpu_labels::report() const noexcept { return parts_->report; }

void gpu_labels::copy_out(std::span<id> to) const {
  if (to.size() != parts_->labels.size()) refuse_room("labels", to.size(), parts_->labels.size());
  const auto here = parts_->on->enter();
  parts_->on->solver().copy_out(parts_->labels, to);
}
labelling gpu_labels::copy_out(vertex_names names, std::pmr::memory_resource* memory) const {
  const auto here = parts_->on->enter();
  return {parts_->on->solver().copy_out(parts_->labels, memory), std::move(names)};
}
labelling gpu_labels::copy_out(std::pmr::memory_resource* memory) const {
  return copy_out(vertex_names::identity(parts_->labels.size()), memory);
}

device_span<const edge<id>> gpu_spanning_forest::edges_on_device() const {
  parts_->find_edges();
  return const_span(parts_->edges);
}
device_span<const id> gpu_spanning_forest::arcs_on_device() const noexcept { return const_span(parts_->arcs); }
device_span<const id> gpu_spanning_forest::labels_on_device() const noexcept { return const_span(parts_->labels); }
const solve_report& gpu_spanning_forest::report() const noexcept { return parts_->report; }

void gpu_spanning_forest::copy_out(std::span<edge<id>> edges, std::span<id> labels) const {
  parts_->find_edges();
  if (edges.size() < parts_->edges.size()) refuse_room("edges", edges.size(), parts_->edges.size());
  if (!labels.empty() && labels.size() != parts_->labels.size()) refuse_room("labels", labels.size(), parts_->labels.size());
  const auto here = parts_->on->enter();
  device::solver& solver = parts_->on->solver();
  solver.copy_out(parts_->edges, edges.first(parts_->edges.size()));
  if (!labels.empty()) solver.copy_out(parts_->labels, labels);
}
void gpu_spanning_forest::copy_out_arcs(std::span<id> arcs) const {
  if (arcs.size() != parts_->arcs.size()) refuse_room("arcs", arcs.size(), parts_->arcs.size());
  const auto here = parts_->on->enter();
  parts_->on->solver().copy_out(parts_->arcs, arcs);
}
forest_result gpu_spanning_forest::copy_out(vertex_names names, std::pmr::memory_resource* memory) const {
  buffer<edge<id>> edges{edges_on_device().size(), memory};
  buffer<id> labels{parts_->labelled ? parts_->vertices : 0, memory};
  copy_out(edges.span(), labels.span());
  forest_result found{graph{coo<id>{parts_->vertices, std::move(edges)}, names}, std::nullopt, parts_->report};
  if (parts_->labelled) found.labels.emplace(std::move(labels), std::move(names));
  return found;
}

gpu_labels components(const gpu_graph& g, const solve_options& options, const execution& on) {
  auto& held = gpu_access::of(g);
  return solved(held, held.arcs, {options, on});
}

gpu_labels components_in_place(gpu_graph& g, const solve_options& options, const execution& on) {
  auto& held = gpu_access::of(g);
  if (!held.copy || held.arcs.is_rows)
    throw usage_error{"components_in_place: the graph must be a list of edges that was copied to the GPU, not rows or a borrowed array"};
  return solved(held, held.copy->writable(), {options, on});
}

gpu_labels components(const gpu_graph& g, graph_view in_host_memory, const solve_options& options, const execution& on) {
  if (options.count) throw usage_error{"count: " + options.variant + " cannot be counted, as the CPU takes part; use a variant of cuda"};
  const auto& held = gpu_access::of(g);
  const hybrid::hybrid_variant chosen = hybrid::hybrid_variant_named(options.variant, held.shape);
  auto found = std::make_unique<gpu_access::label_parts>(held.on);
  const auto here = held.on->enter();
  std::visit(
      [&]<class View>(const View& host) {
        if constexpr (std::is_same_v<typename View::id_type, id> && requires { host.offsets; }) {
          found->labels = hybrid::solve_resident(held.on->solver(), chosen, held.arcs, host, {options, on}, found->report);
        } else {
          throw usage_error{chosen.name + " needs rows of 32-bit ids in host memory"};
        }
      },
      in_host_memory);
  return gpu_access::owner_of(std::move(found));
}

void components_async(const gpu_graph& g, device_span<id> labels, const solve_options& options) {
  const auto& held = gpu_access::of(g);
  held.on->expect_callers_stream("components_async");
  api::expect_labels(held.shape, labels);
  const auto here = held.on->enter();
  device::solver& solver = held.on->solver();
  solver.expect_in_reach(labels.data(), "labels");
  const variant::table_entry& chosen = *gpu_variant_for(held.shape, options.variant, problem_kind::components, held.tree).chosen;
  variant::expect_no_waits(chosen);
  device::expect_directions(chosen.info, held.arcs);
  if (labels.empty()) return;
  solver.enqueue(chosen.sampler, chosen.finish, held.arcs, api::span_of(labels), {{.seed = options.seed}, {}});
}

gpu_spanning_forest spanning_forest(const gpu_graph& g, const solve_options& options, const execution& on) {
  if (options.count) throw usage_error{"count: only components can be counted, not spanning forests"};
  auto& held = gpu_access::of(g);
  auto found = std::make_unique<gpu_access::forest_parts>(held.on, held.arcs.vertices, options.with_labels);
  const auto here = held.on->enter();
  solve_report& report = found->report;
  const variant::table_entry& chosen = held.variant_of(options, problem_kind::forest, report);
  phase_times times;
  auto joined = held.on->solver().spanning_forest(chosen.sampler, chosen.finish, held.arcs, {options, on}, times, options.with_labels);
  found->edges = std::move(joined.edges);
  found->labels = std::move(joined.labels);
  report.solve_seconds = joined.seconds;
  report.launches = joined.launches;
  report.phases = times.all();
  return gpu_access::owner_of(std::move(found));
}

void spanning_forest_async(const gpu_graph& g, device_span<edge<id>> edges, device_span<id> count, device_span<id> labels,
                           const solve_options& options) {
  const auto& held = gpu_access::of(g);
  held.on->expect_callers_stream("spanning_forest_async");
  const auto& arcs = held.arcs;
  if (edges.size() < arcs.vertices) refuse_room("edges", edges.size(), arcs.vertices);
  if (count.size() != 1) refuse_room("count", count.size(), 1);
  api::expect_array("edges", edges);
  api::expect_array("count", count);
  if (!labels.empty()) api::expect_labels(held.shape, labels);
  const auto here = held.on->enter();
  device::solver& solver = held.on->solver();
  solver.expect_in_reach(edges.data(), "edges");
  solver.expect_in_reach(count.data(), "count");
  solver.expect_in_reach(labels.data(), "labels");
  solve_report unused;
  const variant::table_entry& chosen = held.variant_of(options, problem_kind::forest, unused);
  expect_fast_path(chosen, "spanning_forest_async");
  solver.enqueue_forest(chosen.sampler, arcs, edges.data(), count.data(), api::span_of(labels), {{.seed = options.seed}, {}});
}

verdict verify(const gpu_graph& g, const gpu_labels& labels) {
  const auto& held = gpu_access::of(g);
  const auto here = held.on->enter();
  return held.on->solver().verify(held.arcs, gpu_access::of(labels).labels.span(), vertex_names::identity(held.arcs.vertices));
}

verdict verify(const gpu_graph& g, const labelling& in_host_memory) {
  const auto* const labels = std::get_if<buffer<id>>(&in_host_memory.labels());
  if (labels == nullptr) throw usage_error{"cuda: labels must have 32 bits, not 64"};
  const auto& held = gpu_access::of(g);
  const auto here = held.on->enter();
  const auto copy = held.on->solver().copy_in(labels->span());
  return held.on->solver().verify(held.arcs, copy.span(), in_host_memory.names());
}

std::uint64_t checksum(const gpu_labels& labels) {
  auto& held = gpu_access::of(labels);
  const auto here = held.on->enter();
  return held.on->solver().checksum(held.labels.span());
}

struct gpu_prepared_solve::parts {
  parts(const gpu_access::graph_parts& like, const solve_request& how)
      : on{like.on}, options{how}, most{device::sizes_of(like.arcs)}, labels{gpu_access::owner_of(make_labels(like, how))} {
    const auto here = on->enter();
    space = on->solver().workspace_for(like.arcs, variant().both_directions, true);
  }

  static std::unique_ptr<gpu_access::label_parts> make_labels(const gpu_access::graph_parts& like, const solve_request& how) {
    auto [chosen, explanation] = gpu_variant_for(like.shape, how.variant);
    expect_fast_path(*chosen, "gpu_prepared_solve");
    device::expect_directions(chosen->info, like.arcs);
    auto made = std::make_unique<gpu_access::label_parts>(like.on);
    const auto here = like.on->enter();
    made->labels = buffer<id>{like.arcs.vertices, &like.on->solver().memory()};
    made->report = like.on->report_of(chosen->info.name, std::move(explanation));
    return made;
  }

  [[nodiscard]] const variant_info& variant() const { return *find_variant(labels.report().variant, input_kind::csr); }

  /// Throws usage_error unless the graph has as many vertices as the graph for which the solve was prepared, and at most as many arcs.
  void expect_suits(const device::solver::graph& arcs) const {
    const auto found = device::sizes_of(arcs);
    if (!found.is_rows || found.vertices != most.vertices || found.arcs > most.arcs) {
      throw usage_error{"gpu_prepared_solve: the graph must be rows of " + std::to_string(most.vertices) + " vertices and at most " +
                        std::to_string(most.arcs) + " arcs, not " + (found.is_rows ? "rows" : "a list") + " of " +
                        std::to_string(found.vertices) + " vertices and " + std::to_string(found.arcs) + " arcs"};
    }
    device::expect_directions(variant(), arcs);
  }

  const gpu_labels& solve(const device::solver::graph& arcs) {
    expect_suits(arcs);
    auto& into = gpu_access::of(labels);
    const auto here = on->enter();
    phase_times times;
    const auto [seconds, launches] = on->solver().solve_fast(arcs, space, into.labels.data(), options, times);
    into.report.edges = arcs.rows.arcs;
    into.report.solve_seconds = seconds;
    into.report.launches = launches;
    into.report.phases = times.all();
    return labels;
  }

  std::shared_ptr<gpu_session> on;
  solve_request options;
  device::graph_sizes most;
  gpu_labels labels;
  device::solver::workspace space;
};

gpu_prepared_solve::gpu_prepared_solve(const gpu_graph& like, const solve_options& options, const execution& on)
    : parts_{hide(std::make_unique<parts>(gpu_access::of(like), solve_request{options, on}))} {}

const gpu_labels& gpu_prepared_solve::components(const gpu_graph& g) { return parts_->solve(gpu_access::of(g).arcs); }
const gpu_labels& gpu_prepared_solve::components(device_graph_view g) { return parts_->solve(parts_->on->reachable(api::shape_of(g))); }

device_span<const id> gpu_prepared_solve::components_async(const gpu_graph& g) {
  const auto& arcs = gpu_access::of(g).arcs;
  parts_->on->expect_callers_stream("components_async");
  parts_->expect_suits(arcs);
  auto& labels = gpu_access::of(parts_->labels).labels;
  const auto here = parts_->on->enter();
  parts_->on->solver().enqueue_fast(arcs, parts_->space, labels.data(), parts_->options);
  return const_span(labels);
}

}  // namespace copse
