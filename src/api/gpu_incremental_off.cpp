// What a build without the GPU part has of gpu_incremental: a text that says so.
#include <copse/cuda_incremental.hpp>
#include <copse/errors.hpp>
#include <copse/variants.hpp>

#if !defined(COPSE_HAS_CUDA)
namespace copse {

struct gpu_incremental::state {};

gpu_incremental::gpu_incremental(id, const gpu_incremental_options&) {
  throw resource_error{"gpu_incremental: this build has no GPU part"};
}
gpu_incremental::gpu_incremental(gpu_incremental&&) noexcept = default;
gpu_incremental& gpu_incremental::operator=(gpu_incremental&&) noexcept = default;
gpu_incremental::~gpu_incremental() = default;

// No object of it exists, so nobody calls these.
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

}  // namespace copse
#endif
