// Euler tours of forests in the memory of a GPU: the same road as on a CPU (drivers/rooting/tour.cpp), a kernel per step.
// Compiled without CUDA's headers.
//
// Cost: a sort of the arcs, a search in a row for each of them, one list ranking, two scans; however deep the trees are. Memory: 68 bytes
// per vertex at the height, 16 of which are the answer.
#pragma once
#include <copse/execution.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>

#include <cstdint>
#include <memory_resource>
#include <span>

namespace copse::backend {
class gpu;
}

namespace copse::drivers {

/// A rooted forest in preorder, in the memory of a GPU: trees by ascending roots, but vertices without an edge last. A subtree is a range
/// of places, and begins with its top.
struct gpu_tour {
  /// For kernels.
  struct places {
    std::uint32_t *order, *preorder, *parents, *ends;
  };
  buffer<std::uint32_t> order;     ///< the vertex at each place
  buffer<std::uint32_t> preorder;  ///< the place of each vertex
  buffer<std::uint32_t> parents;   ///< per place: that of the vertex above, or of a root its own
  buffer<std::uint32_t> ends;      ///< per place: the one behind its subtree
};

/// `labels`: the root of every vertex, the smallest of its tree. Both are in the memory of the GPU, as `memory` is. Waits. Throws
/// resource_error for more than 2^30 edges, whose arcs are too many for a ranking.
gpu_tour tour_on_gpu(const backend::gpu& on, std::pmr::memory_resource* memory, observer* watcher,
                     std::span<const edge<std::uint32_t>> forest, std::span<const std::uint32_t> labels);

}  // namespace copse::drivers
