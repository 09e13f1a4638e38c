// The interface of the fast path on a GPU, for units that do not compile its kernels.
#pragma once
#include <copse/options.hpp>
#include <fast/cuda/options.hpp>
#include <fast/cuda/workspace.hpp>
#include <loops/arcs.hpp>

namespace copse::backend {
class cuda;
class gpu_laps;
}  // namespace copse::backend

namespace copse::fast {

/// For a graph, and for others of as many vertices and not more arcs. `sampled`: rows that store both directions of every edge.
/// `keeps_launch`: there will be many solves.
template <class Id>
gpu_workspace<Id> workspace_on_gpu(const backend::cuda& loops, const backend::arc_set<Id>& graph, bool sampled, bool keeps_launch,
                                   const gpu_settings& settings = {});

/// Canonical labels of rows in the memory of the GPU, into `parents`. Precondition: `space` was made for such a graph.
/// Returns before the kernels have ended. `laps`, if not null, records where each phase ends.
template <class Id>
void solve_fast_on_gpu(const backend::cuda& loops, const backend::arc_set<Id>& graph, Id* parents, gpu_workspace<Id>& space,
                       const solve_options& options, const gpu_settings& settings = {}, backend::gpu_laps* laps = nullptr);

extern template gpu_workspace<std::uint32_t> workspace_on_gpu(const backend::cuda&, const backend::arc_set<std::uint32_t>&, bool, bool,
                                                              const gpu_settings&);
extern template void solve_fast_on_gpu(const backend::cuda&, const backend::arc_set<std::uint32_t>&, std::uint32_t*,
                                       gpu_workspace<std::uint32_t>&, const solve_options&, const gpu_settings&, backend::gpu_laps*);

}  // namespace copse::fast
