// Kernels for batches of the fast path: Rem's algorithm with compare-and-swap at roots, one step of every thread's walk at a time
// (rem_walk.hpp). Loads may be stale (parents/device.cuh): the value that is read was a parent at some time, and a link is a
// compare-and-swap. A warp keeps its next edges in registers, and a thread whose walk has ended takes one of them, so that no thread waits
// for the longest of 32 walks. Few warps suffice, because no thread is idle; with twice as many, walks contend for the same words.
#pragma once
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/splice/split_one.hpp>
#include <copse/extend/rules/unite/rem_cas.hpp>
#include <copse/memory.hpp>
#include <drivers/incremental/cuda/device_forest.cuh>
#include <drivers/incremental/rem_walk.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/gpu_events.hpp>
#include <gpu/steps/vote.cuh>
#include <parents/device.cuh>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace copse::drivers {

using gpu_parents = parents::cached<gpu_id>;
using batch_rule = unite::rem_cas<find::naive, splice::split_one>;

/// The result of a vote: the tree that most of the sampled ends of edges are in.
struct giant_facts {
  gpu_id root;
  unsigned votes;                  ///< number of votes for `root`, of backend::voters
  unsigned long long full_groups;  ///< number of groups whose vertices are all in the giant (giant.cuh)

  /// True if at least half of the sampled ends are in the giant. With fewer, testing whether ends are in it costs more than it saves.
  [[nodiscard]] __device__ bool worth_asking() const { return votes >= backend::voters / 2; }
};

/// The header of a batch in a captured CUDA graph: the number of the edges that follow it.
struct alignas(16) staged_header {
  unsigned long long count;
};

/// The next edges of a warp: two chunks of 32 in registers, the second loaded while the first is taken from. The warps of a grid take
/// chunks in turn. All threads of the warp call every function.
template <class Reader>
class warp_feed {
public:
  __device__ explicit warp_feed(Reader batch)
      : batch_{batch}, stride_{std::size_t{gridDim.x} * blockDim.x}, next_{std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane()} {
    now_ = load();
    later_ = load();
  }

  /// True if all edges are taken.
  __device__ bool empty() const { return next_ - 2 * stride_ + taken_ >= batch_.count; }

  /// Gives one edge to each thread that `wants` one, as long as there are edges. Returns the index of the edge in the batch, or one beyond
  /// the last.
  __device__ std::size_t take(bool wants, gpu_edge& e) {
    const unsigned who = __ballot_sync(0xffffffffu, wants), place = taken_ + __popc(who & ((1u << lane()) - 1)), from = place % 32;
    const gpu_edge first = from_lane(now_, from), second = from_lane(later_, from);
    e = place < 32 ? first : second;
    const std::size_t number = next_ - (place < 32 ? 2 : 1) * stride_ + from;
    taken_ += __popc(who);
    if (taken_ >= 32) {
      taken_ -= 32;
      now_ = later_;
      later_ = load();
    }
    return wants ? number : batch_.count;
  }

private:
  __device__ static unsigned lane() { return threadIdx.x % 32; }
  __device__ static gpu_edge from_lane(gpu_edge e, unsigned lane) {
    return {__shfl_sync(0xffffffffu, e.u, lane), __shfl_sync(0xffffffffu, e.v, lane)};
  }
  __device__ gpu_edge load() {
    const std::size_t i = next_ + lane();
    next_ += stride_;
    return i < batch_.count ? batch_.pair(i) : gpu_edge{0, 0};
  }

  Reader batch_;
  /// `stride_`: the distance in the batch from one chunk of the warp to its next, which is the number of threads of the grid. `next_`:
  /// where the warp's first chunk that is not loaded yet begins.
  std::size_t stride_, next_;
  gpu_edge now_, later_;
  unsigned taken_ = 0;  ///< number of edges that are taken of the first chunk in registers, now_
};

/// Inserts the edges of a batch, by all threads of the grid, which are whole warps. A thread whose walk has ended takes the next edge of
/// its warp, so that no thread waits for the longest of 32 walks. The ends of the first `at_roots` edges are probably roots.
template <class Reader>
__device__ void insert_pairs(Reader batch, gpu_parents p, gpu_id vertices, const device_notes& notes, std::size_t at_roots) {
  counted_links own;
  warp_feed<Reader> feed{batch};
  rem_walk<gpu_parents> walk{p};
  gpu_edge e{0, 0};
  for (;;) {
    const bool free = walk.done();
    if (feed.empty()) {
      if (__all_sync(0xffffffffu, free)) break;
    } else if (__any_sync(0xffffffffu, free)) {
      gpu_edge taken;
      const std::size_t i = feed.take(free, taken);
      if (free && batch.wanted(i)) {
        e = taken;
        if (e.u >= vertices || e.v >= vertices) {
          ++own.refused;
        } else if (e.u == e.v) {
          notes.mark(e, own);
        } else if (i < at_roots) {
          walk.begin_at_roots(max(e.u, e.v), min(e.u, e.v));
        } else {
          walk.begin(e.u, e.v);
        }
      }
    }
    if (!walk.done()) walk.step(note_device_link{notes, e, own});
  }
  __syncwarp();
  own.add_to_tally(notes.tally);
}

/// Inserts a batch. Does nothing if the giant is known and large: insert_past_giant is launched, too, and then does the work.
template <class Reader>
__global__ void __launch_bounds__(backend::threads_a_block)
    insert_batch_kernel(Reader batch, gpu_parents p, gpu_id vertices, device_notes notes, const giant_facts* known, std::size_t at_roots) {
  if (known != nullptr && known->worth_asking()) return;
  insert_pairs(batch, p, vertices, notes, at_roots);
}
/// Inserts a batch whose number of edges is copied together with them, because it is not known when the CUDA graph is captured.
__global__ void __launch_bounds__(backend::threads_a_block)
    insert_staged_kernel(const staged_header* staged, gpu_parents p, gpu_id vertices, device_notes notes) {
  insert_pairs(whole_batch{reinterpret_cast<const gpu_edge*>(staged + 1), staged->count}, p, vertices, notes, 0);
}

// Small batches in host memory cost mainly their launches, so a copy and a kernel are captured once as a CUDA graph and launched as one.
// Two such batches take turns, so that the host fills one while the other is on its way.

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

  /// Enqueues the copy of a batch to the GPU and its insert, as one launch of the CUDA graph. Precondition: at most most_edges edges.
  void launch(std::span<const gpu_edge> edges) {
    if (used_) free_.wait();  // waits until the GPU has copied the batch that this object launched before
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
