// The kernels of all unites that note their links: four a rule, as in solvers_cuda_unites.cu.
#include <registry/forest_recorders_cuda.cuh>

namespace copse::registry {

cuda_recorder cuda_recorder_of(std::size_t finish) {
  static constexpr auto recorders = recorders_of<backend::recording_cuda, std::uint32_t>(united_entries{});
  return recorders[finish];
}

}  // namespace copse::registry
