// The ways of solving on GPUs, for the estimator: bytes of their memory and seconds, start-up and copies included.
#pragma once
#include <copse/cuda.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "estimate.hpp"

namespace copse::cli {

/// To bring the graph there, and its labels back.
double copy_seconds(const graph_size& size, const machine_rates& rates);
/// The graph in the memory of that GPU. Precondition, above and below: the rates have those of a GPU.
way held_on_gpu(const gpu_facts& gpu, const graph_size& size, const machine_rates& rates);
/// Its edges streamed through that GPU. Parsing goes on meanwhile.
way streamed_through(const gpu_facts& gpu, const graph_size& size, const machine_rates& rates);

/// Both on each of the GPUs, as far as their ids are wide enough, and of several the stream through the first two, the first three, and so
/// on to all. Where there is none, what both would need of one, without seconds.
std::vector<way> ways_of_gpus(std::span<const gpu_facts> all, const graph_size& size, const machine_rates& rates);

}  // namespace copse::cli
