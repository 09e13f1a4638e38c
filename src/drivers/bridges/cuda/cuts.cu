#include <drivers/bridges/cuda/cuts.hpp>

#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <copse/memory.hpp>
#include <core/phase_times.hpp>
#include <gpu/loops/arc_sources.cuh>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/gpu_events.hpp>
#include <gpu/runtime/staged_copy.hpp>
#include <gpu/steps/go_up.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace copse::drivers {

// The steps of drivers/bridges/cuts.hpp as kernels, which run in the order of this file.

using position = unsigned long long;
inline constexpr position no_position = ~position{0};

/// The arrays of a search, by place in preorder.
struct cuts_view {
  const std::uint32_t *order, *preorder, *parents, *ends;
  std::uint32_t *low, *high, *sets;
  position* positions;
  position* repeats;  ///< number of edges that repeat an edge of the forest: one counter, not an array

  [[nodiscard]] __device__ bool is_root(std::size_t p) const { return parents[p] == p; }
  [[nodiscard]] __device__ bool is_bridge(std::size_t p) const { return !is_root(p) && low[p] == p && high[p] < ends[p]; }
  [[nodiscard]] __device__ bool is_block(std::size_t p) const { return !is_root(p) && sets[p] == p; }
  __device__ void unite(std::uint32_t p, std::uint32_t q) const {
    copse::unite::async<find::halve>{}(backend::cuda::parents<std::uint32_t>{sets}, p, q);
  }
};

struct begin_cuts {
  cuts_view cuts;
  __device__ void operator()(std::size_t p) const {
    cuts.low[p] = cuts.high[p] = cuts.sets[p] = static_cast<std::uint32_t>(p);
    cuts.positions[p] = no_position;
  }
};

/// Looks at one edge. If it is the first that joins a vertex and its parent in the forest, notes its position. Any other edge, unless it
/// repeats one of the forest and `simple` is set, lowers `low` of its later end to the place of the earlier end, and raises `high` of the
/// earlier end to the place of the later. Reads before it writes, because most edges do not change these extremes.
struct look_at_edge {
  cuts_view cuts;
  bool simple;
  __device__ void operator()(std::uint32_t u, std::uint32_t v, position at) const {
    std::uint32_t a = cuts.preorder[u], b = cuts.preorder[v];
    if (a > b) std::swap(a, b);
    if (cuts.parents[b] == a) {
      if (atomicMin(cuts.positions + b, at) == no_position) return;
      atomicAdd(cuts.repeats, position{1});
      if (simple) return;
    } else if (cuts.ends[a] <= b) {
      cuts.unite(a, b);
    }
    if (a < __ldcg(cuts.low + b)) atomicMin(cuts.low + b, a);
    if (b > __ldcg(cuts.high + a)) atomicMax(cuts.high + a, b);
  }
};
struct look_at_arc {
  look_at_edge look;
  const std::uint32_t *sources, *targets;
  bool once;  ///< true if both directions are stored: each edge is then read from its smaller end
  __device__ void operator()(std::size_t a) const {
    const std::uint32_t u = sources[a], v = targets[a];
    if (once ? u < v : u != v) look(u, v, a);
  }
};
struct look_at_pair {
  look_at_edge look;
  const edge<std::uint32_t>* edges;
  __device__ void operator()(std::size_t i) const {
    if (edges[i].u != edges[i].v) look(edges[i].u, edges[i].v, i);
  }
};

/// Unites a vertex with its parent if an edge from the subtree of the vertex leads out of the subtree of the parent. Used after low and
/// high have been spread over subtrees.
struct unite_with_parent {
  cuts_view cuts;
  __device__ void operator()(std::size_t p) const {
    const std::uint32_t above = cuts.parents[p];
    if (above == p || cuts.is_root(above)) return;
    if (cuts.low[p] < above || cuts.high[p] >= cuts.ends[above]) cuts.unite(static_cast<std::uint32_t>(p), above);
  }
};

struct note_bridge {
  cuts_view cuts;
  const std::uint32_t *found, *labels;  ///< per bridge, the place in preorder of its lower end; labels of the components
  position* positions;
  std::uint32_t* smaller;
  __device__ void operator()(std::size_t i) const {
    const std::uint32_t p = found[i], root = cuts.preorder[labels[cuts.order[p]]];
    const std::uint32_t below = cuts.ends[p] - p, beyond = cuts.ends[root] - root - below;
    positions[i] = cuts.positions[p];
    smaller[i] = below < beyond ? below : beyond;
  }
};

