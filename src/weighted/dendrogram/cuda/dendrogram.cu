// dendrogram() on a GPU: sorts the forest's edges by a radix sort, by ends and then by weights, contracts them, and writes SciPy's rows.
#include <copse/extend/host_device.hpp>
#include <copse/memory.hpp>
#include <core/devices.hpp>
#include <core/phase_times.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/gpu_events.hpp>
#include <gpu/runtime/staged_copy.hpp>
#include <gpu/steps/go_up.cuh>
#include <weighted/cuda/keys.hpp>
#include <weighted/dendrogram/merge_tree.hpp>
#include <weighted/dendrogram/on_gpu.hpp>
#include <weighted/dendrogram/steps.hpp>

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/atomic>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

namespace copse::weighted {

// The parallel operations of which merge_tree.hpp consists (its parameter Machine), on a GPU.

/// Accesses to words that threads share. All are relaxed: values are read by later kernels only.
struct gpu_words {
  template <class Word>
  COPSE_HOST_DEVICE static void store(Word& word, Word value) {
    *static_cast<volatile Word*>(&word) = value;
  }
  /// Lowers a word to `value` if that is smaller. Reads the word first, as `value` rarely is.
  template <class Word>
  COPSE_HOST_DEVICE static void lower(Word& word, Word value) {
    const ::cuda::atomic_ref<Word, ::cuda::thread_scope_device> shared{word};
    if (value < shared.load(::cuda::memory_order_relaxed)) shared.fetch_min(value, ::cuda::memory_order_relaxed);
  }
};

template <class T>
struct fill_with {
  T* first;
  T value;
  __device__ void operator()(std::size_t i) const { first[i] = value; }
};
struct count_up {
  std::uint32_t* first;
  __device__ void operator()(std::size_t i) const { first[i] = static_cast<std::uint32_t>(i); }
};

struct find_position {
  std::size_t tree;
  const std::uint32_t *chains, *order;
  std::size_t count;
  std::uint32_t* found;
  __device__ void operator()(std::size_t) const {
    std::size_t first = 0, last = count;
    while (first < last) {
      const std::size_t middle = first + (last - first) / 2;
      if (chains[order[middle]] < tree) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    *found = static_cast<std::uint32_t>(first);
  }
};

class gpu_machine {
public:
  using words = gpu_words;
  using id = std::uint32_t;

  explicit gpu_machine(const backend::cuda& loops) : loops_{loops}, word_{1, loops.memory()} {}

  template <class T>
  [[nodiscard]] buffer<T> make(std::size_t count) const {
    return buffer<T>{count, loops_.memory()};
  }
  template <class F>
  void for_each(std::size_t count, F f) const {
    loops_.for_each(count, f);
  }
  template <class T>
  void fill(T* first, std::size_t count, T value) const {
    loops_.for_each(count, fill_with<T>{first, value});
  }
  template <class Wanted>
  std::size_t ascending(std::size_t count, Wanted wanted, id* to) const {
    if (count == 0) return 0;
    const auto select = [&](void* room, std::size_t& bytes) {
      return cub::DeviceSelect::If(room, bytes, thrust::counting_iterator<id>{0}, to, word_.data(), static_cast<std::int64_t>(count),
                                   wanted, loops_.stream());
    };
    with_room("selecting", select);
    return loops_.fetched(word_.data());
  }
  void group(const id* keys, std::size_t count, std::size_t limit, id* order) const {
    buffer<id> numbers{count, loops_.memory()};
    loops_.for_each(count, count_up{numbers.data()});
    sort(keys, numbers.data(), order, count, static_cast<int>(std::bit_width(limit)));
  }
  void sum_up(id* values, std::size_t count) const {
    if (count == 0) return;
    with_room("summing", [&](void* room, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveSum(room, bytes, values, values, static_cast<std::int64_t>(count), loops_.stream());
    });
  }
  void lower_firsts(joining::edges_view<id> edges, std::size_t count, id* firsts) const {
    loops_.for_each(count, joining::offer_first<words, id>{edges, firsts});
  }
  /// `order` has `count` edges in ascending order of chains[i], a tree for each edge i. Returns how many of them have chains[i] < tree.
  [[nodiscard]] std::size_t position_of(std::size_t tree, const id* chains, const id* order, std::size_t count) const {
    loops_.for_each(1, find_position{tree, chains, order, count, word_.data()});
    return loops_.fetched(word_.data());
  }
  void flatten(id* up, std::size_t count) const { backend::flatten_upwards(loops_, up, count, word_.data()); }

  /// Writes the values to `to` in ascending order of the lowest `bits` bits of their keys. Stable.
  template <class Key>
  void sort(const Key* keys, const id* values, id* to, std::size_t count, int bits) const {
    if (count == 0) return;
    buffer<Key> sorted{count, loops_.memory()};
    with_room("sorting", [&](void* room, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(room, bytes, keys, sorted.data(), values, to, count, 0, bits, loops_.stream());
    });
  }

private:
  template <class Run>
  void with_room(const char* doing, Run run) const {
    std::size_t bytes = 0;
    backend::checked(run(nullptr, bytes), doing);
    const buffer<std::byte> room{bytes, loops_.memory()};
    backend::checked(run(const_cast<std::byte*>(room.data()), bytes), doing);
  }

