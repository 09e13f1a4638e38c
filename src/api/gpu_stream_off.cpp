// What a build without the GPU part has of gpu_stream: a text that says so.
#include <copse/errors.hpp>
#include <copse/gpu_stream.hpp>
#include <device/stream_into.hpp>

#if !defined(COPSE_HAS_CUDA)
namespace copse {
namespace {

[[noreturn]] void refuse() { throw resource_error{"gpu_stream: this build has no GPU part"}; }

}  // namespace

struct gpu_stream::state {};

gpu_stream::gpu_stream(id, const gpu_stream_options&) { refuse(); }
gpu_stream::gpu_stream(gpu_stream&&) noexcept = default;
gpu_stream& gpu_stream::operator=(gpu_stream&&) noexcept = default;
gpu_stream::~gpu_stream() = default;

// No object of it exists, so nobody calls these.
void gpu_stream::grow(id) {}
void gpu_stream::add(std::span<const edge<id>>) {}
void gpu_stream::add(std::span<const id>, std::span<const id>) {}
void gpu_stream::add(csr_view<id, std::uint32_t>) {}
void gpu_stream::add(csr_view<id, std::uint64_t>) {}
void gpu_stream::add_resident(std::size_t, device_span<const edge<id>>) {}
void gpu_stream::wait() {}
labelling gpu_stream::labels() { return {}; }

solve_report device::stream_into(graph_view, std::span<std::uint32_t>, const gpu_stream_options&) { refuse(); }
solve_report device::stream_into(edge_columns_view<std::uint32_t>, std::span<std::uint32_t>, const gpu_stream_options&) { refuse(); }

components_result stream_components(graph_view, const gpu_stream_options&) { refuse(); }
components_result stream_components(edge_columns_view<std::uint32_t>, const gpu_stream_options&) { refuse(); }
components_result stream_components(const graph&, const gpu_stream_options&) { refuse(); }
streamed_components stream_components_of_files(std::span<const std::filesystem::path>, const io::read_options&, const gpu_stream_options&) {
  refuse();
}

}  // namespace copse
#endif
