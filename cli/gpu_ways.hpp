// The ways of solving on GPUs, for the estimator: bytes of their memory and seconds, start-up and copies included.
#pragma once
#include <copse/cuda.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "estimate.hpp"

namespace copse::cli {

/// A graph as it would go to a GPU.
struct gpu_load {
  graph_size size;
  std::uint64_t arcs = 0;  ///< of rows, both directions; 0: it is a list of edges
};

/// To bring it there, and its labels back.
double copy_seconds(const gpu_load& load, const machine_rates& rates);
/// The graph in the memory of that GPU. Precondition, above and below: the rates have those of a GPU.
way held_on_gpu(const gpu_facts& gpu, const gpu_load& load, const machine_rates& rates);
/// Its edges streamed through that GPU. Parsing goes on meanwhile.
way streamed_through(const gpu_facts& gpu, const gpu_load& load, const machine_rates& rates);

/// Both on each of the GPUs, as far as their ids are wide enough, and of several the stream through all.
std::vector<way> ways_of_gpus(std::span<const gpu_facts> all, const gpu_load& load, const machine_rates& rates);

}  // namespace copse::cli
