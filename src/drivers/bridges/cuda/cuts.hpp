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

/// What was found, in host memory but for the blocks.
struct gpu_cuts {
  buffer<std::uint64_t> positions;      ///< positions of the bridges, ascending
  buffer<std::uint32_t> smaller_sides;  ///< per bridge, the vertices of its smaller side
  buffer<std::uint32_t> points;         ///< articulation points, ascending
  buffer<std::uint32_t> labels;         ///< per vertex, the smallest vertex of its two-edge-connected component
  std::uint64_t components = 0, repeats = 0, blocks = 0;
  /// In preorder, if they were asked for: the block of the edge above each place, as cuts::block; the vertices, and the places above.
  buffer<std::uint32_t> block_of, order, parents;
};

/// What the caller wants in addition to the bridges.
struct gpu_cuts_request {
  bool simple, with_blocks;
  std::pmr::memory_resource* answers;  ///< in host memory
};

/// `forest`, `labels`: a spanning forest of `g` and its canonical labels, which are lost here; all in the memory of the GPU, as `memory`
/// is. Phases: "tour", "edges", "subtrees", "answer". 60 bytes per vertex in addition to these, 4 per arc, and 68 per vertex while the tour
/// is made.
gpu_cuts cuts_on_gpu(const backend::gpu& on, std::pmr::memory_resource* memory, observer* watcher, const backend::arc_set<std::uint32_t>& g,
                     buffer<edge<std::uint32_t>> forest, buffer<std::uint32_t> labels, const gpu_cuts_request& wanted, phase_times& times);

}  // namespace copse::drivers
