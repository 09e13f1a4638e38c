// gpu_incremental: copies batches from host memory and inserts them by kernels.
// A batch of any size is cut into pieces. Two pieces of the GPU's memory alternate: while the kernel of one runs, the next is copied on a
// stream of its own; events mark when a piece is filled and when it may be filled again. Small batches are not worth two streams: their
// cost is that of launches, so a copy and a kernel are captured once as a graph and launched as one.
#include <copse/cuda_incremental.hpp>
#include <copse/errors.hpp>
#include <drivers/incremental/cuda/giant_search.cuh>
#include <drivers/incremental/cuda/kernels.cuh>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/gpu_memory.hpp>
#include <gpu/runtime/staged_copy.hpp>
#include <loops/flatten.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace copse {
namespace {

using backend::checked;
using drivers::gpu_edge;
using drivers::gpu_tally;
using drivers::staged_header;

constexpr std::size_t small_edges = std::size_t{1} << 17;

class pinned_memory final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t) override {
    void* at = nullptr;
    checked(cudaMallocHost(&at, bytes), "allocating pinned memory");
    return at;
  }
  void do_deallocate(void* at, std::size_t, std::size_t) override { static_cast<void>(cudaFreeHost(at)); }
  [[nodiscard]] bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
};

/// A point in a stream.
class mark {
public:
  mark() { checked(cudaEventCreateWithFlags(&held_, cudaEventDisableTiming), "making an event"); }
  mark(const mark&) = delete;
  ~mark() { static_cast<void>(cudaEventDestroy(held_)); }
  void set(cudaStream_t stream) const { checked(cudaEventRecord(held_, stream), "recording an event"); }
  void hold_back(cudaStream_t other) const { checked(cudaStreamWaitEvent(other, held_, 0), "waiting for a stream"); }
  void wait() const { checked(cudaEventSynchronize(held_), "waiting for a copy"); }

private:
  cudaEvent_t held_ = nullptr;
};

/// One of the two pieces of a batch that are in flight.
struct piece_in_flight {
  buffer<gpu_edge> edges;
  mark filled, inserted;
};

/// A small batch as a graph of one copy and one kernel.
class small_batch {
public:
  small_batch(const backend::cuda& loops, std::pmr::memory_resource* memory, std::pmr::memory_resource* pinned)
      : loops_{loops},
        host_{sizeof(staged_header) + small_edges * sizeof(gpu_edge), pinned},
        device_{sizeof(staged_header) + small_edges * sizeof(gpu_edge), memory} {}
  small_batch(const small_batch&) = delete;
  ~small_batch() { drop(); }

  void capture(drivers::gpu_parents p, drivers::gpu_id vertices, gpu_tally* tally) {
    drop();
    const auto stream = loops_.stream();
    checked(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capturing a graph");
    static_cast<void>(cudaMemcpyAsync(device_.data(), host_.data(), host_.size(), cudaMemcpyHostToDevice, stream));
    drivers::insert_staged_kernel<<<loops_.blocks_for(small_edges / 4), backend::threads_a_block, 0, stream>>>(
        reinterpret_cast<const staged_header*>(device_.data()), p, vertices, tally);
    cudaGraph_t graph = nullptr;
    checked(cudaStreamEndCapture(stream, &graph), "capturing a graph");
    graph_ = graph;
    checked(cudaGraphInstantiate(&ready_, graph_, 0), "making a graph");
    std::size_t count = 0;
    checked(cudaGraphGetNodes(graph_, nullptr, &count), "looking at a graph");
    std::vector<cudaGraphNode_t> nodes(count);
    checked(cudaGraphGetNodes(graph_, nodes.data(), &count), "looking at a graph");
    for (const auto node : nodes) {
      cudaGraphNodeType type{};
      checked(cudaGraphNodeGetType(node, &type), "looking at a graph");
      if (type == cudaGraphNodeTypeMemcpy) copy_ = node;
    }
  }
  [[nodiscard]] bool captured() const noexcept { return ready_ != nullptr; }
  void drop() noexcept {
    if (ready_ != nullptr) static_cast<void>(cudaGraphExecDestroy(ready_));
    if (graph_ != nullptr) static_cast<void>(cudaGraphDestroy(graph_));
    ready_ = nullptr;
    graph_ = nullptr;
  }

  /// Precondition: at most small_edges.
  void launch(gpu_incremental::pairs edges) {
    if (used_) free_.wait();  // the copy of the batch before the last
    const staged_header header{edges.size()};
    std::memcpy(host_.data(), &header, sizeof header);
    std::memcpy(host_.data() + sizeof header, edges.data(), edges.size_bytes());
    const std::size_t bytes = sizeof header + edges.size_bytes();
    checked(cudaGraphExecMemcpyNodeSetParams1D(ready_, copy_, device_.data(), host_.data(), bytes, cudaMemcpyHostToDevice),
            "setting the size of a batch");
    checked(cudaGraphLaunch(ready_, loops_.stream()), "launching a graph");
    free_.set(loops_.stream());
    used_ = true;
  }

private:
  const backend::cuda& loops_;
  buffer<std::byte> host_, device_;
  mark free_;
  bool used_ = false;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t ready_ = nullptr;
  cudaGraphNode_t copy_ = nullptr;
};

}  // namespace

