// Definitions for builds without the GPU part: functions that need a GPU throw an error that says so. No object of the classes for GPUs can
// exist there, so only their constructors are ever called.
#include <api/bridge_parts.hpp>
#include <api/device_views.hpp>
#include <api/gpu_benchmark.hpp>
#include <api/through_gpus.hpp>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>
#include <copse/variants.hpp>
#include <hybrid/named.hpp>
#include <weighted/dendrogram/on_gpu.hpp>

namespace copse {

bool built_with_cuda() noexcept { return false; }
std::vector<gpu_facts> gpus() { return {}; }

namespace {

const solve_report no_report;

[[noreturn]] void refuse_build() { throw resource_error{"cuda: this build has no GPU part"}; }

}  // namespace

void components_async(device_graph_view g, device_span<std::uint32_t> labels, const solve_options&, const execution&) {
  api::expect_labels(api::shape_of(g), labels);
  refuse_build();
}
solve_report components(device_graph_view g, device_span<std::uint32_t> labels, const solve_options&, const execution&) {
  api::expect_labels(api::shape_of(g), labels);
  refuse_build();
}

gpu_graph gpu_graph::copy_of(graph_view, const gpu_graph_options&, const execution&) { refuse_build(); }
gpu_graph gpu_graph::copy_of(graph_view, weights_view, const gpu_graph_options&, const execution&) { refuse_build(); }
gpu_graph gpu_graph::borrow(device_graph_view, const gpu_graph_options&, const execution&) { refuse_build(); }
gpu_graph gpu_graph::borrow(device_graph_view, const device_weights_view&, const gpu_graph_options&, const execution&) { refuse_build(); }
gpu_graph gpu_graph::read(const std::filesystem::path&, const io::read_options&, const gpu_graph_options&, const execution&) {
  refuse_build();
}
gpu_graph gpu_graph::generate(std::string_view, const gpu_graph_options&, const execution&) { refuse_build(); }
std::uint32_t gpu_graph::vertices() const noexcept { return 0; }
std::uint64_t gpu_graph::arcs() const noexcept { return 0; }
bool gpu_graph::both_directions() const noexcept { return false; }
std::uint64_t gpu_graph::edges() const { return 0; }

device_span<const std::uint32_t> gpu_labels::on_device() const noexcept { return {}; }
const solve_report& gpu_labels::report() const noexcept { return no_report; }
void gpu_labels::copy_out(std::span<std::uint32_t>) const {}
labelling gpu_labels::copy_out(std::pmr::memory_resource*) const { return {}; }
labelling gpu_labels::copy_out(vertex_names, std::pmr::memory_resource*) const { return {}; }

device_span<const edge<std::uint32_t>> gpu_spanning_forest::edges_on_device() const { return {}; }
device_span<const std::uint32_t> gpu_spanning_forest::arcs_on_device() const noexcept { return {}; }
device_span<const std::uint32_t> gpu_spanning_forest::labels_on_device() const noexcept { return {}; }
const solve_report& gpu_spanning_forest::report() const noexcept { return no_report; }
void gpu_spanning_forest::copy_out(std::span<edge<std::uint32_t>>, std::span<std::uint32_t>) const {}
void gpu_spanning_forest::copy_out_arcs(std::span<std::uint32_t>) const {}
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
gpu_spanning_forest weighted_forest(const gpu_graph&, const weighted_forest_options&, const execution&) { refuse_build(); }
verdict verify(const gpu_graph&, const gpu_labels&) { refuse_build(); }
verdict verify(const gpu_graph&, const labelling&) { refuse_build(); }
std::uint64_t checksum(const gpu_labels&) { refuse_build(); }

gpu_prepared_solve::gpu_prepared_solve(const gpu_graph&, const solve_options&, const execution&) : parts_{nullptr, nullptr} {
  refuse_build();
}
const gpu_labels& gpu_prepared_solve::components(const gpu_graph&) { refuse_build(); }
const gpu_labels& gpu_prepared_solve::components(device_graph_view) { refuse_build(); }
device_span<const std::uint32_t> gpu_prepared_solve::components_async(const gpu_graph&) { refuse_build(); }

gpu_graph gpu_benchmark::copy_of(graph_view, const gpu_graph_options&, const execution&, const gpu_techniques&) { refuse_build(); }
gpu_graph gpu_benchmark::generate_unsorted(std::string_view, std::uint64_t, const gpu_graph_options&, const execution&) { refuse_build(); }
gpu_graph gpu_benchmark::view_of(const gpu_graph&, const gpu_graph_options&, const gpu_techniques&) { refuse_build(); }
backend::memory_rates gpu_benchmark::measure_memory(const gpu_graph&, std::uint32_t) { refuse_build(); }

solve_report device::stream_into(graph_view, std::span<std::uint32_t>, const request<device::streaming_options>&) { refuse_build(); }
device::streamed_forest device::forest_by_streaming(graph_view, std::span<std::uint32_t>, const request<device::streaming_options>&) {
  refuse_build();
}
std::unique_ptr<streaming::uniting_sink> device::sink_to_gpus(const request<device::streaming_options>&) { refuse_build(); }
solve_report device::stream_into(edge_columns_view<std::uint32_t>, std::span<std::uint32_t>, const request<device::streaming_options>&) {
  refuse_build();
}

components_result api::components_through_gpus(graph_view, const vertex_names&, const request<device::streaming_options>&) {
  refuse_build();
}
components_result api::components_through_gpus(graph_view, const request<device::streaming_options>&) { refuse_build(); }
components_result api::components_through_gpus(edge_columns_view<std::uint32_t>, const request<device::streaming_options>&) {
  refuse_build();
}
forest_result api::spanning_forest_through_gpus(graph_view, const vertex_names&, const request<device::streaming_options>&, bool) {
  refuse_build();
}
device::streamed_components api::components_of_files_through_gpus(std::span<const std::filesystem::path>, const io::read_options&,
                                                                  const request<device::streaming_options>&) {
  refuse_build();
}

void incremental::insert_async(device_span<const edge<std::uint32_t>>) { refuse_build(); }
void incremental::insert_async(std::span<const edge<std::uint32_t>>) { refuse_build(); }
void incremental::connected_async(device_span<const edge<std::uint32_t>>, device_span<std::uint64_t>) { refuse_build(); }
void incremental::apply_async(device_span<const edge<std::uint32_t>>, device_span<const operation>, device_span<std::uint64_t>, mixing) {
  refuse_build();
}
void incremental::labels_async(device_span<std::uint32_t>) { refuse_build(); }
void incremental::wait() { refuse_build(); }
std::pmr::memory_resource* pinned_memory() { return host_memory(); }

void api::bridges_on_gpu(graph_view, const vertex_names&, const request<bridges_options>&, bridges_result&, phase_times&) {
  throw usage_error{"bridges: cannot run on a GPU, because this build has no GPU part"};
}

void weighted::merge_on_gpu(coo_view<std::uint32_t>, const weights_view&, std::optional<double>, const execution&, dendrogram_result&,
                            phase_times&) {
  throw usage_error{"cuda: cannot run on a GPU, because this build has no GPU part"};
}

components_result hybrid::solve(graph_view whole, const vertex_names&, const solve_request& options) {
  static_cast<void>(hybrid_variant_named(options.variant, whole));  // always throws, as no variant of hybrid exists in this build
  return {};
}

}  // namespace copse
