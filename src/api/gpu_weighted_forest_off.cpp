// What a build without the GPU part has of gpu_weighted_forest: a text that says so.
#include <api/no_gpu_part.hpp>
#include <copse/cuda_weighted_forest.hpp>

#if !defined(COPSE_HAS_CUDA)
namespace copse {

struct gpu_weighted_forest::state {};
struct gpu_weighted_forest::resident::parts {
  device_graph_view graph;
  device_weights_view weights;
};

gpu_weighted_forest::gpu_weighted_forest(const gpu_weighted_forest_options&) { refuse_build(); }
gpu_weighted_forest::gpu_weighted_forest(gpu_weighted_forest&&) noexcept = default;
gpu_weighted_forest& gpu_weighted_forest::operator=(gpu_weighted_forest&&) noexcept = default;
gpu_weighted_forest::~gpu_weighted_forest() = default;

// No object of it exists, so nobody calls these.
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

}  // namespace copse
#endif
