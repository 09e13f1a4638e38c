// When the giant of a structure on a GPU is looked for, and which batches skip the edges inside it (giant.cuh).
#include <copse/extend/rules/find/halve.hpp>
#include <copse/memory.hpp>
#include <core/random.hpp>
#include <drivers/incremental/cuda/device_forest.cuh>
#include <drivers/incremental/cuda/fast_batches.cuh>
#include <drivers/incremental/cuda/giant.cuh>
#include <drivers/incremental/cuda/rule_batches.cuh>
#include <drivers/incremental/gpu_rule.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/gpu_events.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace copse::drivers {

// Queries that use the giant's bits: if both ends of a query are inside, the bits answer it; the other queries are gathered until they fill
// a warp.

/// A query that its warp keeps until there is one for each thread of the warp.
struct waiting_query {
  uint2 e;
  unsigned long long at;
};

/// Answers queries. Does nothing if the giant is known and large: query_past_giant is launched, too, and then does the work.
__global__ void __launch_bounds__(backend::threads_a_block)
    query_batch_kernel(gpu_batch batch, gpu_parents p, gpu_id vertices, std::uint32_t* answers, const giant_facts* known) {
  if (known != nullptr && known->worth_asking()) return;
  query_pairs<find::halve>(batch, p, vertices, answers);
}

/// Answers queries, first by the bits of the giant. Does nothing if too few ends of edges are in the giant (worth_asking()). Precondition:
/// nothing is inserted at the same time. Needs dynamic shared memory for group_words words. A warp writes words of 32 answers, first only
/// those that the bits give.
__global__ void __launch_bounds__(threads_past_giant)
    query_past_giant(gpu_batch batch, gpu_parents p, gpu_id vertices, device_giant_bits bits, std::uint32_t* answers) {
  constexpr unsigned warps_per_block = threads_past_giant / 32;
  constexpr int at_once = 4;
  extern __shared__ std::uint32_t groups[];
  __shared__ waiting_query waiting[warps_per_block][edges_waiting];
  if (!bits.facts->worth_asking()) return;
  const bool by_group = load_groups(bits, vertices, groups);
  const unsigned lane = threadIdx.x % 32;
  waiting_query* const queue = waiting[threadIdx.x / 32];
  unsigned queued = 0;

  const auto inside = [&](gpu_id v) { return bit_of(bits.inside, v); };
  const auto take = [&](waiting_query w) {
    const bool yes = (by_group && inside(w.e.x) && inside(w.e.y)) || find::halve{}(p, w.e.x) == find::halve{}(p, w.e.y);
    if (yes) atomicOr(answers + w.at / 32, 1u << (w.at % 32));
  };

  const std::size_t step = std::size_t{gridDim.x} * warps_per_block * 32 * at_once;
  for (std::size_t first = (std::size_t{blockIdx.x} * warps_per_block + threadIdx.x / 32) * 32 * at_once; first < batch.count;
       first += step) {
    gpu_edge e[at_once];
    bool asks[at_once], open[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      const std::size_t i = first + k * 32 + lane;
      asks[k] = i < batch.count && (batch.kinds == nullptr || batch.kinds[i] == operation::query);
      e[k] = asks[k] ? batch.pairs[i] : gpu_edge{0, 0};
      open[k] = asks[k] && e[k].u < vertices && e[k].v < vertices && e[k].u != e[k].v;
    }
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      const std::size_t word = first / 32 + k;
      bool both = false;
      if (open[k]) {
        both = by_group ? bit_of(groups, e[k].u >> bits.shift) && bit_of(groups, e[k].v >> bits.shift) : inside(e[k].u) && inside(e[k].v);
      }
      const unsigned yes = __ballot_sync(0xffffffffu, asks[k] && (both || e[k].u == e[k].v));
      if (lane == 0 && word * 32 < batch.count) answers[word] = yes;
      open[k] = open[k] && !both;
    }
    __syncwarp();  // the words must be written before bits are added to them
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      const unsigned kept = __ballot_sync(0xffffffffu, open[k]);
      if (open[k]) queue[queued + __popc(kept & ((1u << lane) - 1))] = {{e[k].u, e[k].v}, first + k * 32 + lane};
      queued += __popc(kept);
      __syncwarp();
      if (queued >= 32) {
        queued -= 32;
        const waiting_query next = queue[queued + lane];
        __syncwarp();
        take(next);
      }
    }
  }
  if (lane < queued) take(queue[lane]);
}

