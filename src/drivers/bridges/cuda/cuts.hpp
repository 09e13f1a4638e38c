// Bridges and articulation points in the memory of a GPU: the algorithm of ../cuts.hpp, a kernel per step. Compiled without CUDA's headers.
#pragma once
#include <copse/execution.hpp>
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <core/phase_times.hpp>
#include <drivers/rooting/cuda/tour.hpp>
#include <loops/arcs.hpp>

#include <cstdint>
#include <memory_resource>
#include <span>

namespace copse::backend {
class gpu;
}

namespace copse::drivers {

/// The bridges, articulation points and biconnected components (blocks) of a graph, in host memory.
struct gpu_cuts {
  buffer<std::uint64_t> positions;      ///< positions of the bridges, ascending
  buffer<std::uint32_t> smaller_sides;  ///< per bridge, the number of vertices on its smaller side
  buffer<std::uint32_t> points;         ///< articulation points, ascending
  buffer<std::uint32_t> labels;         ///< per vertex, the smallest vertex of its two-edge-connected component
  std::uint64_t components = 0, repeats = 0, blocks = 0;
  /// Arrays over places in preorder, empty unless blocks were asked for. order[p]: the vertex at place p. parents[p]: the place of its
  /// parent. block_of[p]: the block of the edge between the two, given by the smallest place of its vertices other than the head, which is
  /// the topmost one.
  buffer<std::uint32_t> block_of, order, parents;
};

/// What the caller wants in addition to the bridges.
struct gpu_cuts_request {
  bool simple, with_blocks;
  std::pmr::memory_resource* answers;  ///< allocates the answers, in host memory
};

/// Finds bridges and articulation points of `g`. `forest` and `labels`: a spanning forest of `g` and its canonical labels; both are
/// consumed. All are in GPU memory, which `memory` allocates, too. Phases: "tour", "edges", "subtrees", "answer". Takes 60 bytes per vertex
/// in addition to these arrays, 4 per arc, and 68 per vertex while the tour is made.
gpu_cuts cuts_on_gpu(const backend::gpu& on, std::pmr::memory_resource* memory, observer* watcher, const backend::arc_set<std::uint32_t>& g,
                     buffer<edge<std::uint32_t>> forest, buffer<std::uint32_t> labels, const gpu_cuts_request& wanted, phase_times& times);

}  // namespace copse::drivers
