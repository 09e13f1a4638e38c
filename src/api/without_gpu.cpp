// What a build without the GPU part has of everything that needs one: a text that says so. No object of these classes exists there, so no
// member of them is called but their constructors.
#include <api/bridge_parts.hpp>
#include <api/device_views.hpp>
#include <api/gpu_benchmark.hpp>
#include <api/through_gpus.hpp>
#include <copse/cuda.hpp>
#include <copse/cuda_incremental.hpp>
#include <copse/cuda_weighted_forest.hpp>
#include <copse/errors.hpp>
#include <copse/variants.hpp>
#include <hybrid/named.hpp>
#include <weighted/dendrogram/on_gpu.hpp>

namespace copse {

bool built_with_cuda() noexcept { return false; }
std::vector<gpu_facts> gpus() { return {}; }

namespace {

[[noreturn]] void refuse_build() { throw resource_error{"cuda: this build has no GPU part"}; }
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

struct gpu_graph::parts {};
struct gpu_labels::parts {
  solve_report report;
};
struct gpu_spanning_forest::parts {
  solve_report report;
};
struct gpu_prepared_solve::parts {};

gpu_graph gpu_graph::copy_of(graph_view, const gpu_graph_options&, const execution&) { refuse_build(); }
gpu_graph gpu_graph::borrow(device_graph_view, const gpu_graph_options&, const execution&) { refuse_build(); }
gpu_graph gpu_graph::read(const std::filesystem::path&, const io::read_options&, const gpu_graph_options&, const execution&) {
  refuse_build();
}
gpu_graph gpu_graph::generate(std::string_view, const gpu_graph_options&, const execution&) { refuse_build(); }
gpu_graph::gpu_graph(gpu_graph&&) noexcept = default;
gpu_graph& gpu_graph::operator=(gpu_graph&&) noexcept = default;
gpu_graph::~gpu_graph() = default;
std::uint32_t gpu_graph::vertices() const noexcept { return 0; }
std::uint64_t gpu_graph::arcs() const noexcept { return 0; }
bool gpu_graph::both_directions() const noexcept { return false; }
std::uint64_t gpu_graph::edges() const { return 0; }

gpu_labels::gpu_labels(gpu_labels&&) noexcept = default;
gpu_labels& gpu_labels::operator=(gpu_labels&&) noexcept = default;
gpu_labels::~gpu_labels() = default;
device_span<const std::uint32_t> gpu_labels::on_device() const noexcept { return {}; }
const solve_report& gpu_labels::report() const noexcept { return parts_->report; }
void gpu_labels::copy_out(std::span<std::uint32_t>) const {}
labelling gpu_labels::copy_out(std::pmr::memory_resource*) const { return {}; }
labelling gpu_labels::copy_out(vertex_names, std::pmr::memory_resource*) const { return {}; }

gpu_spanning_forest::gpu_spanning_forest(gpu_spanning_forest&&) noexcept = default;
gpu_spanning_forest& gpu_spanning_forest::operator=(gpu_spanning_forest&&) noexcept = default;
gpu_spanning_forest::~gpu_spanning_forest() = default;
device_span<const edge<std::uint32_t>> gpu_spanning_forest::edges_on_device() const noexcept { return {}; }
device_span<const std::uint32_t> gpu_spanning_forest::labels_on_device() const noexcept { return {}; }
const solve_report& gpu_spanning_forest::report() const noexcept { return parts_->report; }
void gpu_spanning_forest::copy_out(std::span<edge<std::uint32_t>>, std::span<std::uint32_t>) const {}
forest_result gpu_spanning_forest::copy_out(vertex_names, std::pmr::memory_resource*) const { return {}; }

gpu_labels components(const gpu_graph&, const solve_options&, const execution&) { refuse_build(); }
gpu_labels components(const gpu_graph&, graph_view, const solve_options&, const execution&) { refuse_build(); }
gpu_labels components_in_place(gpu_graph&, const solve_options&, const execution&) { refuse_build(); }
void components_async(const gpu_graph&, device_span<std::uint32_t>, const solve_options&) { refuse_build(); }
gpu_spanning_forest spanning_forest(const gpu_graph&, const solve_options&, const execution&) { refuse_build(); }
void spanning_forest_async(const gpu_graph&, device_span<edge<std::uint32_t>>, device_span<std::uint32_t>, device_span<std::uint32_t>,
                           const solve_options&) {
  refuse_build();
}
verdict verify(const gpu_graph&, const gpu_labels&) { refuse_build(); }
verdict verify(const gpu_graph&, const labelling&) { refuse_build(); }
std::uint64_t checksum(const gpu_labels&) { refuse_build(); }

gpu_prepared_solve::gpu_prepared_solve(const gpu_graph&, const solve_options&, const execution&) { refuse_build(); }
gpu_prepared_solve::gpu_prepared_solve(gpu_prepared_solve&&) noexcept = default;
gpu_prepared_solve& gpu_prepared_solve::operator=(gpu_prepared_solve&&) noexcept = default;
gpu_prepared_solve::~gpu_prepared_solve() = default;
const gpu_labels& gpu_prepared_solve::components(const gpu_graph&) { refuse_build(); }
const gpu_labels& gpu_prepared_solve::components(device_graph_view) { refuse_build(); }
device_span<const std::uint32_t> gpu_prepared_solve::components_async(const gpu_graph&) { refuse_build(); }

gpu_graph gpu_benchmark::copy_of(graph_view, const gpu_graph_options&, const execution&, const gpu_techniques&) { refuse_build(); }
gpu_graph gpu_benchmark::generate_unsorted(std::string_view, std::uint64_t, const gpu_graph_options&, const execution&) { refuse_build(); }
gpu_graph gpu_benchmark::view_of(const gpu_graph&, const gpu_graph_options&, const gpu_techniques&) { refuse_build(); }
backend::memory_rates gpu_benchmark::measure_memory(const gpu_graph&, std::uint32_t) { refuse_build(); }

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
device::streamed_forest device::forest_by_streaming(graph_view, std::span<std::uint32_t>, const request<gpu_edge_sink_options>&) {
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
  throw usage_error{"bridges: cannot run on a GPU, because this build has no GPU part"};
}

void weighted::merge_on_gpu(coo_view<std::uint32_t>, const weights_view&, std::optional<double>, const execution&, dendrogram_result&,
                            phase_times&) {
  throw usage_error{"cuda: cannot run on a GPU, because this build has no GPU part"};
}

components_result hybrid::solve(graph_view whole, const vertex_names&, const solve_request& options) {
  static_cast<void>(hybrid_variant_named(options.variant, whole));  // throws: no variant has such a name
  return {};
}

}  // namespace copse
