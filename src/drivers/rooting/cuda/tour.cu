#include <copse/errors.hpp>
#include <drivers/rooting/cuda/tour.hpp>
#include <gpu/loops/arc_sources.cuh>
#include <gpu/loops/cuda.cuh>
#include <gpu/loops/edge_rows.hpp>
#include <gpu/runtime/gpu_events.hpp>
#include <list_ranking/cuda/parts.hpp>

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace copse::drivers {
namespace {

using id = std::uint32_t;

/// The rows of a forest, and arrays by arc.
struct arcs_view {
  const id *offsets, *targets, *sources;
  id* twins;   ///< the arc in the opposite direction
  id* next;    ///< the arc that follows in the tour
  id* places;  ///< the place of the arc in the tour
};

/// Links arcs into tours. A tour that comes to a vertex along an arc leaves along the arc after that arc's twin in the vertex's row.
struct link_arcs {
  arcs_view arcs;
  __device__ void operator()(std::size_t i) const {
    const id a = static_cast<id>(i), u = arcs.targets[a], v = arcs.sources[a];
    id first = arcs.offsets[u], last = arcs.offsets[u + 1];
    while (first + 1 < last) {
      const id middle = first + (last - first) / 2;
      (arcs.targets[middle] <= v ? first : last) = middle;
    }
    arcs.twins[a] = first;
    arcs.next[first] = a + 1 == arcs.offsets[v + 1] ? arcs.offsets[v] : a + 1;
  }
};

struct is_root_of_edges {
  const id *labels, *offsets;
  __device__ bool operator()(id v) const { return labels[v] == v && offsets[v] != offsets[v + 1]; }
};
struct is_alone {
  const id *labels, *offsets;
  __device__ bool operator()(id v) const { return labels[v] == v && offsets[v] == offsets[v + 1]; }
};

/// Arrays by vertex that are filled while the tour is read.
struct vertices_view {
  id* numbers;  ///< for a root, the number of its tree; for another vertex, the place of the arc from its parent
  id* parents;
  id* sizes;
};

/// Cuts the walk around a tree at its root, where it would begin again, and continues it in the next tree.
struct chain_trees {
  arcs_view arcs;
  const id* roots;
  std::size_t count;
  id* numbers;
  __device__ void operator()(std::size_t i) const {
    const id r = roots[i];
    // The last arc back to the root leaves the last vertex in the root's row. In that vertex's row the root comes first, because it is the
    // smallest vertex of the tree.
    const id last = arcs.offsets[arcs.targets[arcs.offsets[r + 1] - 1]];
    arcs.next[last] = i + 1 < count ? arcs.offsets[roots[i + 1]] : last;
    numbers[r] = static_cast<id>(i);
  }
};

/// Reads parents and sizes from the tour. If an arc comes before its twin in the tour, it leads to a child. The child's subtree is between
/// the two, with each edge twice.
struct read_arcs {
  arcs_view arcs;
  vertices_view vertices;
  id* down;  ///< per place of the tour: 1 where an arc leads down
  __device__ void operator()(std::size_t a) const {
    const id here = arcs.places[a], back = arcs.places[arcs.twins[a]];
    down[here] = here < back ? 1 : 0;
    if (here > back) return;
    const id below = arcs.targets[a];
    vertices.parents[below] = arcs.sources[a];
    vertices.sizes[below] = (back - here + 1) / 2;
    vertices.numbers[below] = here;
  }
};

/// Computes the places of vertices in preorder. After a prefix sum, `down` says how many vertices other than roots the tour has reached;
/// the roots up to that of the current tree are to be added.
struct place_vertices {
  arcs_view arcs;
  vertices_view vertices;
  const id *labels, *down;
  gpu_tour::places to;
  __device__ void operator()(std::size_t i) const {
    const id v = static_cast<id>(i), root = labels[v];
    if (arcs.offsets[v] == arcs.offsets[v + 1]) return;
    const id met = root == v ? down[arcs.places[arcs.offsets[v]]] - 1 : down[vertices.numbers[v]];
    const id at = met + vertices.numbers[root];
    to.preorder[v] = at;
    to.order[at] = v;
    if (root != v) return;
    const id first = arcs.places[arcs.offsets[v]], last = arcs.places[arcs.offsets[arcs.targets[arcs.offsets[v + 1] - 1]]];
    vertices.parents[v] = v;
    vertices.sizes[v] = (last - first + 1) / 2 + 1;
  }
};

struct place_alone {
  const id* alone;
  id first;
  vertices_view vertices;
  gpu_tour::places to;
  __device__ void operator()(std::size_t i) const {
    const id v = alone[i], at = first + static_cast<id>(i);
    to.preorder[v] = at;
    to.order[at] = v;
    vertices.parents[v] = v;
    vertices.sizes[v] = 1;
  }
};

struct hang_up {
  vertices_view vertices;
  gpu_tour::places to;
  __device__ void operator()(std::size_t p) const {
    const id v = to.order[p];
    to.parents[p] = to.preorder[vertices.parents[v]];
    to.ends[p] = static_cast<id>(p) + vertices.sizes[v];
  }
};

/// Writes the vertices for which `wanted` holds to `to`, in ascending order. Returns how many there are.
template <class Wanted>
id select(const backend::cuda& loops, std::size_t n, Wanted wanted, id* to) {
  const thrust::counting_iterator<id> first{0};
  buffer<id> selected{1, loops.memory()};
  std::size_t bytes = 0;
  const auto run = [&](void* room) {
    backend::checked(cub::DeviceSelect::If(room, bytes, first, to, selected.data(), static_cast<std::int64_t>(n), wanted, loops.stream()),
                     "selecting");
  };
  run(nullptr);
  buffer<std::byte> room{bytes, loops.memory()};
  run(room.data());
  return loops.fetched(selected.data());
}

void sum_up(const backend::cuda& loops, buffer<id>& counts) {
  std::size_t bytes = 0;
  const auto run = [&](void* room) {
    backend::checked(cub::DeviceScan::InclusiveSum(room, bytes, counts.data(), counts.data(), counts.size(), loops.stream()), "summing");
  };
  run(nullptr);
  buffer<std::byte> room{bytes, loops.memory()};
  run(room.data());
}

/// Computes the places of the arcs in a list, counted from its head.
void rank(const backend::gpu& on, std::pmr::memory_resource* memory, observer* watcher, const buffer<id>& next, buffer<id>& places) {
  constexpr std::uint64_t most_splitters = std::uint64_t{1} << 20, least_elements_a_splitter = 64;
  list_ranking::list_settings tuning;
  tuning.from = rank_origin::head;
  tuning.splitters = std::min<std::uint64_t>(most_splitters, next.size() / least_elements_a_splitter);
  list_ranking::list_outcome report;
  backend::gpu_laps laps{on};
  list_ranking::count_lists({on, memory, watcher, {}, tuning, report, laps}, next.span(), places.span());
}

}  // namespace

gpu_tour tour_on_gpu(const backend::gpu& on, std::pmr::memory_resource* memory, observer* watcher,
                     std::span<const edge<std::uint32_t>> forest, std::span<const std::uint32_t> labels) {
  if (forest.size() > std::size_t{1} << 30) {
    throw resource_error{"cuda: found a forest of " + std::to_string(forest.size()) +
                         " edges, expected at most 2^30 for an Euler tour on a GPU"};
  }
  const backend::cuda loops{on, memory, watcher, 0};
  const std::size_t n = labels.size(), m = 2 * forest.size();
  gpu_tour tour{buffer<id>{n, memory}, buffer<id>{n, memory}, buffer<id>{n, memory}, buffer<id>{n, memory}};
  const gpu_tour::places to{tour.order.data(), tour.preorder.data(), tour.parents.data(), tour.ends.data()};
  buffer<id> numbers{n, memory}, parents{n, memory}, sizes{n, memory};
  const vertices_view vertices{numbers.data(), parents.data(), sizes.data()};

  backend::edge_rows building{on, memory, static_cast<id>(n), forest.size()};
  loops.copy(building.edges(), forest.data(), forest.size_bytes());
  const auto rows = std::move(building).build();
  const auto* const offsets = reinterpret_cast<const id*>(rows.offsets.data());
  const buffer<id> sources = backend::arc_sources(loops, offsets, n, m);
  buffer<id> twins{m, memory}, next{m, memory}, places{m, memory};
  const arcs_view arcs{offsets, rows.targets.data(), sources.data(), twins.data(), next.data(), places.data()};
  loops.for_each(m, link_arcs{arcs});
  {
    buffer<id> roots{n, memory};
    const id grown = select(loops, n, is_root_of_edges{labels.data(), offsets}, roots.data());
    loops.for_each(grown, chain_trees{arcs, roots.data(), grown, vertices.numbers});
  }
  if (m != 0) rank(on, memory, watcher, next, places);
  buffer<id>& down = next;  // the list has been ranked, so its memory is free
  loops.for_each(m, read_arcs{arcs, vertices, down.data()});
  if (m != 0) sum_up(loops, down);
  loops.for_each(n, place_vertices{arcs, vertices, labels.data(), down.data(), to});
  {
    buffer<id> alone{n, memory};
    const id count = select(loops, n, is_alone{labels.data(), offsets}, alone.data());
    loops.for_each(count, place_alone{alone.data(), static_cast<id>(n - count), vertices, to});
  }
  loops.for_each(n, hang_up{vertices, to});
  loops.wait();
  return tour;
}

}  // namespace copse::drivers
