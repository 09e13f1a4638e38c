// gpus(): lists the GPUs of this machine.
#include <cuda_runtime_api.h>
#include <copse/cuda.hpp>
#include <gpu/runtime/gpu_events.hpp>

namespace copse {

bool built_with_cuda() noexcept { return true; }
std::pmr::memory_resource* pinned_memory() { return backend::pinned_memory(); }

std::vector<gpu_facts> gpus() {
  std::vector<gpu_facts> found;
  int count = 0, before = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || cudaGetDevice(&before) != cudaSuccess) count = 0;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    std::size_t free_bytes = 0, all_bytes = 0;
    if (cudaGetDeviceProperties(&properties, i) != cudaSuccess || cudaSetDevice(i) != cudaSuccess ||
        cudaMemGetInfo(&free_bytes, &all_bytes) != cudaSuccess) {
      continue;
    }
    found.push_back({static_cast<unsigned>(i), properties.name, static_cast<unsigned>(properties.major),
                     static_cast<unsigned>(properties.minor), static_cast<unsigned>(properties.multiProcessorCount), all_bytes,
                     free_bytes});
  }
  if (count > 0) static_cast<void>(cudaSetDevice(before));
  static_cast<void>(cudaGetLastError());  // clears an error of the calls above, so that a later call does not report it
  return found;
}

}  // namespace copse
