// Memory of a GPU by plain calls of CUDA, which suits every stream.
#pragma once
#include <cuda_runtime_api.h>
#include <gpu/runtime/gpu.hpp>

#include <cstddef>
#include <memory_resource>

namespace copse::test {

class plain_gpu_memory final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t /*alignment*/) override {
    void* first = nullptr;
    backend::checked(cudaMalloc(&first, bytes), "testing");
    return first;
  }
  /// Waits for what is at work.
  void do_deallocate(void* first, std::size_t /*bytes*/, std::size_t /*alignment*/) override { static_cast<void>(cudaFree(first)); }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace copse::test
