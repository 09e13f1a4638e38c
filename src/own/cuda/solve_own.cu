// The kernels of our own path.
#include <own/cuda/solve_own.cuh>

namespace copse::own {

template buffer<std::uint32_t> solve_own_on_gpu(const backend::cuda&, const backend::arc_set<std::uint32_t>&, bool, const solve_options&,
                                                const gpu_ideas&, backend::gpu_laps*);

}  // namespace copse::own
