// Our own path on a GPU, as those see it who do not compile its kernels.
#pragma once
#include <backend/arcs.hpp>
#include <copse/core/memory.hpp>
#include <copse/core/solve_options.hpp>
#include <own/cuda/options.hpp>

namespace copse::backend {
class cuda;
class gpu_laps;
}  // namespace copse::backend

namespace copse::own {

/// Canonical labels of rows in the memory of the GPU; `sampled`: rows that store both directions of every edge. Returns before the kernels
/// have ended. `laps`: told where a phase ends, if not null.
template <class Id>
buffer<Id> solve_own_on_gpu(const backend::cuda& loops, const backend::arc_set<Id>& graph, bool sampled, const solve_options& options,
                            const gpu_ideas& ideas = {}, backend::gpu_laps* laps = nullptr);

extern template buffer<std::uint32_t> solve_own_on_gpu(const backend::cuda&, const backend::arc_set<std::uint32_t>&, bool,
                                                       const solve_options&, const gpu_ideas&, backend::gpu_laps*);

}  // namespace copse::own
