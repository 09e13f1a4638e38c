// What gpu_solver has without a GPU too: the handles of what stays there, and answers that need none.
#include <api/residents.hpp>
#include <copse/cuda.hpp>
#include <variants/gpu_choice.hpp>

#include <utility>

namespace copse {

bool gpu_solver::reads(const std::filesystem::path& path, const io::read_options& options) {
  const io::format f = options.format ? *options.format : io::format_of(path);
  return (f == io::format::egr || f == io::format::sg) && !options.min_weight;
}

std::uint64_t gpu_solver::bytes_needed(graph_view g, const std::string& variant, problem_kind problem) {
  return device::needs_of(variant::gpu_variant_for_host(g, variant, problem).chosen->info, device::sizes_of(device::gpu_arcs_of(g))).all();
}

gpu_solver::resident_graph::resident_graph(std::unique_ptr<parts> owned) : parts_{std::move(owned)} {}
gpu_solver::resident_graph::resident_graph(resident_graph&&) noexcept = default;
gpu_solver::resident_graph& gpu_solver::resident_graph::operator=(resident_graph&&) noexcept = default;
gpu_solver::resident_graph::~resident_graph() = default;
gpu_solver::resident_labels::resident_labels(std::unique_ptr<parts> owned) : parts_{std::move(owned)} {}
gpu_solver::resident_labels::resident_labels(resident_labels&&) noexcept = default;
gpu_solver::resident_labels& gpu_solver::resident_labels::operator=(resident_labels&&) noexcept = default;
gpu_solver::resident_labels::~resident_labels() = default;
gpu_solver::resident_forest::resident_forest(std::unique_ptr<parts> owned) : parts_{std::move(owned)} {}
gpu_solver::resident_forest::resident_forest(resident_forest&&) noexcept = default;
gpu_solver::resident_forest& gpu_solver::resident_forest::operator=(resident_forest&&) noexcept = default;
gpu_solver::resident_forest::~resident_forest() = default;
device_span<const std::uint32_t> gpu_solver::resident_labels::on_device() const noexcept {
  return {parts_->labels.data(), parts_->labels.size()};
}
const solve_report& gpu_solver::resident_labels::report() const noexcept { return parts_->report; }
device_span<const edge<std::uint32_t>> gpu_solver::resident_forest::edges_on_device() const noexcept {
  return {parts_->edges.data(), parts_->edges.size()};
}
device_span<const std::uint32_t> gpu_solver::resident_forest::labels_on_device() const noexcept {
  return {parts_->labels.data(), parts_->labels.size()};
}
const solve_report& gpu_solver::resident_forest::report() const noexcept { return parts_->report; }

gpu_solver::prepared_solve::prepared_solve(std::unique_ptr<parts> owned) : parts_{std::move(owned)} {}
gpu_solver::prepared_solve::prepared_solve(prepared_solve&&) noexcept = default;
gpu_solver::prepared_solve& gpu_solver::prepared_solve::operator=(prepared_solve&&) noexcept = default;
gpu_solver::prepared_solve::~prepared_solve() = default;

labelling gpu_solver::copy_out(const resident_labels& labels, std::pmr::memory_resource* memory) {
  return copy_out(labels, vertex_names::identity(labels.on_device().size()), memory);
}

}  // namespace copse
