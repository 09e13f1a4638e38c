// One kernel, launched again and again: it is kept as an executable CUDA graph, which a launch by the runtime's call would put together
// each time. With that the GPU waits some 2.5 us less for the host.
#pragma once
#include <cuda_runtime.h>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/checked.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

namespace copse::backend {

class kernel_replay {
public:
  kernel_replay() = default;
  kernel_replay(const kernel_replay&) = delete;
  ~kernel_replay() { release(); }

  /// As launch_at_once (launch.cuh). The graph is made when the kernel or its blocks are not those of the last time, and gets new arguments
  /// when only these differ.
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
  std::vector<std::byte> arguments_;  ///< the arguments of the last time
};

}  // namespace copse::backend
