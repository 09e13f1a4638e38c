// One GPU in use: the calling thread's device while it lives, and a stream of its own.
#pragma once
#include <cuda_runtime_api.h>

namespace copse::backend {

class gpu {
public:
  /// Throws resource_error when the machine has no GPU that works, usage_error when it has fewer than index + 1.
  explicit gpu(unsigned index);
  gpu(const gpu&) = delete;
  ~gpu();

  [[nodiscard]] int index() const noexcept { return index_; }
  [[nodiscard]] cudaStream_t stream() const noexcept { return stream_; }
  [[nodiscard]] unsigned multiprocessors() const noexcept { return multiprocessors_; }

private:
  int index_;
  int before_ = 0;  ///< the thread's device until now
  unsigned multiprocessors_ = 0;
  cudaStream_t stream_ = nullptr;
};

}  // namespace copse::backend
