// The GPU's part of a hybrid solve, for code that does not compile kernels.
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

  /// `on` and `memory`, which is memory of that GPU, must outlive this object. `most_blocks` limits the blocks of a kernel, which tests
  /// use; 0 for no limit. `threads` is the number of threads that copy. `rule` says how arcs across the cut are solved.
  gpu_part_kernels(const backend::gpu& on, std::pmr::memory_resource* memory, observer* watcher, unsigned most_blocks, unsigned threads,
                   cross_rule rule);
  ~gpu_part_kernels();
  gpu_part_kernels(const gpu_part_kernels&) = delete;

  /// Takes the rows from `cut` on: copy_in() copies them from a graph in host memory, borrow() uses rows in the GPU's memory in place.
  /// `first_arc` is offsets[cut]. Copies of page-locked rows may still be running when copy_in() returns.
  void copy_in(const rows& host, id cut, std::uint64_t first_arc);
  void borrow(const rows& on_device, id cut, std::uint64_t first_arc);

  void split();
  /// Returns the graph that a variant of cuda solves on the GPU. Must be called, like take(), by the thread that drives the GPU; selects
  /// the GPU for that thread.
  [[nodiscard]] backend::arc_set<id> inside();
  /// Returns a list with each edge once of the graph whose rows are `inside`, the rows of the graph that inside() returned. Must be called
  /// by the thread that calls inside().
  [[nodiscard]] buffer<edge<id>> listed(const rows& inside);
  void take(buffer<id> labels);
  /// Receives the labels that the cores found for the vertices below the cut. May be called by any thread that uses the GPU, and at the
  /// same time as other functions.
  void give(cpu_answer found);
  /// Joins the components of the CPU's part and of the GPU's part by the edges between the parts. Returns the labels of the whole graph,
  /// for which it waits.
  [[nodiscard]] buffer<id> join(hybrid_report& report, phase_times& times);

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace copse::hybrid
