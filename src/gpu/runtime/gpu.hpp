// One GPU in use: the calling thread's device while the object lives, a stream of its own or the caller's, and host memory for answers.
// Errors of the CUDA runtime become exceptions.
#pragma once
#include <cuda_runtime_api.h>
#include <copse/errors.hpp>

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>

namespace copse::backend {

/// Throws resource_error if `status` reports that memory ran out, and error if it reports another failure. `doing` describes the call, such
/// as "copying labels".
inline void checked(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // clears the error, so that a later call does not report it
  const std::string text = std::string{"cuda: "}.append(doing).append(": ").append(cudaGetErrorString(status));
  if (status == cudaErrorMemoryAllocation) throw resource_error{text};
  throw error{text};
}

/// A stream that belongs to the caller.
struct callers_stream {
  cudaStream_t stream;
};

class gpu {
public:
  /// Throws resource_error when the machine has no GPU that works, usage_error when it has fewer than index + 1.
  explicit gpu(unsigned index);
  /// Uses the GPU of this stream, or the calling thread's device for the default streams. Neither constructor nor destructor waits for the
  /// stream. Throws resource_error when the machine has no GPU that works, and error for a fault that an earlier call of the thread left
  /// behind.
  explicit gpu(callers_stream theirs);
  gpu(const gpu&) = delete;
  ~gpu();

  [[nodiscard]] int index() const noexcept { return index_; }
  [[nodiscard]] cudaStream_t stream() const noexcept { return stream_; }
  [[nodiscard]] unsigned multiprocessors() const noexcept { return multiprocessors_; }
  [[nodiscard]] unsigned major_capability() const noexcept { return major_capability_; }

  /// Returns page-locked host memory for an answer of at most answer_bytes, which the GPU copies there in half the time that other memory
  /// takes. It holds one answer at a time. For a caller's stream, the first call of answer() allocates it and not the constructor, because
  /// allocating may wait for the GPU.
  static constexpr std::size_t answer_bytes = 64;
  [[nodiscard]] void* answer() const;

  /// With `shorter`, the L2 cache fetches 32 bytes at once from memory instead of 64, which pays where only the beginnings of long rows are
  /// read. Sets the device's limit cudaLimitMaxL2FetchGranularity for the whole process; `shorter` false or the destructor restores it.
  void fetch_at_once(bool shorter);

private:
  void choose_device();
  void release() noexcept;

  int index_ = 0;
  int before_ = 0;  ///< the calling thread's device before, which the destructor restores
  unsigned multiprocessors_ = 0, major_capability_ = 0;
  cudaStream_t stream_ = nullptr;
  bool owns_stream_ = false;
  mutable void* answer_ = nullptr;
  std::size_t fetched_before_ = 0;  ///< the limit before fetch_at_once(true); 0 if it was not changed
};

/// A memory resource that allocates memory of a GPU for kernels; the host may not access it. A tracked_memory in front of it counts
/// the bytes and limits them, as in host memory.
///
/// Allocates and frees in the order of a stream, from a pool of the device, so that neither operation waits for kernels. Devices without
/// pools use cudaMalloc and cudaFree, which do wait. Throws resource_error with the numbers when the GPU has no more memory.
class gpu_memory final : public std::pmr::memory_resource {
public:
  /// `on` must outlive this object.
  explicit gpu_memory(const gpu& on);

  /// The bytes that an allocation may take: those that the device has free and those that the pool keeps.
  [[nodiscard]] std::uint64_t free_bytes() const;

private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* pointer, std::size_t bytes, std::size_t alignment) override;
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  const gpu& on_;
  cudaMemPool_t pool_ = nullptr;
};

/// Allows kernels and copies on the GPU `reader` to read directly what gpu_memory has allocated on the GPU `owner`. Returns false if the
/// hardware does not support it.
[[nodiscard]] bool let_read(int reader, int owner);

}  // namespace copse::backend