namespace {

using backend::checked;

class past_giant final : public rule_state {
public:
  explicit past_giant(device_forest& trees) : trees_{trees}, loops_{trees.loops()} {
    int shared_bytes = 0, device = 0;
    checked(cudaGetDevice(&device), "asking for the device");
    checked(cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "asking for the size of shared memory");
    const std::array kernels{reinterpret_cast<const void*>(insert_past_giant<whole_batch>),
                             reinterpret_cast<const void*>(insert_past_giant<of_kind>), reinterpret_cast<const void*>(query_past_giant)};
    for (const void* kernel : kernels) {
      cudaFuncAttributes attributes{};
      checked(cudaFuncGetAttributes(&attributes, kernel), "asking for a kernel's shared memory");
      while (most_group_words_ * sizeof(std::uint32_t) + attributes.sharedSizeBytes > static_cast<std::size_t>(shared_bytes))
        most_group_words_ /= 2;
    }
    for (const void* kernel : kernels) {
      checked(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(most_group_words_ * sizeof(std::uint32_t))),
              "asking for shared memory");
    }
  }

  /// Makes room for the bits of `vertices` vertices, and forgets which vertices are in the giant.
  void fit(std::size_t vertices) override {
    const std::size_t words = (vertices + 31) / 32;
    unsigned shift = 0;
    while (words > std::size_t{most_group_words_} << shift && shift < device_giant_bits::most_shift) ++shift;
    const bool few = words <= std::size_t{most_group_words_} << shift;
    const unsigned group_words = few ? static_cast<unsigned>((words + (std::size_t{1} << shift) - 1) >> shift) : 0;
    buffer<std::uint32_t> inside{words, loops_.memory()}, groups{group_words, loops_.memory()};
    if (facts_.empty()) facts_ = buffer<giant_facts>{1, loops_.memory()};
    inside_ = std::move(inside);
    groups_ = std::move(groups);
    loops_.clear(inside_.data(), words * sizeof(std::uint32_t));  // vertices that are added later are outside the giant
    loops_.clear(groups_.data(), groups_.size() * sizeof(std::uint32_t));
    bits_ = {inside_.data(), groups_.data(), shift, group_words, facts_.data()};
    looked_at_ = 0;
  }
  /// Discards the captured CUDA graphs, because they contain the addresses of the arrays and their size.
  void resized() noexcept override {
    for (auto& batch : small_) batch.reset();
  }
  bool insert_small(std::span<const gpu_edge> edges) override {
    if (edges.size() > small_batch::most_edges) return false;
    auto& batch = small_[turn_++ % small_.size()];
    if (batch == nullptr) batch = std::make_unique<small_batch>(loops_, trees_.plain(), trees_.slots(), trees_.notes());
    batch->launch(edges);
    inserted_ += edges.size();
    return true;
  }

