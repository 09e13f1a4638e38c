// The interface of a rule of incremental connectivity on a GPU: functions on a structure in GPU memory. Needs no CUDA headers.
#pragma once
#include <copse/operations.hpp>
#include <copse/views.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace copse::drivers {

class device_forest;

/// A batch in GPU memory, or the operations of one kind in it. If `kinds` is null, every operation counts as being of the kind in question.
struct gpu_batch {
  const edge<std::uint32_t>* pairs = nullptr;
  std::size_t count = 0;
  const operation* kinds = nullptr;
};

/// What a rule keeps from batch to batch, in addition to the forest.
class rule_state {
public:
  virtual ~rule_state() = default;
  /// Called when there is room for `vertices` vertices, in new arrays of the forest.
  virtual void fit(std::size_t vertices) = 0;
  /// Called when the number of vertices has changed.
  virtual void resized() noexcept = 0;
  /// Inserts a small batch from host memory, which may be overwritten when this returns. Returns false, and does nothing, if the batch is
  /// too large.
  virtual bool insert_small(std::span<const edge<std::uint32_t>> pairs) = 0;
};

/// The functions that enqueue the kernels of a rule. Answers are one bit per pair, 0 for inserts; all words of answers are written.
struct gpu_rule {
  void (*insert)(device_forest&, gpu_batch) = nullptr;
  void (*query)(device_forest&, gpu_batch, std::uint32_t* answers) = nullptr;  ///< nothing may be inserted at the same time
  void (*mixed)(device_forest&, gpu_batch, std::uint32_t* answers) = nullptr;  ///< null where queries may not run concurrently with inserts
  std::unique_ptr<rule_state> (*state)(device_forest&) = nullptr;              ///< null if the rule keeps no state
};

/// The fast path's rule: Rem's algorithm with splitting; large batches skip edges inside the giant.
gpu_rule past_giant_rule() noexcept;

}  // namespace copse::drivers
