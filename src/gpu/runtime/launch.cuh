// Kernels launched with an attribute: chained to the one before (after.cuh), or with all blocks at the same time.
#pragma once
#include <cuda_runtime.h>
#include <gpu/loops/cuda.cuh>

namespace copse::backend {

/// `how_many`: 1, or 0 to leave the attribute out.
template <class... Parameters, class... Arguments>
void launch_with(const cuda& loops, cudaLaunchAttribute attribute, unsigned how_many, unsigned blocks, unsigned threads,
                 void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3{blocks};
  config.blockDim = dim3{threads};
  config.stream = loops.stream();
  config.attrs = &attribute;
  config.numAttrs = how_many;
  checked(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...), "launching a kernel");
}

/// Launches a kernel whose blocks wait for each other (cooperative_groups::this_grid().sync()). Precondition: the device has places for all
/// of them at the same time.
template <class... Parameters, class... Arguments>
void launch_at_once(const cuda& loops, unsigned blocks, unsigned threads, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  launch_with(loops, together, 1, blocks, threads, kernel, arguments...);
}

}  // namespace copse::backend
