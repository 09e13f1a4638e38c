// A flag in the memory of a GPU that the steps of a loop can set and the host reads between loops.
#pragma once
#include <copse/memory.hpp>
#include <gpu/runtime/checked.hpp>

#include <cstdint>

#include <cuda/atomic>

namespace copse::backend {

class gpu_change_flag {
public:
  class noter {
  public:
    explicit noter(std::uint32_t* any) noexcept : any_{any} {}
    __device__ void note() const noexcept {
      const ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_device> any{*any_};
      if (any.load(::cuda::memory_order_relaxed) == 0) any.store(1, ::cuda::memory_order_relaxed);
    }

  private:
    std::uint32_t* any_;
  };

  template <class Backend>
  gpu_change_flag(const Backend& loops, std::pmr::memory_resource* memory) : stream_{loops.stream()}, word_(1, memory) {
    clear();
  }

  [[nodiscard]] noter notes() noexcept { return noter{word_.data()}; }
  /// Since the last call? Waits for the loops before.
  bool happened() {
    std::uint32_t any = 0;
    checked(cudaMemcpyAsync(&any, word_.data(), sizeof any, cudaMemcpyDeviceToHost, stream_), "asking for changes");
    checked(cudaStreamSynchronize(stream_), "waiting for a round");
    if (any != 0) clear();
    return any != 0;
  }

private:
  void clear() { checked(cudaMemsetAsync(word_.data(), 0, sizeof(std::uint32_t), stream_), "clearing a flag"); }

  cudaStream_t stream_;
  buffer<std::uint32_t> word_;
};

}  // namespace copse::backend
