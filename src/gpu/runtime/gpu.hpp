// One GPU in use: the calling thread's device while it lives, a stream of its own or the caller's, and a place for answers to the host.
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>

namespace copse::backend {

/// A stream that belongs to the caller.
struct callers_stream {
  cudaStream_t stream;
};

class gpu {
public:
  /// Throws resource_error when the machine has no GPU that works, usage_error when it has fewer than index + 1.
  explicit gpu(unsigned index);
  /// The GPU of this stream; of the default streams, the calling thread's device. Neither this nor its end waits for the stream. Throws
  /// resource_error when the machine has no GPU that works, and error for a fault that an earlier call of the thread left behind.
  explicit gpu(callers_stream theirs);
  gpu(const gpu&) = delete;
  ~gpu();

  [[nodiscard]] int index() const noexcept { return index_; }
  [[nodiscard]] cudaStream_t stream() const noexcept { return stream_; }
  [[nodiscard]] unsigned multiprocessors() const noexcept { return multiprocessors_; }
  [[nodiscard]] unsigned major_capability() const noexcept { return major_capability_; }

  /// Page-locked host memory, to which the GPU copies an answer in half the time that other memory takes. For one answer at a time. On a
  /// caller's stream the first call takes it, because that may wait for the GPU.
  static constexpr std::size_t answer_bytes = 64;
  [[nodiscard]] void* answer() const;

  /// From memory the L2 cache fetches 64 bytes at once; 32 where the beginnings of long rows are all that is read. The limit
  /// cudaLimitMaxL2FetchGranularity of the device, for all of the process; what it was comes back with `shorter` false, and at the end.
  void fetch_at_once(bool shorter);

private:
  void choose_device();
  void release() noexcept;

  int index_ = 0;
  int before_ = 0;  ///< the thread's device until now
  unsigned multiprocessors_ = 0, major_capability_ = 0;
  cudaStream_t stream_ = nullptr;
  bool owns_stream_ = false;
  mutable void* answer_ = nullptr;
  std::size_t fetched_before_ = 0;  ///< the limit until it was changed, 0: it was not
};

}  // namespace copse::backend
