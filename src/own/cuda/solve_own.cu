// The kernels of our own path.
#include <own/cuda/solve_own.cuh>

namespace copse::own {

using rows_32 = backend::arc_set<std::uint32_t>;

template gpu_workspace<std::uint32_t> workspace_on_gpu(const backend::cuda&, const rows_32&, bool, bool, const gpu_ideas&);
template void solve_own_on_gpu(const backend::cuda&, const rows_32&, std::uint32_t*, gpu_workspace<std::uint32_t>&, const solve_options&,
                               const gpu_ideas&, backend::gpu_laps*);

}  // namespace copse::own
