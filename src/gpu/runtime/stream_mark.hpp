// A point in a stream that another stream or the host can wait for, and page-locked host memory.
#pragma once
#include <cuda_runtime_api.h>
#include <gpu/runtime/checked.hpp>

#include <cstddef>
#include <memory_resource>

namespace copse::backend {

class stream_mark {
public:
  stream_mark() { checked(cudaEventCreateWithFlags(&held_, cudaEventDisableTiming), "making an event"); }
  stream_mark(const stream_mark&) = delete;
  ~stream_mark() { static_cast<void>(cudaEventDestroy(held_)); }
  void set(cudaStream_t stream) const { checked(cudaEventRecord(held_, stream), "recording an event"); }
  void hold_back(cudaStream_t other) const { checked(cudaStreamWaitEvent(other, held_, 0), "waiting for a stream"); }
  void wait() const { checked(cudaEventSynchronize(held_), "waiting for a copy"); }

private:
  cudaEvent_t held_ = nullptr;
};

/// Host memory that the GPU copies from and to at full speed and beside kernels; lives as long as the program.
inline std::pmr::memory_resource* pinned_memory() {
  class pinned final : public std::pmr::memory_resource {
    void* do_allocate(std::size_t bytes, std::size_t) override {
      void* at = nullptr;
      checked(cudaMallocHost(&at, bytes), "allocating pinned memory");
      return at;
    }
    void do_deallocate(void* at, std::size_t, std::size_t) override { static_cast<void>(cudaFreeHost(at)); }
    [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
  };
  static pinned resource;
  return &resource;
}

}  // namespace copse::backend