/// Counts the blocks (biconnected components) of which each vertex is the head, the topmost vertex, up to two. A root is an articulation
/// point if it is the head of two blocks, another vertex if it is the head of one.
struct mark_head {
  cuts_view cuts;
  std::uint32_t* marks;
  __device__ void operator()(std::size_t p) const {
    if (!cuts.is_block(p)) return;
    const std::uint32_t head = cuts.parents[p];
    if (__ldcg(marks + head) < 2) atomicAdd(marks + head, 1u);
  }
};
struct is_articulation {
  cuts_view cuts;
  const std::uint32_t* marks;
  __device__ bool operator()(std::uint32_t v) const {
    const std::uint32_t p = cuts.preorder[v];
    return marks[p] >= (cuts.is_root(p) ? 2u : 1u);
  }
};

struct is_bridge_place {
  cuts_view cuts;
  __device__ bool operator()(std::uint32_t p) const { return cuts.is_bridge(p); }
};
struct is_block_place {
  cuts_view cuts;
  __device__ bool operator()(std::uint32_t p) const { return cuts.is_block(p); }
};

/// Cuts the trees at their bridges: the lower end of each bridge becomes a root.
struct cut_bridges {
  cuts_view cuts;
  std::uint32_t* tops;
  __device__ void operator()(std::size_t p) const { tops[p] = cuts.is_bridge(p) ? static_cast<std::uint32_t>(p) : cuts.parents[p]; }
};
struct offer_name {
  cuts_view cuts;
  const std::uint32_t* tops;
  std::uint32_t* names;  ///< at the topmost place of each component: its smallest vertex so far, at first UINT32_MAX
  __device__ void operator()(std::size_t p) const {
    const std::uint32_t v = cuts.order[p];
    if (v < __ldcg(names + tops[p])) atomicMin(names + tops[p], v);
  }
};
struct take_name {
  cuts_view cuts;
  const std::uint32_t *tops, *names;
  std::uint32_t* labels;
  __device__ void operator()(std::size_t v) const { labels[v] = names[tops[cuts.preorder[v]]]; }
};

// The minimum or maximum of a value over every subtree of a forest in preorder, on a GPU. A subtree is a range of places. It consists of
// whole blocks of places, whose extreme is read from a sparse table over blocks, of the end of a block before these, and of the
// beginning of a block after them; a thread reads these two place by place.

inline constexpr std::size_t places_a_block = 32;

struct least {
  __device__ static std::uint32_t of(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }
};
struct greatest {
  __device__ static std::uint32_t of(std::uint32_t a, std::uint32_t b) { return a < b ? b : a; }
};

template <class Extreme>
struct survey_block {
  const std::uint32_t* values;
  std::size_t n;
  std::uint32_t* table;
  __device__ void operator()(std::size_t b) const {
    const std::size_t end = b * places_a_block + places_a_block < n ? b * places_a_block + places_a_block : n;
    std::uint32_t found = values[b * places_a_block];
    for (std::size_t p = b * places_a_block + 1; p < end; ++p) found = Extreme::of(found, values[p]);
    table[b] = found;
  }
};

/// Computes a level of the sparse table of extremes: an entry covers twice as many blocks of places as an entry of the level before.
template <class Extreme>
struct widen {
  const std::uint32_t* narrow;
  std::uint32_t* wide;
  std::size_t distance;
  __device__ void operator()(std::size_t b) const { wide[b] = Extreme::of(narrow[b], narrow[b + distance]); }
};

