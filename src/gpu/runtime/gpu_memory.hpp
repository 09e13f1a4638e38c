// Memory of a GPU as a memory resource: buffers of it are what kernels work on; the host may not read them. A tracked_memory before it
// counts and caps, as in host memory.
#pragma once
#include <gpu/runtime/gpu.hpp>

#include <cstddef>
#include <cstdint>
#include <memory_resource>

namespace copse::backend {

/// Allocates in the order of a stream, from a pool of the device, so that neither end waits for the kernels between; where the driver has
/// no pools, by plain calls that do. Throws resource_error with the numbers when the GPU has no more.
class gpu_memory final : public std::pmr::memory_resource {
public:
  /// `on` outlives this.
  explicit gpu_memory(const gpu& on);

  /// What an allocation may take now: what the device has free, and what the pool keeps.
  [[nodiscard]] std::uint64_t free_bytes() const;

private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* pointer, std::size_t bytes, std::size_t alignment) override;
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  const gpu& on_;
  cudaMemPool_t pool_ = nullptr;
};

/// Lets copies of one GPU read what gpu_memory has allocated on another, straight. False: these two cannot.
[[nodiscard]] bool let_read(int reader, int owner);

}  // namespace copse::backend