struct gpu_incremental::state {
  state(id n, const gpu_incremental_options& chosen)
      : options{chosen},
        on{chosen.gpu},
        copies{chosen.gpu},
        pool{on},
        memory{chosen.memory_limit_bytes, &pool},
        loops{on, &memory, nullptr, 0},
        tally{1, &memory},
        giant{loops, on.index()},
        pieces{},
        small{{{loops, &memory, pinned()}, {loops, &memory, pinned()}}} {
    loops.clear(tally.data(), sizeof(gpu_tally));
    for (auto& piece : pieces) piece.inserted.set(loops.stream());
    grow(n);
  }
  ~state() { static_cast<void>(cudaStreamSynchronize(copies.stream())); }

  [[nodiscard]] drivers::gpu_parents parents() noexcept { return drivers::gpu_parents{words.data()}; }

  void grow(id n) {
    if (n <= vertices) return;
    if (n > words.size()) {
      buffer<id> wider{std::max<std::size_t>(n, words.size() + words.size() / 2), &memory};
      if (vertices != 0) {
        checked(cudaMemcpyAsync(wider.data(), words.data(), std::size_t{vertices} * sizeof(id), cudaMemcpyDeviceToDevice, loops.stream()),
                "copying parents");
      }
      loops.wait();
      words = std::move(wider);
      giant.fit(words.size(), &memory);
    }
    loops.for_each(n - vertices, drivers::plant_roots{parents(), vertices});
    vertices = n;
    for (auto& batch : small) batch.drop();  // they hold the array and its size
  }

  /// What is enqueued comes after the caller's work on `theirs` until now, and before all that follows there.
  template <class Enqueue>
  void in_order_with(std::optional<cuda_stream> theirs, Enqueue enqueue) {
    if (theirs) {
      reached.set(*theirs);
      reached.hold_back(loops.stream());
    }
    enqueue();
    if (theirs) {
      reached.set(loops.stream());
      reached.hold_back(*theirs);
    }
  }

  void insert_resident(const gpu_edge* pairs, std::size_t count) {
    while (count != 0) {
      std::size_t now = giant.until_due(count, vertices);
      if (now == 0) {
        giant.look(pairs, count, parents(), vertices);
        now = giant.until_due(count, vertices);
      }
      giant.insert(pairs, now, parents(), vertices, tally.data());
      pairs += now;
      count -= now;
    }
  }

  /// Precondition: not empty.
  void query_resident(pairs queries, std::uint64_t* answers) {
    loops.clear(answers + (queries.size() - 1) / 64, sizeof(std::uint64_t));  // some of its bits may have no query
    drivers::query_kernel<<<loops.blocks_for(queries.size()), backend::threads_a_block, 0, loops.stream()>>>(
        queries.data(), queries.size(), parents(), vertices, reinterpret_cast<std::uint32_t*>(answers));
    loops.launched();
  }

  void insert_small(pairs edges) {
    small_batch& batch = small[turn++ % small.size()];
    if (!batch.captured()) batch.capture(parents(), vertices, tally.data());
    batch.launch(edges);
    giant.note_inserted(edges.size());
  }

  void insert_in_pieces(pairs edges) {
    const bool copies_directly = !backend::pageable(edges.data());  // copies still read it after they were enqueued
    const piece_in_flight* last = nullptr;
    while (!edges.empty()) {
      piece_in_flight& piece = pieces[turn++ % pieces.size()];
      const auto now = edges.first(std::min(edges.size(), options.piece_edges));
      edges = edges.subspan(now.size());
      if (piece.edges.empty()) {
        piece.edges = buffer<gpu_edge>{options.piece_edges, &memory};
        loops.wait();  // memory is allocated in the order of the loops' stream
      }
      piece.inserted.hold_back(copies.stream());
      backend::copy_in(copies, piece.edges.data(), now.data(), now.size_bytes(), "copying edges");
      piece.filled.set(copies.stream());
      piece.filled.hold_back(loops.stream());
      insert_resident(piece.edges.data(), now.size());
      piece.inserted.set(loops.stream());
      last = &piece;
    }
    if (copies_directly && last != nullptr) last->filled.wait();
  }

