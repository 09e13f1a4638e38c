// Euler tours of forests in GPU memory: the algorithm is the one for CPUs (drivers/rooting/tour.cpp), with a kernel per step. Compiled
// without CUDA's headers.
//
// Cost: one sort of the arcs, a search in a row for each arc, one list ranking and two scans, however deep the trees are. Memory: at most
// 68 bytes per vertex at a time, 16 of which are the answer.
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

/// A rooted forest in preorder, in GPU memory: trees are in the order of their roots, except that vertices without an edge come last. A
/// subtree is a range of places, and begins with its topmost vertex.
struct gpu_tour {
  /// Pointers to the four arrays of the tour, to be passed to kernels.
  struct places {
    std::uint32_t *order, *preorder, *parents, *ends;
  };
  buffer<std::uint32_t> order;     ///< the vertices in preorder: order[p] is the vertex at place p
  buffer<std::uint32_t> preorder;  ///< the place of each vertex
  buffer<std::uint32_t> parents;   ///< per place: the place of the parent, or for a root its own place
  buffer<std::uint32_t> ends;      ///< per place: the end of the range of its subtree
};

/// Computes the tour of a forest. `labels`: the root of every vertex, which is the smallest of its tree. Both arrays are in GPU memory,
/// which `memory` allocates, too. Waits for the GPU. Throws resource_error for more than 2^30 edges, whose arcs are too many for a ranking.
gpu_tour tour_on_gpu(const backend::gpu& on, std::pmr::memory_resource* memory, observer* watcher,
                     std::span<const edge<std::uint32_t>> forest, std::span<const std::uint32_t> labels);

}  // namespace copse::drivers
