// dendrogram() on a GPU: the forest's edges sorted by radix, by ends and then by weights, contracted, and written as SciPy's rows.
#include <core/phase_times.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/gpu.hpp>
#include <gpu/runtime/gpu_events.hpp>
#include <gpu/runtime/staged_copy.hpp>
#include <weighted/cuda/keys.hpp>
#include <weighted/dendrogram/cuda/machine.cuh>
#include <weighted/dendrogram/heights.hpp>
#include <weighted/dendrogram/merge_tree.hpp>
#include <weighted/dendrogram/on_gpu.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>

namespace copse::weighted {
namespace {

using id = std::uint32_t;

struct pack_ends {
  const edge<id>* edges;
  unsigned bits;  ///< of an id
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

/// One GPU and what lies on it.
struct place {
  explicit place(unsigned index) : on{index}, device{on}, memory{UINT64_MAX, &device} {}
  backend::gpu on;
  backend::gpu_memory device;
  tracked_memory memory;
};

/// Edges in the order in which they merge, and their weights.
struct merging {
  buffer<id> u, v;
  buffer<double> heights;
};

template <class Weight>
merging sorted(const backend::cuda& loops, const gpu_machine& machine, id vertices, const buffer<edge<id>>& edges,
               const buffer<Weight>& weights) {
  const std::size_t m = edges.size();
  merging to{machine.make<id>(m), machine.make<id>(m), machine.make<double>(m)};
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
buffer<T> copied_in(place& gpu, std::span<const T> from, const dendrogram_options& options) {
  buffer<T> copy{from.size(), &gpu.memory};
  backend::copy_in(gpu.on, copy.data(), from.data(), from.size_bytes(), "copying a forest", {.threads = options.threads}, options.observer);
  return copy;
}

}  // namespace

void merge_on_gpu(coo_view<id> forest, const weights_view& weights, const dendrogram_options& options, dendrogram_result& result,
                  phase_times& times) {
  using merge = hierarchy::merge;
  if (forest.vertices() >= id{1} << 31) throw usage_error{"cuda: found 2^31 vertices or more, expected fewer for a dendrogram on a GPU"};
  place gpu{options.gpu.value_or(0)};
  result.report.device = "cuda:" + std::to_string(gpu.on.index());
  const backend::cuda loops{gpu.on, &gpu.memory, options.observer, 0};
  const gpu_machine machine{loops};
  const std::size_t n = forest.vertices(), m = forest.edges.size();
  backend::gpu_laps laps{gpu.on};
  merging edges;
  {
    const auto ends = copied_in(gpu, forest.edges, options);
    std::visit(
        [&]<class Weight>(std::span<const Weight> column) {
          const auto on_gpu = copied_in(gpu, column, options);
          laps.lap("copy in");
          edges = sorted(loops, machine, forest.vertices(), ends, on_gpu);
        },
        weights);
  }
  const auto weight = [&](std::size_t i) { return m == 0 ? 0. : loops.fetched(edges.heights.data() + i); };
  const heights found = heights_of(weight(0), weight(m - 1), options.top);
  loops.for_each(m, turn_to_height{found.largest_weight, edges.heights.data()});
  laps.lap("sort");
  merge_tree<gpu_machine, id> tree{machine, n, m, edges.u.data(), edges.v.data()};
  edges.u = {};
  edges.v = {};
  laps.lap("contract");
  auto merges = machine.make<merge>(n - 1);
  tree.write(edges.heights.data(), found.top, merges.data());
  laps.lap("merges");
  result.merges = buffer<merge>{n - 1, options.memory};
  backend::copy_out(gpu.on, result.merges.data(), merges.data(), (n - 1) * sizeof(merge), "copying merges", {.threads = options.threads});
  laps.lap("copy out");
  laps.add_to(times);
}

}  // namespace copse::weighted
