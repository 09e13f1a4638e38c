// Launches kernels with an attribute: chained to the previous kernel of the stream, or with all blocks resident at the same time. Also
// launches one kernel many times at low cost.
#pragma once
#include <cuda_runtime.h>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/gpu.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

namespace copse::backend {

/// Launches a kernel with one attribute. `how_many`: 1, or 0 to leave the attribute out.
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

/// Launches a kernel whose blocks wait for each other (cooperative_groups::this_grid().sync()). Precondition: the device can hold all its
/// blocks at the same time.
template <class... Parameters, class... Arguments>
void launch_at_once(const cuda& loops, unsigned blocks, unsigned threads, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  launch_with(loops, together, 1, blocks, threads, kernel, arguments...);
}

// A chain of kernels, each launched while the previous one still runs (programmatic dependent launch, capability 9.0 and up): a
// multiprocessor that has no more blocks of the previous kernel starts blocks of the next one, which wait at their beginning until the
// whole previous kernel has ended. That hides the 2 to 3 us from the end of a kernel to the beginning of the next.

/// Must be the first statement of every kernel of a chain, before it reads anything that other kernels write: on return all earlier kernels
/// have ended and their writes are visible. It also lets the next kernel start once all blocks of this kernel have begun, so that the next
/// one cannot take the place of any of them.
__device__ inline void after_the_last() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

/// Launches a kernel that may start while the previous one still runs, if the device supports that. Both must begin with after_the_last(),
/// where the later kernel waits for the end of the earlier one.
template <class... Parameters, class... Arguments>
void launch_after(const cuda& loops, unsigned blocks, unsigned threads, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchAttribute chained{};
  chained.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  chained.val.programmaticStreamSerializationAllowed = 1;
  launch_with(loops, chained, loops.chains_kernels() ? 1 : 0, blocks, threads, kernel, arguments...);
}

/// Launches one kernel many times. It is kept as an executable CUDA graph, which saves the runtime the work of assembling each launch, so
/// that the GPU waits about 2.5 us less for the host.
class kernel_replay {
public:
  kernel_replay() = default;
  kernel_replay(const kernel_replay&) = delete;
  ~kernel_replay() { release(); }

  /// Launches the kernel with all blocks resident at the same time, so that they may wait for each other. The CUDA graph that launches it
  /// is rebuilt if the kernel or its number of blocks has changed, and gets new arguments if only these differ.
  template <class... Parameters, class... Arguments>
  void launch_at_once(const cuda& loops, unsigned blocks, unsigned threads, void (*kernel)(Parameters...), Arguments... arguments) {
    launch(loops, blocks, threads, kernel, static_cast<Parameters>(arguments)...);
  }

private:
  template <class... Parameters>
  void launch(const cuda& loops, unsigned blocks, unsigned threads, void (*kernel)(Parameters...), Parameters... parameters) {
    std::array<void*, sizeof...(Parameters)> places{&parameters...};
    cudaKernelNodeParams settings{};
    settings.func = reinterpret_cast<void*>(kernel);
    settings.gridDim = dim3{blocks};
    settings.blockDim = dim3{threads};
    settings.kernelParams = places.data();
    std::vector<std::byte> values((sizeof(Parameters) + ...));
    std::byte* next = values.data();
    ((std::memcpy(next, &parameters, sizeof(Parameters)), next += sizeof(Parameters)), ...);
    if (executable_ == nullptr || settings.func != kernel_ || blocks != blocks_) {
      make(settings);
    } else if (values != arguments_) {
      checked(cudaGraphExecKernelNodeSetParams(executable_, node_, &settings), "telling a kernel its arguments");
    }
    arguments_ = std::move(values);
    checked(cudaGraphLaunch(executable_, loops.stream()), "launching a kernel");
  }

  void make(const cudaKernelNodeParams& settings) {
    release();
    checked(cudaGraphCreate(&graph_, 0), "making a graph of kernels");
    checked(cudaGraphAddKernelNode(&node_, graph_, nullptr, 0, &settings), "making a graph of kernels");
    cudaLaunchAttributeValue together{};
    together.cooperative = 1;
    checked(cudaGraphKernelNodeSetAttribute(node_, cudaLaunchAttributeCooperative, &together), "making a graph of kernels");
    checked(cudaGraphInstantiate(&executable_, graph_, 0), "making a graph of kernels");
    kernel_ = settings.func;
    blocks_ = settings.gridDim.x;
  }
  void release() noexcept {
    if (executable_ != nullptr) static_cast<void>(cudaGraphExecDestroy(executable_));
    if (graph_ != nullptr) static_cast<void>(cudaGraphDestroy(graph_));
    executable_ = nullptr;
    graph_ = nullptr;
  }

  cudaGraph_t graph_ = nullptr;
  cudaGraphNode_t node_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
  const void* kernel_ = nullptr;
  unsigned blocks_ = 0;
  std::vector<std::byte> arguments_;  ///< the arguments of the previous launch
};

}  // namespace copse::backend