/// Replaces the value at each place by the extreme of its subtree, in place. Another thread may have replaced a value in the subtree before
/// it is read; then it is the extreme of a smaller subtree inside this one, which does not change the result.
template <class Extreme>
struct look_below {
  volatile std::uint32_t* values;
  const std::uint32_t* ends;
  /// For k = 0, 1, ..: for each block of places_a_block places, the extreme of the 2^k blocks that begin with it; `blocks` entries for each
  /// k.
  const std::uint32_t* table;
  std::size_t blocks;
  __device__ void operator()(std::size_t p) const {
    const std::size_t last = ends[p], first_whole = (p + places_a_block - 1) / places_a_block, behind_whole = last / places_a_block;
    std::uint32_t found = values[p];
    if (first_whole < behind_whole) {
      const unsigned level = 31 - __clz(static_cast<unsigned>(behind_whole - first_whole));
      const std::uint32_t* const row = table + level * blocks;
      found = Extreme::of(found, Extreme::of(row[first_whole], row[behind_whole - (std::size_t{1} << level)]));
      for (std::size_t q = p; q < first_whole * places_a_block; ++q) found = Extreme::of(found, values[q]);
      for (std::size_t q = behind_whole * places_a_block; q < last; ++q) found = Extreme::of(found, values[q]);
    } else {
      for (std::size_t q = p; q < last; ++q) found = Extreme::of(found, values[q]);
    }
    values[p] = found;
  }
};

/// Sets values[p] to the extreme of values[p] .. values[ends[p] - 1]. Takes 4 bytes for each block of places and each level of the table of
/// extremes, of which there are log2 of the number of blocks.
template <class Extreme>
void spread_upwards(const backend::cuda& loops, std::uint32_t* values, const std::uint32_t* ends, std::size_t n) {
  if (n == 0) return;
  const std::size_t blocks = (n + places_a_block - 1) / places_a_block;
  buffer<std::uint32_t> table{blocks * static_cast<std::size_t>(std::bit_width(blocks)), loops.memory()};
  loops.for_each(blocks, survey_block<Extreme>{values, n, table.data()});
  std::uint32_t* level = table.data();
  for (std::size_t width = 1; 2 * width <= blocks; width *= 2, level += blocks)
    loops.for_each(blocks - 2 * width + 1, widen<Extreme>{level, level + blocks, width});
  loops.for_each(n, look_below<Extreme>{values, ends, table.data(), blocks});
}

namespace {

using id = std::uint32_t;

class search {
public:
  search(const backend::gpu& on, std::pmr::memory_resource* memory, observer* watcher, gpu_tour tour)
      : on_{on},
        loops_{on, memory, watcher, 0},
        n_{tour.order.size()},
        tour_{std::move(tour)},
        low_{n_, memory},
        high_{n_, memory},
        sets_{n_, memory},
        list_{n_, memory},
        positions_{n_, memory},
        repeats_{1, memory},
        cuts_{tour_.order.data(), tour_.preorder.data(), tour_.parents.data(), tour_.ends.data(), low_.data(),
              high_.data(),       sets_.data(),          positions_.data(),    repeats_.data()} {
    loops_.for_each(n_, begin_cuts{cuts_});
    loops_.clear(repeats_.data(), sizeof(position));
  }
  search(const search&) = delete;

