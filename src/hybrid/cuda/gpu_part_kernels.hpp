// The rest of a hybrid solve on a GPU, as those see it who do not compile its kernels.
#pragma once
#include <copse/hybrid.hpp>
#include <copse/memory.hpp>
#include <copse/options.hpp>
#include <copse/report.hpp>
#include <gpu/runtime/gpu.hpp>
#include <loops/arcs.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace copse::hybrid {

class gpu_part_kernels {
public:
  using id = std::uint32_t;
  using rows = backend::any_rows<id>;

  /// `on` outlives this, and `memory`, which is of that GPU. `most_blocks`: as backend::cuda's. So many threads copy. `rule`: what becomes
  /// of arcs across the cut.
  gpu_part_kernels(const backend::gpu& on, std::pmr::memory_resource* memory, observer* watcher, unsigned most_blocks, unsigned threads,
                   cross_rule rule);
  ~gpu_part_kernels();
  gpu_part_kernels(const gpu_part_kernels&) = delete;

  /// The rows from `cut` on of a graph in host memory, copied; of one in the GPU's memory, where they are. `first_arc`: offsets[cut].
  /// Page-locked rows may still be on their way when it returns.
  void copy_in(const rows& host, id cut, std::uint64_t first_arc);
  void borrow(const rows& on_device, id cut, std::uint64_t first_arc);

  void split();
  /// Called, as take(), by the thread that drives the GPU, which is made to use it.
  [[nodiscard]] backend::arc_set<id> inside();
  void take(buffer<id> labels);
  /// By any thread that uses the GPU, at the same time.
  void give(std::span<const id> cpu_labels);
  /// Waits for the labels.
  [[nodiscard]] buffer<id> join(hybrid_report& told, phase_times& times);

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace copse::hybrid