  gpu_tally wait() {
    const gpu_tally found = loops.fetched(tally.data());
    if (found.refused != refused) {
      const auto news = found.refused - std::exchange(refused, found.refused);
      throw input_error{"gpu_incremental: found " + std::to_string(news) + " edges with ids that are no vertices, expected ids below " +
                        std::to_string(vertices)};
    }
    return found;
  }

  gpu_incremental_options options;
  backend::gpu on, copies;  ///< a stream for kernels, and one for pieces of batches
  backend::gpu_memory pool;
  tracked_memory memory;
  backend::cuda loops;
  id vertices = 0;
  buffer<id> words;
  buffer<gpu_tally> tally;
  drivers::giant_search giant;
  unsigned long long refused = 0;  ///< reported already
  std::array<piece_in_flight, 2> pieces;
  std::array<small_batch, 2> small;
  std::size_t turn = 0;
  mark reached;  ///< by the caller's stream, or by this one's
};

gpu_incremental::gpu_incremental(id vertices, const gpu_incremental_options& options)
    : state_{std::make_unique<state>(vertices, options)} {}
gpu_incremental::gpu_incremental(gpu_incremental&&) noexcept = default;
gpu_incremental& gpu_incremental::operator=(gpu_incremental&&) noexcept = default;
gpu_incremental::~gpu_incremental() = default;

void gpu_incremental::grow(id vertices) { state_->grow(vertices); }

void gpu_incremental::insert(pairs edges) {
  if (edges.empty()) return;
  if (edges.size() <= small_edges) {
    state_->insert_small(edges);
  } else {
    state_->insert_in_pieces(edges);
  }
}

void gpu_incremental::insert_resident(device_span<const gpu_edge> on_gpu, std::optional<cuda_stream> stream) {
  state_->in_order_with(stream, [&] { state_->insert_resident(on_gpu.data(), on_gpu.size()); });
}

void gpu_incremental::wait() { static_cast<void>(state_->wait()); }

query_answers gpu_incremental::connected(pairs queries) {
  state& s = *state_;
  query_answers answers{queries.size()};
  if (queries.empty()) return answers;
  const buffer<gpu_edge> resident = to_gpu(queries);
  buffer<std::uint64_t> words{answers.words().size(), &s.memory};
  s.query_resident(resident.span(), words.data());
  checked(cudaMemcpyAsync(answers.words().data(), words.data(), answers.words().size_bytes(), cudaMemcpyDeviceToHost, s.loops.stream()),
          "copying answers");
  s.loops.wait();
  return answers;
}

void gpu_incremental::connected_resident(device_span<const gpu_edge> on_gpu, device_span<std::uint64_t> answers,
                                         std::optional<cuda_stream> stream) {
  if (answers.size() < (on_gpu.size() + 63) / 64) {
    throw usage_error{"gpu_incremental: found room for " + std::to_string(64 * answers.size()) + " answers, expected it for " +
                      std::to_string(on_gpu.size()) + " queries"};
  }
  if (!on_gpu.empty()) state_->in_order_with(stream, [&] { state_->query_resident({on_gpu.data(), on_gpu.size()}, answers.data()); });
}

buffer<std::uint64_t> gpu_incremental::answers_on_gpu(std::size_t queries) {
  buffer<std::uint64_t> answers{(queries + 63) / 64, &state_->memory};
  state_->loops.wait();
  return answers;
}

gpu_incremental::id gpu_incremental::vertices() const noexcept { return state_->vertices; }

std::uint64_t gpu_incremental::count() { return state_->vertices - state_->wait().links; }

labelling gpu_incremental::labels() {
  state& s = *state_;
  static_cast<void>(s.wait());
  backend::flatten(s.loops, s.parents(), s.vertices);
  buffer<id> labels{s.vertices};
  backend::copy_out(s.on, labels.data(), s.words.data(), std::size_t{s.vertices} * sizeof(id), "copying labels");
  return {std::move(labels), vertex_names::identity(s.vertices)};
}

device_span<const std::uint32_t> gpu_incremental::labels_on_gpu() {
  state& s = *state_;
  static_cast<void>(s.wait());
  backend::flatten(s.loops, s.parents(), s.vertices);
  s.loops.wait();
  return {s.words.data(), s.vertices};
}

std::pmr::memory_resource* gpu_incremental::pinned() {
  static pinned_memory resource;
  return &resource;
}

buffer<edge<std::uint32_t>> gpu_incremental::to_gpu(pairs edges) {
  state& s = *state_;
  buffer<gpu_edge> resident{edges.size(), &s.memory};
  if (!edges.empty()) {
    checked(cudaMemcpyAsync(resident.data(), edges.data(), edges.size_bytes(), cudaMemcpyHostToDevice, s.loops.stream()), "copying edges");
  }
  s.loops.wait();
  return resident;
}

}  // namespace copse