  void look_at_edges(const backend::arc_set<id>& g, bool simple) {
    const look_at_edge look{cuts_, simple};
    if (!g.is_rows) return loops_.for_each(g.edges.size(), look_at_pair{look, g.edges.data()});
    const buffer<id> sources = backend::arc_sources(loops_, g.rows.offsets, n_, g.rows.arcs);
    loops_.for_each(g.rows.arcs, look_at_arc{look, sources.data(), g.rows.targets, g.rows.symmetric});
  }
  void spread() {
    spread_upwards<least>(loops_, low_.data(), tour_.ends.data(), n_);
    spread_upwards<greatest>(loops_, high_.data(), tour_.ends.data(), n_);
    loops_.for_each(n_, unite_with_parent{cuts_});
    flatten(sets_.data());
  }
  /// Finds the bridges, the articulation points and the components without bridges, and copies them to host memory. Called after spread().
  /// `labels`: on entry the labels of the components, on return those of the components without bridges.
  gpu_cuts answer(buffer<id>& labels, const gpu_cuts_request& wanted) {
    gpu_cuts found;
    found.repeats = loops_.fetched(repeats_.data());
    found.blocks = select(is_block_place{cuts_});
    const id bridges = select(is_bridge_place{cuts_});
    note_bridges(bridges, labels, wanted, found);

    buffer<id>& spare = high_;  // free once bridges are known: cut_bridges is the last to ask is_bridge
    buffer<id> tops{n_, loops_.memory()};
    loops_.for_each(n_, cut_bridges{cuts_, tops.data()});
    flatten(tops.data());
    backend::checked(cudaMemsetAsync(spare.data(), 0xFF, n_ * sizeof(id), loops_.stream()), "filling memory");
    loops_.for_each(n_, offer_name{cuts_, tops.data(), spare.data()});
    loops_.for_each(n_, take_name{cuts_, tops.data(), spare.data(), labels.data()});
    found.labels = to_host(labels, n_, wanted);

    loops_.clear(spare.data(), n_ * sizeof(id));
    loops_.for_each(n_, mark_head{cuts_, spare.data()});
    const id points = select(is_articulation{cuts_, spare.data()});
    found.points = to_host(list_, points, wanted);
    if (wanted.with_blocks) {
      found.block_of = to_host(sets_, n_, wanted);
      found.order = to_host(tour_.order, n_, wanted);
      found.parents = to_host(tour_.parents, n_, wanted);
    }
    return found;
  }

private:
  /// Writes the numbers below the number of vertices for which `wanted` holds to list_, in ascending order. Returns how many there are.
  template <class Wanted>
  id select(Wanted wanted) {
    const thrust::counting_iterator<id> first{0};
    buffer<id> selected{1, loops_.memory()};
    std::size_t bytes = 0;
    const auto run = [&](void* room) {
      backend::checked(
          cub::DeviceSelect::If(room, bytes, first, list_.data(), selected.data(), static_cast<std::int64_t>(n_), wanted, loops_.stream()),
          "selecting");
    };
    run(nullptr);
    buffer<std::byte> room{bytes, loops_.memory()};
    run(room.data());
    return loops_.fetched(selected.data());
  }
  void flatten(id* parents) const {
    buffer<unsigned> deep{1, loops_.memory()};
    backend::flatten_upwards(loops_, parents, n_, deep.data());
  }
  /// Copies the bridges in list_ to `found`, in the order of the input.
  void note_bridges(id count, const buffer<id>& labels, const gpu_cuts_request& wanted, gpu_cuts& found) const {
    buffer<position> positions{count, loops_.memory()}, sorted{count, loops_.memory()};
    buffer<id> smaller{count, loops_.memory()}, sorted_smaller{count, loops_.memory()};
    loops_.for_each(count, note_bridge{cuts_, list_.data(), labels.data(), positions.data(), smaller.data()});
    std::size_t bytes = 0;
    const auto sort = [&](void* room) {
      backend::checked(cub::DeviceRadixSort::SortPairs(room, bytes, positions.data(), sorted.data(), smaller.data(), sorted_smaller.data(),
                                                       std::size_t{count}, 0, 64, loops_.stream()),
                       "sorting bridges");
    };
    sort(nullptr);
    buffer<std::byte> room{bytes, loops_.memory()};
    sort(room.data());
    found.smaller_sides = to_host(sorted_smaller, count, wanted);
    found.positions = buffer<std::uint64_t>{count, wanted.answers};
    backend::copy_out(on_, found.positions.data(), sorted.data(), count * sizeof(position), "copying bridges");
  }
  [[nodiscard]] buffer<id> to_host(const buffer<id>& from, std::size_t count, const gpu_cuts_request& wanted) const {
    buffer<id> copy{count, wanted.answers};
    backend::copy_out(on_, copy.data(), from.data(), count * sizeof(id), "copying the answer");
    return copy;
  }

  const backend::gpu& on_;
  backend::cuda loops_;
  std::size_t n_;
  gpu_tour tour_;
  buffer<id> low_, high_, sets_, list_;
  buffer<position> positions_, repeats_;
  cuts_view cuts_;
};

}  // namespace

gpu_cuts cuts_on_gpu(const backend::gpu& on, std::pmr::memory_resource* memory, observer* watcher, const backend::arc_set<id>& g,
                     buffer<edge<id>> forest, buffer<id> labels, const gpu_cuts_request& wanted, phase_times& times) {
  backend::gpu_laps laps{on};
  const std::uint64_t components = labels.size() - forest.size();
  gpu_tour tour = tour_on_gpu(on, memory, watcher, forest.span(), labels.span());
  forest = {};
  laps.lap("tour");
  search bridges{on, memory, watcher, std::move(tour)};
  bridges.look_at_edges(g, wanted.simple);
  laps.lap("edges");
  bridges.spread();
  laps.lap("subtrees");
  gpu_cuts found = bridges.answer(labels, wanted);
  found.components = components;
  laps.lap("answer");
  laps.add_to(times);
  return found;
}

}  // namespace copse::drivers
