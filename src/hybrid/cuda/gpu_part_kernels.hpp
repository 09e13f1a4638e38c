// The GPU's part of a hybrid solve, for code that does not compile its kernels.
#pragma once
#include <copse/execution.hpp>
#include <copse/hybrid.hpp>
#include <copse/memory.hpp>
#include <core/phase_times.hpp>
#include <gpu/runtime/gpu.hpp>
#include <hybrid/gpu_part_rows.hpp>
#include <loops/arcs.hpp>

#include <cstdint>
#include <memory>

namespace copse::hybrid {

class gpu_part_kernels {
public:
  using id = std::uint32_t;
  using rows = backend::any_rows<id>;

  /// `on` and `memory`, which is that GPU's, outlive this. `most_blocks`: as in backend::cuda. `threads` threads copy. `rule`: how arcs
  /// across the cut are solved.
  gpu_part_kernels(const backend::gpu& on, std::pmr::memory_resource* memory, observer* watcher, unsigned most_blocks, unsigned threads,
                   cross_rule rule);
  ~gpu_part_kernels();
  gpu_part_kernels(const gpu_part_kernels&) = delete;

  /// The rows from `cut` on: copied from a graph in host memory, or used in place in the GPU's memory. `first_arc`: offsets[cut].
  /// Copies of page-locked rows may still be running when it returns.
  void copy_in(const rows& host, id cut, std::uint64_t first_arc);
  void borrow(const rows& on_device, id cut, std::uint64_t first_arc);

  void split();
  /// Called, like take(), by the thread that drives the GPU; selects the GPU for it.
  [[nodiscard]] backend::arc_set<id> inside();
  /// The rows of inside() as a list, each edge once; called by the same thread.
  [[nodiscard]] buffer<edge<id>> listed(const rows& inside);
  void take(buffer<id> labels);
  /// Receives the answer of the cores. Called by any thread that uses the GPU, possibly at the same time as other calls.
  void give(cpu_answer found);
  /// Waits for the labels.
  [[nodiscard]] buffer<id> join(hybrid_report& report, phase_times& times);

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace copse::hybrid
