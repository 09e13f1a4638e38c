// The kernels of the fast path.
#include <fast/cuda/solve.cuh>

namespace copse::fast {

using rows_32 = backend::arc_set<std::uint32_t>;

template gpu_workspace<std::uint32_t> workspace_on_gpu(const backend::cuda&, const rows_32&, bool, bool, const gpu_settings&);
template void solve_fast_on_gpu(const backend::cuda&, const rows_32&, std::uint32_t*, gpu_workspace<std::uint32_t>&, const solve_options&,
                                const gpu_settings&, backend::gpu_laps*);

}  // namespace copse::fast
