// What a build without the GPU part has of gpu_edge_sink: a text that says so.
#include <copse/errors.hpp>
#include <copse/gpu_edge_sink.hpp>
#include <device/stream_into.hpp>

#if !defined(COPSE_HAS_CUDA)
namespace copse {
namespace {

[[noreturn]] void refuse() { throw resource_error{"gpu_edge_sink: this build has no GPU part"}; }

}  // namespace

struct gpu_edge_sink::state {};

gpu_edge_sink::gpu_edge_sink(id, const gpu_edge_sink_options&) { refuse(); }
gpu_edge_sink::gpu_edge_sink(gpu_edge_sink&&) noexcept = default;
gpu_edge_sink& gpu_edge_sink::operator=(gpu_edge_sink&&) noexcept = default;
gpu_edge_sink::~gpu_edge_sink() = default;

// No object of it exists, so nobody calls these.
void gpu_edge_sink::grow(id) {}
void gpu_edge_sink::add(std::span<const edge<id>>) {}
void gpu_edge_sink::add(std::span<const id>, std::span<const id>) {}
void gpu_edge_sink::add(csr_view<id, std::uint32_t>) {}
void gpu_edge_sink::add(csr_view<id, std::uint64_t>) {}
void gpu_edge_sink::add_resident(std::size_t, device_span<const edge<id>>, std::optional<cuda_stream>) {}
void gpu_edge_sink::wait() {}
labelling gpu_edge_sink::labels() { return {}; }
graph gpu_edge_sink::forest() { return graph{coo<std::uint32_t>{}}; }

solve_report device::stream_into(graph_view, std::span<std::uint32_t>, const gpu_edge_sink_options&) { refuse(); }
device::streamed_forest device::stream_forest(graph_view, std::span<std::uint32_t>, const gpu_edge_sink_options&) { refuse(); }
solve_report device::stream_into(edge_columns_view<std::uint32_t>, std::span<std::uint32_t>, const gpu_edge_sink_options&) { refuse(); }

components_result components_through_gpus(graph_view, const gpu_edge_sink_options&) { refuse(); }
components_result components_through_gpus(edge_columns_view<std::uint32_t>, const gpu_edge_sink_options&) { refuse(); }
components_result components_through_gpus(const graph&, const gpu_edge_sink_options&) { refuse(); }
forest_result spanning_forest_through_gpus(graph_view, const gpu_edge_sink_options&, forest_parts) { refuse(); }
forest_result spanning_forest_through_gpus(const graph&, const gpu_edge_sink_options&, forest_parts) { refuse(); }
streamed_components components_of_files_through_gpus(std::span<const std::filesystem::path>, const io::read_options&,
                                                     const gpu_edge_sink_options&) {
  refuse();
}

}  // namespace copse
#endif
