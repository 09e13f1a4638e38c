// gpu_solver: rows of the table on graphs that stay on the GPU. Without the GPU part there is the class, and no solver can be made.
#include <choose/on_gpu.hpp>
#include <copse/core/error.hpp>
#include <copse/gpu_solver.hpp>
#include <copse/registry/variants.hpp>
#include <registry/cuda.hpp>
#include <registry/table.hpp>

#include <optional>
#include <string>
#include <utility>

namespace copse {
namespace {

using id = std::uint32_t;

/// What the solver underneath takes.
registry::cuda_solver::graph arcs_of(graph_view view) {
  return std::visit(
      [](const auto& g) -> registry::cuda_solver::graph {
        if constexpr (sizeof(typename std::remove_cvref_t<decltype(g)>::id_type) == sizeof(id)) {
          return registry::cuda_solver::graph{g};
        } else {
          throw usage_error{"cuda: found 64-bit ids, expected at most 2^32 - 1 vertices"};
        }
      },
      view);
}

}  // namespace

struct gpu_solver::resident_graph::parts {
  graph_view shape;  ///< for choosers, which look at numbers only
  registry::cuda_solver::graph arcs;
  std::optional<registry::cuda_solver::device_graph> copy;  ///< unless the arrays are the caller's
};
struct gpu_solver::resident_labels::parts {
  buffer<id> labels;
  solve_report report;
};

gpu_solver::resident_graph::resident_graph(std::unique_ptr<parts> made) : parts_{std::move(made)} {}
gpu_solver::resident_graph::resident_graph(resident_graph&&) noexcept = default;
gpu_solver::resident_graph& gpu_solver::resident_graph::operator=(resident_graph&&) noexcept = default;
gpu_solver::resident_graph::~resident_graph() = default;
gpu_solver::resident_labels::resident_labels(std::unique_ptr<parts> made) : parts_{std::move(made)} {}
gpu_solver::resident_labels::resident_labels(resident_labels&&) noexcept = default;
gpu_solver::resident_labels& gpu_solver::resident_labels::operator=(resident_labels&&) noexcept = default;
gpu_solver::resident_labels::~resident_labels() = default;
std::span<const id> gpu_solver::resident_labels::on_device() const noexcept { return parts_->labels.span(); }
const solve_report& gpu_solver::resident_labels::report() const noexcept { return parts_->report; }

#if defined(COPSE_HAS_CUDA)

struct gpu_solver::parts {
  unsigned device;
  registry::cuda_solver solver;
};

gpu_solver::gpu_solver(const settings& how)
    : parts_{new parts{
          how.device,
          registry::cuda_solver{{.device = how.device, .memory_limit_bytes = how.memory_limit_bytes, .time_phases = how.time_phases}}}} {}

gpu_solver::resident_graph gpu_solver::copy_in(graph_view in_host_memory) {
  auto made = std::make_unique<resident_graph::parts>();
  made->shape = in_host_memory;
  made->copy = parts_->solver.copy_in(arcs_of(in_host_memory));
  made->arcs = made->copy->view();
  return resident_graph{std::move(made)};
}

gpu_solver::resident_graph gpu_solver::borrow(graph_view in_device_memory) {
  auto made = std::make_unique<resident_graph::parts>();
  made->shape = in_device_memory;
  made->arcs = arcs_of(in_device_memory);
  return resident_graph{std::move(made)};
}

gpu_solver::resident_labels gpu_solver::solve(const resident_graph& g, const solve_options& options) {
  auto made = std::make_unique<resident_labels::parts>();
  solve_report& report = made->report;
  report.variant = options.variant;
  if (is_chooser(report.variant)) {
    auto chosen = choose::on_gpu(g.parts_->shape);
    report.variant = std::move(chosen.variant);
    report.explanation = std::move(chosen.explanation);
  }
  const auto& arcs = g.parts_->arcs;
  const input_kind input = arcs.is_rows ? input_kind::csr : input_kind::coo;
  const registry::row* row = registry::find_row(report.variant, input);
  if (row == nullptr) throw usage_error{*refusal(report.variant, input)};
  if (row->info.backend != registry::cuda_name)
    throw usage_error{"device: found variant " + row->info.name + ", expected a row of cuda: the others run on the CPU"};
  if (options.count) throw usage_error{"count: found a row of cuda, expected one of the CPU: accesses on a GPU are not counted"};
  if (registry::needs_both_directions(*row) && arcs.is_rows && !arcs.rows.symmetric) {
    throw usage_error{row->info.name + ": found rows that may store one direction of an edge only, expected both; symmetrise them first"};
  }
  report.device = std::string{registry::cuda_name}.append(":").append(std::to_string(parts_->device));
  report.edges = arcs.is_rows ? arcs.rows.arcs : arcs.edges.size();
  phase_times times;
  auto solved = parts_->solver.solve(row->sampler, row->finish, arcs, options, times);
  made->labels = std::move(solved.labels);
  report.solve_seconds = solved.seconds;
  report.phases = times.all();
  return resident_labels{std::move(made)};
}

labelling gpu_solver::copy_out(const resident_labels& labels, vertex_names names, std::pmr::memory_resource* memory) {
  return {parts_->solver.copy_out(labels.parts_->labels, memory), std::move(names)};
}

#else

struct gpu_solver::parts {};

namespace {
[[noreturn]] void refuse_build() { throw resource_error{"cuda: found a build without the GPU part, expected one with it"}; }
}  // namespace

gpu_solver::gpu_solver(const settings& /*how*/) { refuse_build(); }
gpu_solver::resident_graph gpu_solver::copy_in(graph_view in_host_memory) { static_cast<void>(arcs_of(in_host_memory)), refuse_build(); }
gpu_solver::resident_graph gpu_solver::borrow(graph_view /*in_device_memory*/) { refuse_build(); }
gpu_solver::resident_labels gpu_solver::solve(const resident_graph& /*g*/, const solve_options& /*options*/) { refuse_build(); }
labelling gpu_solver::copy_out(const resident_labels& /*labels*/, vertex_names /*names*/, std::pmr::memory_resource* /*memory*/) {
  refuse_build();
}

#endif

gpu_solver::~gpu_solver() = default;

labelling gpu_solver::copy_out(const resident_labels& labels, std::pmr::memory_resource* memory) {
  return copy_out(labels, vertex_names::identity(labels.on_device().size()), memory);
}

}  // namespace copse
