// What a program that calls copse on a GPU has already: arrays, streams, and memory that host and kernels share.
#pragma once
#include <cuda_runtime_api.h>
#include <copse/cuda.hpp>
#include <gpu/runtime/gpu.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace copse::test {

inline void expect_done(cudaError_t status) { backend::checked(status, "testing"); }

/// 32-bit words in the memory of a GPU, by plain calls of CUDA.
class words {
public:
  explicit words(std::size_t count) : count_{count} {
    expect_done(cudaMalloc(reinterpret_cast<void**>(&first_), std::max<std::size_t>(count, 1) * sizeof(std::uint32_t)));
  }
  template <class T>
  explicit words(std::span<const T> host) : words{host.size_bytes() / sizeof(std::uint32_t)} {
    expect_done(cudaMemcpy(first_, host.data(), host.size_bytes(), cudaMemcpyHostToDevice));
  }
  words(words&& other) noexcept : first_{std::exchange(other.first_, nullptr)}, count_{other.count_} {}
  words& operator=(words&&) = delete;
  ~words() { static_cast<void>(cudaFree(first_)); }

  [[nodiscard]] std::uint32_t* data() const noexcept { return first_; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] device_span<std::uint32_t> span() const noexcept { return {first_, count_}; }
  template <class T>
  [[nodiscard]] device_span<const T> of() const noexcept {
    return {reinterpret_cast<const T*>(first_), count_ * sizeof(std::uint32_t) / sizeof(T)};
  }
  [[nodiscard]] std::vector<std::uint32_t> on_host(cudaStream_t stream) const {
    std::vector<std::uint32_t> copy(count_);
    expect_done(cudaMemcpyAsync(copy.data(), first_, count_ * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, stream));
    expect_done(cudaStreamSynchronize(stream));
    return copy;
  }

private:
  std::uint32_t* first_ = nullptr;
  std::size_t count_;
};

/// The four kinds of stream that a caller may have.
class streams {
public:
  streams() {
    expect_done(cudaStreamCreateWithFlags(&blocking_, cudaStreamDefault));
    expect_done(cudaStreamCreateWithFlags(&non_blocking_, cudaStreamNonBlocking));
  }
  streams(const streams&) = delete;
  ~streams() {
    static_cast<void>(cudaStreamDestroy(blocking_));
    static_cast<void>(cudaStreamDestroy(non_blocking_));
  }
  [[nodiscard]] std::array<std::pair<const char*, cudaStream_t>, 4> all() const {
    return {{{"legacy default", nullptr},
             {"per-thread default", cudaStreamPerThread},
             {"blocking", blocking_},
             {"non-blocking", non_blocking_}}};
  }

private:
  cudaStream_t blocking_ = nullptr, non_blocking_ = nullptr;
};

/// Page-locked, so that a kernel sees what the host writes.
class gate {
public:
  gate() { expect_done(cudaHostAlloc(reinterpret_cast<void**>(&word_), sizeof *word_, cudaHostAllocMapped)); }
  gate(const gate&) = delete;
  ~gate() { static_cast<void>(cudaFreeHost(word_)); }
  void set(bool open) noexcept { *const_cast<volatile std::uint32_t*>(word_) = open ? 1 : 0; }
  [[nodiscard]] const volatile std::uint32_t* word() const noexcept { return word_; }

private:
  std::uint32_t* word_ = nullptr;
};

}  // namespace copse::test