  const backend::cuda& loops_;
  mutable buffer<id> word_;
};

namespace {

using id = std::uint32_t;

struct pack_ends {
  const edge<id>* edges;
  unsigned bits;  ///< the number of bits of an id
  std::uint64_t* to;
  __device__ void operator()(std::size_t i) const {
    const edge<id> e = edges[i];
    to[i] = static_cast<std::uint64_t>(e.u < e.v ? e.u : e.v) << bits | (e.u < e.v ? e.v : e.u);
  }
};
struct pick {
  const id *from, *places;
  id* to;
  __device__ void operator()(std::size_t i) const { to[i] = from[places[i]]; }
};
struct pick_ends {
  const edge<id>* edges;
  const id* places;
  id *u, *v;
  __device__ void operator()(std::size_t i) const {
    u[i] = edges[places[i]].u;
    v[i] = edges[places[i]].v;
  }
};
template <class Weight>
struct pick_weight {
  const Weight* weights;
  const id* places;
  double* to;
  __device__ void operator()(std::size_t i) const { to[i] = static_cast<double>(weights[places[i]]); }
};
struct turn_to_height {
  double largest;
  double* weights;
  __device__ void operator()(std::size_t i) const { weights[i] = largest - weights[i]; }
};

/// A GPU and the memory for arrays on it.
struct place {
  place(unsigned index, std::uint64_t memory_limit_bytes) : on{index}, device{on}, memory{memory_limit_bytes, &device} {}
  backend::gpu on;
  backend::gpu_memory device;
  tracked_memory memory;
};

/// Edges in the order in which they merge, and their weights.
struct gpu_merge_list {
  buffer<id> u, v;
  buffer<double> heights;
};

template <class Weight>
gpu_merge_list sorted(const backend::cuda& loops, const gpu_machine& machine, id vertices, const buffer<edge<id>>& edges,
                      const buffer<Weight>& weights) {
  const std::size_t m = edges.size();
  gpu_merge_list to{machine.make<id>(m), machine.make<id>(m), machine.make<double>(m)};
  auto places = machine.make<id>(m), by_ends = machine.make<id>(m);
  {
    const auto bits = static_cast<unsigned>(std::bit_width(vertices));
    auto ends = machine.make<std::uint64_t>(m);
    loops.for_each(m, pack_ends{edges.data(), bits, ends.data()});
    loops.for_each(m, count_up{places.data()});
    machine.sort(ends.data(), places.data(), by_ends.data(), m, static_cast<int>(2 * bits));
  }
  {
    buffer<id> room;
    const id* const keys = keys_on_gpu(loops, weights.span(), forest_goal::maximum, room);
    auto in_turn = machine.make<id>(m);
    loops.for_each(m, pick{keys, by_ends.data(), in_turn.data()});
    machine.sort(in_turn.data(), by_ends.data(), places.data(), m, 32);
  }
  loops.for_each(m, pick_ends{edges.data(), places.data(), to.u.data(), to.v.data()});
  loops.for_each(m, pick_weight<Weight>{weights.data(), places.data(), to.heights.data()});
  return to;
}

template <class T>
buffer<T> copied_in(place& gpu, std::span<const T> from, const execution& on) {
  buffer<T> copy{from.size(), &gpu.memory};
  backend::copy_in(gpu.on, copy.data(), from.data(), from.size_bytes(), "copying a forest", {.threads = on.threads}, on.observer);
  return copy;
}

}  // namespace

void merge_on_gpu(coo_view<id> forest, const weights_view& weights, std::optional<double> top, const execution& on,
                  dendrogram_result& result, phase_times& times) {
  using merge = hierarchy::merge;
  if (forest.vertices() >= id{1} << 31) throw usage_error{"a GPU makes dendrograms of fewer than 2^31 vertices only; use the CPU"};
  place gpu{gpu_of(on).value_or(0), on.gpu_memory};
  result.report.device = "cuda:" + std::to_string(gpu.on.index());
  const backend::cuda loops{gpu.on, &gpu.memory, on.observer, 0};
  const gpu_machine machine{loops};
  const std::size_t n = forest.vertices(), m = forest.edges.size();
  backend::gpu_laps laps{gpu.on};
  gpu_merge_list edges;
  {
    const auto ends = copied_in(gpu, forest.edges, on);
    std::visit(
        [&]<class Weight>(std::span<const Weight> column) {
          const auto on_gpu = copied_in(gpu, column, on);
          laps.lap("copy in");
          edges = sorted(loops, machine, forest.vertices(), ends, on_gpu);
        },
        weights);
  }
  const auto weight = [&](std::size_t i) { return m == 0 ? 0. : loops.fetched(edges.heights.data() + i); };
  const heights found = heights_of(weight(0), weight(m - 1), top);
  loops.for_each(m, turn_to_height{found.largest_weight, edges.heights.data()});
  laps.lap("sort");
  merge_tree<gpu_machine, id> tree{machine, n, m, edges.u.data(), edges.v.data()};
  edges.u = {};
  edges.v = {};
  laps.lap("contract");
  auto merges = machine.make<merge>(n - 1);
  tree.write(edges.heights.data(), found.top, merges.data());
  laps.lap("merges");
  result.merges = buffer<merge>{n - 1, on.memory};
  backend::copy_out(gpu.on, result.merges.data(), merges.data(), (n - 1) * sizeof(merge), "copying merges", {.threads = on.threads});
  laps.lap("copy out");
  laps.add_to(times);
}

}  // namespace copse::weighted
