// gpu_solver: variants on graphs that stay on the GPU.
#include <api/benchmark_solver.hpp>
#include <api/device_views.hpp>
#include <api/residents.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/variants.hpp>
#include <core/devices.hpp>
#include <device/counted.hpp>
#include <device/solver.hpp>
#include <gpu/loops/row_facts.hpp>
#include <gpu/runtime/gpu.hpp>
#include <hybrid/on_device.hpp>
#include <variants/added.hpp>
#include <variants/gpu_choice.hpp>
#include <variants/table.hpp>

#include <optional>
#include <string>
#include <utility>

namespace copse {
namespace {

using id = std::uint32_t;

using device::expect_directions, device::gpu_arcs_of;
using variant::gpu_variant_for;

void expect_readable(const std::filesystem::path& path, const io::read_options& options) {
  if (gpu_solver::reads(path, options)) return;
  const std::string found{options.min_weight ? "a least weight" : io::to_string(options.format ? *options.format : io::format_of(path))};
  throw usage_error{path.string() + ": found " + found + ", expected " + (options.min_weight ? "none" : "egr or sg") +
                    ": read it in host memory, and copy it in"};
}

/// For rows that are still to be read or resident.
auto variant_ahead(const std::string& variant, problem_kind problem) {
  return [&variant, problem](const device::graph_sizes& rows) -> const variant_info& {
    return variant::gpu_variant_ahead(rows.vertices, rows.arcs, variant, problem).info;
  };
}

void expect_fast_path(const variant::table_entry& chosen, const std::string& call) {
  if (variant::finish_at(chosen.finish).traits.fast_path) return;
  throw usage_error{call + ": found " + chosen.info.name + ", expected cuda.hb.fast or cuda.none.fast"};
}

[[noreturn]] void refuse_room(const std::string& what, std::size_t found, std::size_t expected) {
  throw usage_error{what + ": found room for " + std::to_string(found) + ", expected " + std::to_string(expected)};
}

}  // namespace

struct gpu_solver::parts {
  parts(const gpu_solver_options& options, const execution& on, const gpu_techniques& techniques)
      : solver{{.device = gpu_of_hybrid(on).value_or(0),
                .stream = on.stream,
                .memory_limit_bytes = on.gpu_memory,
                .techniques = techniques,
                .copies = {.threads = on.threads},
                .time_phases = options.time_phases}},
        short_fetches{options.short_fetches},
        on_callers_stream{on.stream.has_value()} {}

  device::solver solver;
  bool short_fetches, on_callers_stream;

