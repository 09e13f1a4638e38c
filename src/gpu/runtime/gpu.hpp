// One GPU in use: the calling thread's device while it lives, a stream of its own, and a place for answers to the host.
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>

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
  [[nodiscard]] unsigned major_capability() const noexcept { return major_capability_; }

  /// Page-locked host memory, to which the GPU copies an answer in half the time that other memory takes. For one answer at a time.
  static constexpr std::size_t answer_bytes = 64;
  [[nodiscard]] void* answer() const noexcept { return answer_; }

  /// From memory the L2 cache fetches 64 bytes at once; 32 where the beginnings of long rows are all that is read. The limit
  /// cudaLimitMaxL2FetchGranularity of the device, for all of the process; what it was comes back with `shorter` false, and at the end.
  void fetch_at_once(bool shorter);

private:
  void release() noexcept;

  int index_;
  int before_ = 0;  ///< the thread's device until now
  unsigned multiprocessors_ = 0, major_capability_ = 0;
  cudaStream_t stream_ = nullptr;
  void* answer_ = nullptr;
  std::size_t fetched_before_ = 0;  ///< the limit until it was changed, 0: it was not
};

}  // namespace copse::backend
