// What a rule of incremental connectivity on a GPU is to its callers: functions over a structure in the GPU's memory. Without CUDA's
// headers.
#pragma once
#include <copse/operations.hpp>
#include <copse/views.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace copse::drivers {

class device_forest;

/// A batch in the memory of the GPU, or the operations of one kind in it. `kinds` may be null: all are of every kind.
struct gpu_batch {
  const edge<std::uint32_t>* pairs = nullptr;
  std::size_t count = 0;
  const operation* kinds = nullptr;
};

/// What a rule keeps from batch to batch, in addition to the forest.
class rule_state {
public:
  virtual ~rule_state() = default;
  /// There is room for `vertices` vertices now, and the arrays of the forest are other ones.
  virtual void fit(std::size_t vertices) = 0;
  /// The number of vertices has changed.
  virtual void resized() noexcept = 0;
  /// A small batch in host memory, which may be overwritten when this returns. False: nothing was done, as the batch is too large.
  virtual bool insert_small(std::span<const edge<std::uint32_t>> pairs) = 0;
};

/// The kernels of a rule, which these functions enqueue. Answers are bits, of which all words are written: one bit per pair, 0 for inserts.
struct gpu_rule {
  void (*insert)(device_forest&, gpu_batch) = nullptr;
  void (*query)(device_forest&, gpu_batch, std::uint32_t* answers) = nullptr;  ///< nothing may be inserted at the same time
  void (*mixed)(device_forest&, gpu_batch, std::uint32_t* answers) = nullptr;  ///< null where queries may not run concurrently with inserts
  std::unique_ptr<rule_state> (*state)(device_forest&) = nullptr;              ///< null: none
};

/// The fast path's rule: Rem's algorithm with splitting, and past the giant in large batches.
gpu_rule past_giant_rule() noexcept;

}  // namespace copse::drivers