  void insert(gpu_batch batch) {
    in_parts(batch, [this](gpu_batch part) {
      with_reader(part, operation::insert, [&]<class Reader>(Reader reader) {
        const bool ask = asks(part.count);
        insert_batch_kernel<<<std::min(loops_.blocks_for(part.count), loops_.places(4)), backend::threads_a_block, 0, loops_.stream()>>>(
            reader, trees_.plain(), trees_.slots(), trees_.notes(), ask ? bits_.facts : nullptr, likely_roots());
        loops_.launched();
        if (!ask) return;
        insert_past_giant<<<loops_.places(1), threads_past_giant, group_bytes(), loops_.stream()>>>(reader, trees_.plain(), trees_.slots(),
                                                                                                    bits_, trees_.notes());
        loops_.launched();
      });
    });
  }
  void query(gpu_batch batch, std::uint32_t* answers) {
    if (batch.count == 0) return;
    const bool ask = asks(batch.count);
    query_batch_kernel<<<loops_.blocks_for(batch.count), backend::threads_a_block, 0, loops_.stream()>>>(
        batch, trees_.plain(), trees_.slots(), answers, ask ? bits_.facts : nullptr);
    loops_.launched();
    if (!ask) return;
    query_past_giant<<<loops_.places(1), threads_past_giant, group_bytes(), loops_.stream()>>>(batch, trees_.plain(), trees_.slots(), bits_,
                                                                                               answers);
    loops_.launched();
  }

private:
  /// Returns how many of the next `count` operations to take before the giant is searched for again. Returns all of them if the remaining
  /// ones would not be worth a search, and 0 if the search is due now.
  [[nodiscard]] std::size_t until_due(std::size_t count) const noexcept {
    const std::size_t vertices = trees_.slots();
    if (vertices == 0) return count;
    const std::size_t due = std::max({vertices, least_edges, 2 * looked_at_});
    if (inserted_ >= due) return 0;
    const std::size_t before = due - inserted_;
    return count > before && count - before >= vertices / 2 ? before : count;
  }
  void look(gpu_batch batch) {
    find_giant<<<1, backend::voters, 0, loops_.stream()>>>(batch.pairs, batch.count, trees_.plain(), trees_.slots(),
                                                           random_stream{inserted_, 0}, bits_.facts);
    loops_.launched();
    mark_giant<<<loops_.places(), backend::threads_a_block, 0, loops_.stream()>>>(trees_.plain(), trees_.slots(), bits_);
    loops_.launched();
    looked_at_ = inserted_;
  }
  template <class F>
  void in_parts(gpu_batch batch, F f) {
    while (batch.count != 0) {
      std::size_t now = until_due(batch.count);
      if (now == 0) {
        look(batch);
        now = until_due(batch.count);
      }
      f(gpu_batch{batch.pairs, now, batch.kinds});
      inserted_ += now;
      batch = {batch.pairs + now, batch.count - now, batch.kinds == nullptr ? nullptr : batch.kinds + now};
    }
  }
  /// True if a batch goes to two kernels, of which one does nothing. This holds for large batches once the giant was looked for: the GPU
  /// then decides which kernel works.
  [[nodiscard]] bool asks(std::size_t count) const noexcept { return looked_at_ != 0 && count >= least_past_giant; }
  /// Returns how many of the next edges probably begin at roots, where one compare-and-swap takes the place of two loads.
  [[nodiscard]] std::size_t likely_roots() const noexcept {
    const std::size_t most = std::size_t{trees_.slots()} / 20 * 9;
    return most - std::min(most, inserted_);
  }
  [[nodiscard]] std::size_t group_bytes() const noexcept { return bits_.group_words * sizeof(std::uint32_t); }

  static constexpr std::size_t least_edges = std::size_t{1} << 20;
  /// Batches of fewer edges do not use the giant's bits: they would end before the bits are in shared memory. Measured: 10^6 edges take 12
  /// us with the bits and 17 us with parents; 300,000 edges take 10 us and 7 us.
  static constexpr std::size_t least_past_giant = std::size_t{3} << 18;

  device_forest& trees_;
  const backend::cuda& loops_;
  unsigned most_group_words_ = 1u << 15;
  buffer<std::uint32_t> inside_, groups_;
  buffer<giant_facts> facts_;
  device_giant_bits bits_{};
  std::size_t inserted_ = 0, looked_at_ = 0;  ///< number of operations: so far, and at the last search for the giant
  std::array<std::unique_ptr<small_batch>, 2> small_;
  std::size_t turn_ = 0;
};

past_giant& state_of(device_forest& trees) { return static_cast<past_giant&>(*trees.state()); }
void insert(device_forest& trees, gpu_batch batch) { state_of(trees).insert(batch); }
void query(device_forest& trees, gpu_batch batch, std::uint32_t* answers) { state_of(trees).query(batch, answers); }
/// All inserts and then all queries is a valid order of the batch, too, and faster than both at once: measured 1.7 to 2 times.
void mix(device_forest& trees, gpu_batch batch, std::uint32_t* answers) {
  insert(trees, batch);
  query(trees, batch, answers);
}
std::unique_ptr<rule_state> begin(device_forest& trees) { return std::make_unique<past_giant>(trees); }

}  // namespace

gpu_rule past_giant_rule() noexcept { return {insert, query, mix, begin}; }

}  // namespace copse::drivers
