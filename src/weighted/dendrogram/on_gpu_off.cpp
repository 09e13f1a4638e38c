// What a build without the GPU part has of dendrograms on a GPU: a text that says so.
#include <weighted/dendrogram/on_gpu.hpp>

#if !defined(COPSE_HAS_CUDA)
namespace copse::weighted {

void merge_on_gpu(coo_view<std::uint32_t>, const weights_view&, const dendrogram_options&, dendrogram_result&, phase_times&) {
  throw usage_error{"cuda: found a GPU, expected none: this build has no GPU part"};
}

}  // namespace copse::weighted
#endif
