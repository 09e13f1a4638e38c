// The steps of ../cuts.hpp as kernels, which run in the order in which they stand here.
#pragma once
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <gpu/loops/cuda.cuh>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace copse::drivers {

using position = unsigned long long;
inline constexpr position no_position = ~position{0};

/// Per place in preorder.
struct cuts_view {
  const std::uint32_t *order, *preorder, *parents, *ends;
  std::uint32_t *low, *high, *sets;
  position* positions;
  position* repeats;  ///< one for all

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

/// For each edge. Looks before it writes: most edges tell a place nothing new.
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
  bool once;  ///< both directions are stored: each edge from its smaller end
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

/// After low and high have been spread over subtrees.
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
  const std::uint32_t *found, *labels;  ///< places of bridges; labels of the components
  position* positions;
  std::uint32_t* smaller;
  __device__ void operator()(std::size_t i) const {
    const std::uint32_t p = found[i], root = cuts.preorder[labels[cuts.order[p]]];
    const std::uint32_t below = cuts.ends[p] - p, beyond = cuts.ends[root] - root - below;
    positions[i] = cuts.positions[p];
    smaller[i] = below < beyond ? below : beyond;
  }
};

/// Heads of blocks: a vertex but a root is an articulation point if it is the head of one, a root if of two.
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

/// Trees without their bridges.
struct cut_bridges {
  cuts_view cuts;
  std::uint32_t* tops;
  __device__ void operator()(std::size_t p) const { tops[p] = cuts.is_bridge(p) ? static_cast<std::uint32_t>(p) : cuts.parents[p]; }
};
struct offer_name {
  cuts_view cuts;
  const std::uint32_t* tops;
  std::uint32_t* names;  ///< all ones before
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

}  // namespace copse::drivers
