// What a build without the GPU part has of everything that needs one: a text that says so. No object of these classes exists there, so no
// member of them is called but their constructors.
#include <api/benchmark_solver.hpp>
#include <api/bridge_parts.hpp>
#include <api/device_views.hpp>
#include <api/residents.hpp>
#include <api/through_gpus.hpp>
#include <copse/cuda.hpp>
#include <copse/cuda_incremental.hpp>
#include <copse/cuda_weighted_forest.hpp>
#include <copse/errors.hpp>
#include <copse/variants.hpp>

#if !defined(COPSE_HAS_CUDA)
namespace copse {
namespace {

[[noreturn]] void refuse_build() { throw resource_error{"cuda: found a build without the GPU part, expected one with it"}; }
[[noreturn]] void refuse_sink() { throw resource_error{"gpu_edge_sink: this build has no GPU part"}; }

}  // namespace

void components_async(device_graph_view g, device_span<std::uint32_t> labels, const solve_options&, const execution&) {
  api::expect_labels(api::shape_of(g), labels);
  refuse_build();
}
solve_report components(device_graph_view g, device_span<std::uint32_t> labels, const solve_options&, const execution&) {
  api::expect_labels(api::shape_of(g), labels);
  refuse_build();
}

struct gpu_solver::parts {};

gpu_solver::gpu_solver(const gpu_solver_options&, const execution&) { refuse_build(); }
gpu_solver::gpu_solver(const gpu_solver_options&, const execution&, const gpu_techniques&) { refuse_build(); }
gpu_solver::~gpu_solver() = default;

gpu_solver::resident_graph gpu_solver::copy_in(graph_view, const std::string&, problem_kind) { refuse_build(); }
gpu_solver::read_rows gpu_solver::read(const std::filesystem::path&, const io::read_options&, const std::string&, problem_kind,
                                       const execution&) {
  refuse_build();
}
gpu_solver::read_rows gpu_solver::generate(std::string_view, const std::string&, problem_kind) { refuse_build(); }
gpu_solver::resident_graph gpu_solver::borrow(device_graph_view) { refuse_build(); }
gpu_solver::resident_labels gpu_solver::solve(const resident_graph&, const solve_options&, const execution&) { refuse_build(); }
gpu_solver::resident_labels gpu_solver::solve_in_place(resident_graph&, const solve_options&, const execution&) { refuse_build(); }
void gpu_solver::solve_async(const resident_graph&, device_span<std::uint32_t>, const solve_options&) { refuse_build(); }
void gpu_solver::spanning_forest_async(const resident_graph&, device_span<edge<std::uint32_t>>, device_span<std::uint32_t>,
                                       device_span<std::uint32_t>, const solve_options&) {
  refuse_build();
}
gpu_solver::resident_forest gpu_solver::spanning_forest(const resident_graph&, const solve_options&, const execution&) { refuse_build(); }
forest_result gpu_solver::copy_out(const resident_forest&, vertex_names, std::pmr::memory_resource*) { refuse_build(); }
gpu_solver::resident_labels gpu_solver::solve(const resident_graph&, graph_view, const solve_options&, const execution&) { refuse_build(); }
gpu_solver::prepared_solve gpu_solver::prepare(const resident_graph&, const solve_options&, const execution&) { refuse_build(); }
const gpu_solver::resident_labels& gpu_solver::solve_again(prepared_solve&, const resident_graph&) { refuse_build(); }
device_span<const std::uint32_t> gpu_solver::solve_again_async(prepared_solve&, const resident_graph&) { refuse_build(); }
benchmark_solver::benchmark_solver(const gpu_solver_options& options, const execution& on, const gpu_techniques& techniques)
    : gpu_solver{options, on, techniques} {}
backend::memory_rates benchmark_solver::measure_memory(std::uint32_t) { refuse_build(); }
gpu_solver::read_rows benchmark_solver::generate_unsorted(std::string_view, std::uint64_t) { refuse_build(); }
std::uint64_t gpu_solver::checksum(const resident_labels&) { refuse_build(); }
verdict gpu_solver::verify(const resident_graph&, const resident_labels&) { refuse_build(); }
verdict gpu_solver::verify(const resident_graph&, const labelling&) { refuse_build(); }
void gpu_solver::copy_out(const resident_labels&, std::span<std::uint32_t>) { refuse_build(); }
void gpu_solver::copy_out(const resident_forest&, std::span<edge<std::uint32_t>>, std::span<std::uint32_t>) { refuse_build(); }
labelling gpu_solver::copy_out(const resident_labels&, vertex_names, std::pmr::memory_resource*) { refuse_build(); }

struct gpu_weighted_forest::state {};
struct gpu_weighted_forest::resident::parts {
  device_graph_view graph;
  device_weights_view weights;
};

gpu_weighted_forest::gpu_weighted_forest(const gpu_weighted_forest_options&, const execution&) { refuse_build(); }
gpu_weighted_forest::gpu_weighted_forest(gpu_weighted_forest&&) noexcept = default;
gpu_weighted_forest& gpu_weighted_forest::operator=(gpu_weighted_forest&&) noexcept = default;
gpu_weighted_forest::~gpu_weighted_forest() = default;

void gpu_weighted_forest::reserve(id, std::uint64_t) {}
const gpu_weighted_forest::found& gpu_weighted_forest::find(const device_graph_view&, const device_weights_view&, forest_goal, observer*) {
  refuse_build();
}
device_span<const edge<gpu_weighted_forest::id>> gpu_weighted_forest::edges() { return {}; }
buffer<gpu_weighted_forest::id> gpu_weighted_forest::copy_out(std::pmr::memory_resource*) { return {}; }
gpu_weighted_forest::resident gpu_weighted_forest::copy_in(graph_view, weights_view) { refuse_build(); }
gpu_weighted_forest::resident::resident(std::unique_ptr<parts> owned) : parts_{std::move(owned)} {}
gpu_weighted_forest::resident::resident(resident&&) noexcept = default;
gpu_weighted_forest::resident& gpu_weighted_forest::resident::operator=(resident&&) noexcept = default;
gpu_weighted_forest::resident::~resident() = default;
const device_graph_view& gpu_weighted_forest::resident::graph() const noexcept { return parts_->graph; }
const device_weights_view& gpu_weighted_forest::resident::weights() const noexcept { return parts_->weights; }

struct gpu_edge_sink::state {};

gpu_edge_sink::gpu_edge_sink(id, const gpu_edge_sink_options&, const execution&) { refuse_sink(); }
gpu_edge_sink::gpu_edge_sink(gpu_edge_sink&&) noexcept = default;
gpu_edge_sink& gpu_edge_sink::operator=(gpu_edge_sink&&) noexcept = default;
gpu_edge_sink::~gpu_edge_sink() = default;

void gpu_edge_sink::grow(id) {}
void gpu_edge_sink::add(std::span<const edge<id>>) {}
void gpu_edge_sink::add(std::span<const id>, std::span<const id>) {}
void gpu_edge_sink::add(csr_view<id, std::uint32_t>) {}
void gpu_edge_sink::add(csr_view<id, std::uint64_t>) {}
void gpu_edge_sink::add_resident(std::size_t, device_span<const edge<id>>, std::optional<cuda_stream>) {}
void gpu_edge_sink::wait() {}
labelling gpu_edge_sink::labels() { return {}; }
graph gpu_edge_sink::forest() { return graph{coo<std::uint32_t>{}}; }

solve_report device::stream_into(graph_view, std::span<std::uint32_t>, const request<gpu_edge_sink_options>&) { refuse_sink(); }
device::streamed_forest device::stream_forest(graph_view, std::span<std::uint32_t>, const request<gpu_edge_sink_options>&) {
  refuse_sink();
}
solve_report device::stream_into(edge_columns_view<std::uint32_t>, std::span<std::uint32_t>, const request<gpu_edge_sink_options>&) {
  refuse_sink();
}

components_result api::components_through_gpus(graph_view, const vertex_names&, const request<gpu_edge_sink_options>&) { refuse_sink(); }
components_result api::components_through_gpus(graph_view, const request<gpu_edge_sink_options>&) { refuse_sink(); }
components_result api::components_through_gpus(edge_columns_view<std::uint32_t>, const request<gpu_edge_sink_options>&) { refuse_sink(); }
forest_result api::spanning_forest_through_gpus(graph_view, const vertex_names&, const request<gpu_edge_sink_options>&, bool) {
  refuse_sink();
}
device::streamed_components api::components_of_files_through_gpus(std::span<const std::filesystem::path>, const io::read_options&,
                                                                  const request<gpu_edge_sink_options>&) {
  refuse_sink();
}

struct gpu_incremental::state {};

gpu_incremental::gpu_incremental(id, const gpu_incremental_options&, const execution&) {
  throw resource_error{"gpu_incremental: this build has no GPU part"};
}
gpu_incremental::gpu_incremental(gpu_incremental&&) noexcept = default;
gpu_incremental& gpu_incremental::operator=(gpu_incremental&&) noexcept = default;
gpu_incremental::~gpu_incremental() = default;

void gpu_incremental::grow(id) {}
void gpu_incremental::insert(pairs) {}
void gpu_incremental::insert_resident(device_span<const edge<id>>, std::optional<cuda_stream>) {}
void gpu_incremental::wait() {}
query_answers gpu_incremental::connected(pairs) { return query_answers{}; }
void gpu_incremental::connected_resident(device_span<const edge<id>>, device_span<std::uint64_t>, std::optional<cuda_stream>) {}
buffer<std::uint64_t> gpu_incremental::answers_on_gpu(std::size_t) { return {}; }
void gpu_incremental::apply_resident(device_span<const edge<id>>, device_span<const operation>, device_span<std::uint64_t>, mixing,
                                     std::optional<cuda_stream>) {}
gpu_incremental::id gpu_incremental::vertices() const noexcept { return 0; }
std::uint64_t gpu_incremental::count() { return 0; }
labelling gpu_incremental::labels() { return {}; }
void gpu_incremental::labels_resident(device_span<id>, std::optional<cuda_stream>) {}
std::pmr::memory_resource* gpu_incremental::pinned() { return host_memory(); }
buffer<edge<std::uint32_t>> gpu_incremental::to_gpu(pairs) { return {}; }
buffer<operation> gpu_incremental::to_gpu(std::span<const operation>) { return {}; }
const variant_info& gpu_incremental::variant() const noexcept { return variants(problem_kind::incremental).front(); }

void api::bridges_on_gpu(graph_view, const vertex_names&, const request<bridges_options>&, bridges_result&, phase_times&) {
  throw usage_error{"bridges: found a GPU, expected none: this build has no GPU part"};
}

}  // namespace copse
#endif
