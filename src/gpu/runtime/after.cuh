// Kernels of a chain that are launched while the one before still runs (programmatic dependent launch, capability 9.0 and up): a multi-
// processor that has no more blocks of the one before takes blocks of the next, which wait at their beginning for all of it to end. That
// hides the 2 to 3 us from the end of a kernel to the beginning of the next.
#pragma once
#include <gpu/runtime/launch.cuh>

namespace copse::backend {

/// First of all in every kernel of a chain, before anything that others write is read: the kernels before have ended, and what they wrote
/// is seen. The next kernel may take places once all blocks of this one have begun: then no block can be left without a place.
__device__ inline void after_the_last() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

/// Launches a kernel that calls after_the_last(), after one that does too.
template <class... Parameters, class... Arguments>
void launch_after(const cuda& loops, unsigned blocks, unsigned threads, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchAttribute chained{};
  chained.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  chained.val.programmaticStreamSerializationAllowed = 1;
  launch_with(loops, chained, loops.chains_kernels() ? 1 : 0, blocks, threads, kernel, arguments...);
}

}  // namespace copse::backend
