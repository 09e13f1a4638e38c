// Small batches in host memory: their cost is that of launches, so a copy and a kernel are captured once as a graph and launched as one.
// Two take turns, so that the host fills one while the other is on its way.
#pragma once
#include <copse/memory.hpp>
#include <drivers/incremental/cuda/fast_batches.cuh>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/gpu_events.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace copse::drivers {

class small_batch {
public:
  static constexpr std::size_t most_edges = std::size_t{1} << 17;

  small_batch(const backend::cuda& loops, gpu_parents p, gpu_id vertices, device_notes notes)
      : loops_{loops},
        host_{sizeof(staged_header) + most_edges * sizeof(gpu_edge), backend::pinned_memory()},
        device_{sizeof(staged_header) + most_edges * sizeof(gpu_edge), loops.memory()} {
    const auto stream = loops_.stream();
    backend::checked(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capturing a graph");
    static_cast<void>(cudaMemcpyAsync(device_.data(), host_.data(), host_.size(), cudaMemcpyHostToDevice, stream));
    insert_staged_kernel<<<loops_.blocks_for(most_edges / 4), backend::threads_a_block, 0, stream>>>(
        reinterpret_cast<const staged_header*>(device_.data()), p, vertices, notes);
    backend::checked(cudaStreamEndCapture(stream, &graph_), "capturing a graph");
    backend::checked(cudaGraphInstantiate(&ready_, graph_, 0), "making a graph");
    std::size_t count = 0;
    backend::checked(cudaGraphGetNodes(graph_, nullptr, &count), "looking at a graph");
    std::vector<cudaGraphNode_t> nodes(count);
    backend::checked(cudaGraphGetNodes(graph_, nodes.data(), &count), "looking at a graph");
    for (const auto node : nodes) {
      cudaGraphNodeType type{};
      backend::checked(cudaGraphNodeGetType(node, &type), "looking at a graph");
      if (type == cudaGraphNodeTypeMemcpy) copy_ = node;
    }
  }
  small_batch(const small_batch&) = delete;
  ~small_batch() {
    if (used_) static_cast<void>(cudaStreamSynchronize(loops_.stream()));  // the GPU may still read the host's part
    if (ready_ != nullptr) static_cast<void>(cudaGraphExecDestroy(ready_));
    if (graph_ != nullptr) static_cast<void>(cudaGraphDestroy(graph_));
  }

  /// Precondition: at most most_edges.
  void launch(std::span<const gpu_edge> edges) {
    if (used_) free_.wait();  // the copy of the batch before the last
    const staged_header header{edges.size()};
    std::memcpy(host_.data(), &header, sizeof header);
    std::memcpy(host_.data() + sizeof header, edges.data(), edges.size_bytes());
    const std::size_t bytes = sizeof header + edges.size_bytes();
    backend::checked(cudaGraphExecMemcpyNodeSetParams1D(ready_, copy_, device_.data(), host_.data(), bytes, cudaMemcpyHostToDevice),
                     "setting the size of a batch");
    backend::checked(cudaGraphLaunch(ready_, loops_.stream()), "launching a graph");
    free_.set(loops_.stream());
    used_ = true;
  }

private:
  const backend::cuda& loops_;
  buffer<std::byte> host_, device_;
  backend::stream_mark free_;
  bool used_ = false;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t ready_ = nullptr;
  cudaGraphNode_t copy_ = nullptr;
};

}  // namespace copse::drivers