  read_rows taken(device::solver::read_rows read);
  /// For `auto`; nothing of an edge list.
  [[nodiscard]] std::optional<backend::row_sample> sample_of(const device::solver::graph& came_in) {
    if (!came_in.is_rows) return std::nullopt;
    return backend::sample_on_gpu(solver.on().stream(), &solver.memory(), came_in.rows, solve_options{}.seed);
  }
  /// Of rows much longer than a fetch mostly the beginnings are read.
  void suit_fetches_to(const device::solver::graph& came_in) {
    constexpr std::uint64_t long_rows = 16;  // arcs: 64 bytes
    if (short_fetches) solver.fetch_at_once(came_in.is_rows && came_in.rows.arcs >= long_rows * came_in.vertices);
  }
  void expect_callers_stream(const std::string& call) const {
    if (!on_callers_stream) throw usage_error{call + ": found no stream in the settings, expected the caller's"};
  }
  [[nodiscard]] solve_report report_of(const variant_info& chosen, std::string explanation) const {
    solve_report report;
    report.variant = chosen.name;
    report.explanation = std::move(explanation);
    report.device = std::string{variant::cuda_name}.append(":").append(std::to_string(solver.device()));
    return report;
  }
  /// Says what it can before the solve.
  const variant::table_entry& variant_of(const resident_graph& g, const solve_options& options, problem_kind problem,
                                         solve_report& report) const;
  [[nodiscard]] resident_labels solve(const resident_graph& g, const device::solver::graph& arcs, const solve_request& options);
};

gpu_solver::gpu_solver(const gpu_solver_options& options, const execution& on) : gpu_solver{options, on, gpu_techniques{}} {}
gpu_solver::gpu_solver(const gpu_solver_options& options, const execution& on, const gpu_techniques& techniques)
    : parts_{std::make_unique<parts>(options, on, techniques)} {}
gpu_solver::~gpu_solver() = default;

gpu_solver::resident_graph gpu_solver::copy_in(graph_view in_host_memory, const std::string& variant, problem_kind problem) {
  const auto chosen = variant::gpu_variant_for_host(in_host_memory, variant, problem);
  parts_->solver.expect_room(chosen.chosen->info, device::sizes_of(gpu_arcs_of(in_host_memory)));
  auto resident = std::make_unique<resident_graph::parts>();
  resident->shape = in_host_memory;
  if (variant == variant::tree_name) resident->known.tree = chosen;
  resident->copy = parts_->solver.copy_in(gpu_arcs_of(in_host_memory));
  resident->arcs = resident->copy->view();
  resident->known.sample = parts_->sample_of(resident->arcs);
  parts_->suit_fetches_to(resident->arcs);
  return resident_graph{std::move(resident)};
}

gpu_solver::read_rows gpu_solver::read(const std::filesystem::path& path, const io::read_options& options, const std::string& variant,
                                       problem_kind problem, const execution& on) {
  expect_readable(path, options);
  return parts_->taken(parts_->solver.read(path, {options, on}, variant_ahead(variant, problem)));
}

gpu_solver::read_rows gpu_solver::generate(std::string_view spec, const std::string& variant, problem_kind problem) {
  return parts_->taken(parts_->solver.generate(spec, variant_ahead(variant, problem)));
}

gpu_solver::read_rows gpu_solver::parts::taken(device::solver::read_rows read) {
  auto resident = std::make_unique<resident_graph::parts>();
  if (read.wide.offsets.empty()) {
    resident->shape = read.narrow;
  } else {
    resident->shape = read.wide;
  }
  resident->copy = std::move(read.rows);
  resident->arcs = resident->copy->view();
  resident->known.sample = sample_of(resident->arcs);
  suit_fetches_to(resident->arcs);
  const std::uint64_t arcs = resident->arcs.rows.arcs;
  const bool both = resident->arcs.rows.symmetric;
  const std::uint64_t vertices = resident->arcs.vertices;
  return {resident_graph{std::move(resident)}, vertices, both ? (arcs - read.loops) / 2 + read.loops : arcs, arcs, both};
}

gpu_solver::resident_graph gpu_solver::borrow(device_graph_view g) {
  auto resident = std::make_unique<resident_graph::parts>();
  resident->shape = api::shape_of(g);
  resident->arcs = gpu_arcs_of(resident->shape);
  parts_->solver.expect_in_reach(resident->arcs);
  return resident_graph{std::move(resident)};
}

const variant::table_entry& gpu_solver::parts::variant_of(const resident_graph& g, const solve_options& options, problem_kind problem,
                                                          solve_report& report) const {
  auto [chosen, explanation] = gpu_variant_for(g.parts_->shape, options.variant, problem, g.parts_->known);
  const auto& arcs = g.parts_->arcs;
  report = report_of(chosen->info, std::move(explanation));
  expect_directions(chosen->info, arcs);
  report.edges = arcs.is_rows ? arcs.rows.arcs : arcs.edges.size();
  return *chosen;
}

gpu_solver::resident_labels gpu_solver::solve(const resident_graph& g, const solve_options& options, const execution& on) {
  return parts_->solve(g, g.parts_->arcs, {options, on});
}

gpu_solver::resident_labels gpu_solver::solve_in_place(resident_graph& g, const solve_options& options, const execution& on) {
  if (!g.parts_->copy || g.parts_->arcs.is_rows)
    throw usage_error{"solve_in_place: found rows or what was borrowed, expected a list of edges that was copied in"};
  return parts_->solve(g, g.parts_->copy->writable(), {options, on});
}

void gpu_solver::solve_async(const resident_graph& g, device_span<id> labels, const solve_options& options) {
  parts_->expect_callers_stream("solve_async");
  api::expect_labels(g.parts_->shape, labels);
  parts_->solver.expect_in_reach(labels.data(), "labels");
  solve_report unused;
  const variant::table_entry& chosen = parts_->variant_of(g, options, problem_kind::components, unused);
  variant::expect_no_waits(chosen);
  if (labels.empty()) return;
  parts_->solver.enqueue(chosen.sampler, chosen.finish, g.parts_->arcs, api::span_of(labels), {{.seed = options.seed}, {}});
}

gpu_solver::resident_labels gpu_solver::parts::solve(const resident_graph& g, const device::solver::graph& arcs,
                                                     const solve_request& options) {
  auto resident = std::make_unique<resident_labels::parts>();
  solve_report& report = resident->report;
  const variant::table_entry& chosen = variant_of(g, options, problem_kind::components, report);
  if (options.count) device::expect_counted(chosen.info.name, chosen.sampler, chosen.finish);
  phase_times times;
  auto solved = options.count ? solver.count(chosen.sampler, chosen.finish, arcs, options, times, report.work.emplace())
                              : solver.solve(chosen.sampler, chosen.finish, arcs, options, times);
  resident->labels = std::move(solved.labels);
  report.solve_seconds = solved.seconds;
  report.launches = solved.launches;
  report.phases = times.all();
  return resident_labels{std::move(resident)};
}

gpu_solver::resident_forest gpu_solver::spanning_forest(const resident_graph& g, const solve_options& options, const execution& on) {
  if (options.count) throw usage_error{"count: found a spanning forest, expected components: forests are not counted"};
  auto resident = std::make_unique<resident_forest::parts>();
  solve_report& report = resident->report;
  const variant::table_entry& chosen = parts_->variant_of(g, options, problem_kind::forest, report);
  phase_times times;
  const auto& arcs = g.parts_->arcs;
  resident->vertices = arcs.vertices;
  resident->labelled = options.with_labels;
  auto found = parts_->solver.spanning_forest(chosen.sampler, chosen.finish, arcs, {options, on}, times, resident->labelled);
  resident->edges = std::move(found.edges);
  resident->labels = std::move(found.labels);
  report.solve_seconds = found.seconds;
  report.launches = found.launches;
  report.phases = times.all();
  return resident_forest{std::move(resident)};
}

void gpu_solver::spanning_forest_async(const resident_graph& g, device_span<edge<id>> edges, device_span<id> count, device_span<id> labels,
                                       const solve_options& options) {
  parts_->expect_callers_stream("spanning_forest_async");
  const auto& arcs = g.parts_->arcs;
  if (edges.size() < arcs.vertices) refuse_room("edges", edges.size(), arcs.vertices);
  if (count.size() != 1) refuse_room("count", count.size(), 1);
  api::expect_array("edges", edges);
  api::expect_array("count", count);
  if (!labels.empty()) api::expect_labels(g.parts_->shape, labels);
  parts_->solver.expect_in_reach(edges.data(), "edges");
  parts_->solver.expect_in_reach(count.data(), "count");
  parts_->solver.expect_in_reach(labels.data(), "labels");
  solve_report unused;
  const variant::table_entry& chosen = parts_->variant_of(g, options, problem_kind::forest, unused);
  expect_fast_path(chosen, "spanning_forest_async");
  parts_->solver.enqueue_forest(chosen.sampler, arcs, edges.data(), count.data(), api::span_of(labels), {{.seed = options.seed}, {}});
}

forest_result gpu_solver::copy_out(const resident_forest& forest, vertex_names names, std::pmr::memory_resource* memory) {
  const auto& on_device = *forest.parts_;
  buffer<edge<id>> edges{on_device.edges.size(), memory};
  buffer<id> labels{on_device.labelled ? on_device.vertices : 0, memory};
  copy_out(forest, edges.span(), labels.span());
  forest_result found{graph{coo<id>{on_device.vertices, std::move(edges)}, names}, std::nullopt, on_device.report};
  if (on_device.labelled) found.labels.emplace(std::move(labels), std::move(names));
  return found;
}

void gpu_solver::copy_out(const resident_forest& forest, std::span<edge<id>> edges, std::span<id> labels) {
  const auto& on_device = *forest.parts_;
  if (edges.size() < on_device.edges.size()) refuse_room("edges", edges.size(), on_device.edges.size());
  if (!labels.empty() && labels.size() != on_device.labels.size()) refuse_room("labels", labels.size(), on_device.labels.size());
  parts_->solver.copy_out(on_device.edges, edges.first(on_device.edges.size()));
  if (!labels.empty()) parts_->solver.copy_out(on_device.labels, labels);
}

gpu_solver::resident_labels gpu_solver::solve(const resident_graph& g, graph_view in_host_memory, const solve_options& options,
                                              const execution& on) {
  if (options.count) throw usage_error{"count: found " + options.variant + ", expected another variant: hybrid solves are not counted"};
  const hybrid::hybrid_variant chosen = hybrid::hybrid_variant_named(options.variant, g.parts_->shape);
  auto resident = std::make_unique<resident_labels::parts>();
  std::visit(
      [&]<class View>(const View& host) {
        if constexpr (std::is_same_v<typename View::id_type, id> && requires { host.offsets; }) {
          resident->labels = hybrid::solve_resident(parts_->solver, chosen, g.parts_->arcs, host, {options, on}, resident->report);
        } else {
          throw usage_error{chosen.name + ": found no rows of 32-bit ids in host memory, expected some"};
        }
      },
      in_host_memory);
  return resident_labels{std::move(resident)};
}

gpu_solver::prepared_solve gpu_solver::prepare(const resident_graph& like, const solve_options& options, const execution& on) {
  auto [chosen, explanation] = variant::gpu_variant_for(like.parts_->shape, options.variant);
  expect_fast_path(*chosen, "prepare");
  const auto& arcs = like.parts_->arcs;
  expect_directions(chosen->info, arcs);
  auto labels = std::make_unique<resident_labels::parts>();
  labels->labels = buffer<id>{arcs.vertices, &parts_->solver.memory()};
  labels->report = parts_->report_of(chosen->info, std::move(explanation));
  auto prepared = std::make_unique<prepared_solve::parts>();
  prepared->options = {options, on};
  prepared->most = device::sizes_of(arcs);
  prepared->space = parts_->solver.workspace_for(arcs, chosen->info.both_directions, true);
  prepared->labels.reset(new resident_labels{std::move(labels)});
  return prepared_solve{std::move(prepared)};
}

void gpu_solver::prepared_solve::parts::expect_suits(const device::solver::graph& arcs) const {
  const auto found = device::sizes_of(arcs);
  if (!found.is_rows || found.vertices != most.vertices || found.arcs > most.arcs) {
    throw usage_error{"solve_again: found " + std::string{found.is_rows ? "rows" : "a list"} + " of " + std::to_string(found.vertices) +
                      " vertices and " + std::to_string(found.arcs) + " arcs, expected rows of " + std::to_string(most.vertices) +
                      " vertices and at most " + std::to_string(most.arcs) + " arcs"};
  }
  expect_directions(*find_variant(labels->report().variant, input_kind::csr), arcs);
}

const gpu_solver::resident_labels& gpu_solver::solve_again(prepared_solve& ready, const resident_graph& g) {
  auto& prepared = *ready.parts_;
  const auto& arcs = g.parts_->arcs;
  prepared.expect_suits(arcs);
  auto& labels = *prepared.labels->parts_;
  phase_times times;
  const auto [seconds, launches] = parts_->solver.solve_fast(arcs, prepared.space, labels.labels.data(), prepared.options, times);
  labels.report.edges = arcs.rows.arcs;
  labels.report.solve_seconds = seconds;
  labels.report.launches = launches;
  labels.report.phases = times.all();
  return *prepared.labels;
}

device_span<const id> gpu_solver::solve_again_async(prepared_solve& ready, const resident_graph& g) {
  parts_->expect_callers_stream("solve_again_async");
  auto& prepared = *ready.parts_;
  prepared.expect_suits(g.parts_->arcs);
  auto& labels = prepared.labels->parts_->labels;
  parts_->solver.enqueue_fast(g.parts_->arcs, prepared.space, labels.data(), prepared.options);
  return prepared.labels->on_device();
}

void gpu_solver::copy_out(const resident_labels& labels, std::span<id> to) {
  const auto& found = labels.parts_->labels;
  if (to.size() != found.size()) refuse_room("labels", to.size(), found.size());
  parts_->solver.copy_out(found, to);
}

labelling gpu_solver::copy_out(const resident_labels& labels, vertex_names names, std::pmr::memory_resource* memory) {
  return {parts_->solver.copy_out(labels.parts_->labels, memory), std::move(names)};
}

benchmark_solver::benchmark_solver(const gpu_solver_options& options, const execution& on, const gpu_techniques& techniques)
    : gpu_solver{options, on, techniques} {}
backend::memory_rates benchmark_solver::measure_memory(std::uint32_t words) { return parts_->solver.measure_memory(words); }
gpu_solver::read_rows benchmark_solver::generate_unsorted(std::string_view spec, std::uint64_t seed) {
  return parts_->taken(parts_->solver.generate(spec, variant_ahead("auto", problem_kind::components), seed));
}

std::uint64_t gpu_solver::checksum(const resident_labels& labels) { return parts_->solver.checksum(labels.parts_->labels.span()); }

verdict gpu_solver::verify(const resident_graph& g, const resident_labels& labels) {
  const auto& arcs = g.parts_->arcs;
  return parts_->solver.verify(arcs, labels.parts_->labels.span(), vertex_names::identity(arcs.vertices));
}

verdict gpu_solver::verify(const resident_graph& g, const labelling& in_host_memory) {
  const auto* const labels = std::get_if<buffer<id>>(&in_host_memory.labels());
  if (labels == nullptr) throw usage_error{"cuda: found labels of 64 bits, expected 32"};
  const auto on_device = parts_->solver.copy_in(labels->span());
  return parts_->solver.verify(g.parts_->arcs, on_device.span(), in_host_memory.names());
}

}  // namespace copse
