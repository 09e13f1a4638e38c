// Kernels whose blocks wait for each other (cooperative_groups::this_grid().sync()).
#pragma once
#include <cuda_runtime.h>
#include <backend/cuda/cuda.cuh>

namespace copse::backend {

/// Launches a kernel all of whose blocks have a place at the same time. Precondition: the device has as many places for it.
template <class... Parameters, class... Arguments>
void launch_at_once(const cuda& loops, unsigned blocks, unsigned threads, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  cudaLaunchConfig_t how{};
  how.gridDim = dim3{blocks};
  how.blockDim = dim3{threads};
  how.stream = loops.stream();
  how.attrs = &together;
  how.numAttrs = 1;
  checked(cudaLaunchKernelEx(&how, kernel, static_cast<Parameters>(arguments)...), "launching a kernel");
}

}  // namespace copse::backend
