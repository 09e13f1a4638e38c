// Batches on a GPU by any union-find rule. A thread takes four operations at once, so that they and the parents of their ends are read
// together. In most streams most edges have ends with the same parent already, and only the others go through the rule. This comparison may
// use stale parents from the caches: two vertices that had the same parent once are in one tree for ever.
#pragma once
#include <copse/extend/rules/find/halve.hpp>
#include <drivers/incremental/cuda/device_forest.cuh>
#include <gpu/loops/cuda.cuh>
#include <parents/device.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace copse::drivers {

inline constexpr int pairs_at_once = 4;

/// Returns the number of blocks: one thread per pair until the GPU is full, then one thread per pairs_at_once pairs.
inline unsigned blocks_for_pairs(const backend::cuda& loops, std::size_t count) {
  return std::max(loops.blocks_for((count + pairs_at_once - 1) / pairs_at_once), std::min(loops.blocks_for(count), loops.places()));
}

/// Inserts the edges of a batch by a rule. `looking` reads the same parents as `p`, with loads that may be stale. `MarksAllEnds`: true if
/// the ends of every edge are marked as existing, not only those of edges that link a root: needed if the rule moves subtrees
/// (splice_atomic), because a vertex can then join a tree without a link by an edge of its own.
template <class Unite, bool MarksAllEnds, class Reader, class P, class Looking>
__global__ void __launch_bounds__(backend::threads_a_block)
    insert_by_rule(Reader batch, P p, Looking looking, gpu_id vertices, device_notes notes) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  counted_links own;
  for (std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; first < batch.count; first += pairs_at_once * threads) {
    gpu_edge e[pairs_at_once];
    bool known[pairs_at_once], apart[pairs_at_once];
#pragma unroll
    for (int k = 0; k < pairs_at_once; ++k) {
      const bool wanted = batch.wanted(first + k * threads);
      e[k] = wanted ? batch.pair(first + k * threads) : gpu_edge{0, 0};
      known[k] = wanted && e[k].u < vertices && e[k].v < vertices;
      own.refused += wanted && !known[k];
    }
#pragma unroll
    for (int k = 0; k < pairs_at_once; ++k) {
      apart[k] = known[k] && e[k].u != e[k].v && looking.parent(looking.load(e[k].u)) != looking.parent(looking.load(e[k].v));
    }
#pragma unroll
    for (int k = 0; k < pairs_at_once; ++k) {
      if (known[k] && (MarksAllEnds || e[k].u == e[k].v)) notes.mark(e[k], own);
      if (apart[k]) Unite{}(p, e[k].u, e[k].v, note_device_link{notes, e[k], own});
    }
  }
  own.add_to_tally(notes.tally);
}

template <class Unite>
void insert_by(device_forest& trees, gpu_batch batch) {
  if (batch.count == 0) return;
  const auto& loops = trees.loops();
  const auto p = trees.template inserting<Unite::traits.aux, Unite::traits.fresh_loads>();
  const auto looking = trees.template looking<Unite::traits.aux>();
  with_reader(batch, operation::insert, [&](auto reader) {
    loops.before_launch();
    insert_by_rule<Unite, Unite::traits.moves_subtrees>
        <<<blocks_for_pairs(loops, batch.count), backend::threads_a_block, 0, loops.stream()>>>(reader, p, looking, trees.slots(),
                                                                                                trees.notes());
    loops.launched();
  });
}

/// True if u and v were in one tree at some moment of the call, while edges are inserted: the algorithm SameSet
/// (copse/extend/rules/query/same_set.hpp), for accessors whose loads need a fence to stay in order.
template <class Find, class P>
__device__ bool connected_at_some_moment(P p, gpu_id u, gpu_id v) {
  for (;;) {
    u = Find{}(p, u);
    v = Find{}(p, v);
    if (u == v) return true;
    parents::after_what_was_read();
    if (p.is_root(u, p.load(u))) return false;
  }
}

/// Inserts and queries at once, by all threads of the grid, which are whole warps. A warp makes words of 32 answers.
template <class Unite, class Find, class P, class Looking>
__device__ void mix_pairs(gpu_batch batch, P p, Looking looking, gpu_id vertices, const device_notes& notes, std::uint32_t* answers) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x, whole = (batch.count + 31) / 32 * 32;
  counted_links own;
  for (std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; first < whole; first += pairs_at_once * threads) {
    gpu_edge e[pairs_at_once];
    bool here[pairs_at_once], asks[pairs_at_once], known[pairs_at_once], apart[pairs_at_once];
#pragma unroll
    for (int k = 0; k < pairs_at_once; ++k) {
      const std::size_t i = first + k * threads;
      here[k] = i < batch.count;
      e[k] = here[k] ? batch.pairs[i] : gpu_edge{0, 0};
      asks[k] = here[k] && (batch.kinds == nullptr || batch.kinds[i] == operation::query);
      known[k] = here[k] && e[k].u < vertices && e[k].v < vertices;
      own.refused += here[k] && !asks[k] && !known[k];
    }
#pragma unroll
    for (int k = 0; k < pairs_at_once; ++k) {
      apart[k] = known[k] && e[k].u != e[k].v && looking.parent(looking.load(e[k].u)) != looking.parent(looking.load(e[k].v));
    }
#pragma unroll
    for (int k = 0; k < pairs_at_once; ++k) {
      bool yes = asks[k] && (e[k].u == e[k].v || (known[k] && !apart[k]));
      if (apart[k]) {
        if (asks[k]) {
          yes = connected_at_some_moment<Find>(p, e[k].u, e[k].v);
        } else {
          Unite{}(p, e[k].u, e[k].v, note_device_link{notes, e[k], own});
        }
      } else if (known[k] && !asks[k] && e[k].u == e[k].v) {
        notes.mark(e[k], own);
      }
      const std::size_t i = first + k * threads;
      const unsigned word = __ballot_sync(0xffffffffu, yes);
      if (i % 32 == 0 && here[k]) answers[i / 32] = word;
    }
  }
  own.add_to_tally(notes.tally);
}

template <class Unite, class Find, class P, class Looking>
__global__ void __launch_bounds__(backend::threads_a_block)
    mix_by_rule(gpu_batch batch, P p, Looking looking, gpu_id vertices, device_notes notes, std::uint32_t* answers) {
  mix_pairs<Unite, Find>(batch, p, looking, vertices, notes, answers);
}

template <class Unite, class Find>
void mix_by(device_forest& trees, gpu_batch batch, std::uint32_t* answers) {
  if (batch.count == 0) return;
  const auto& loops = trees.loops();
  loops.before_launch();
  mix_by_rule<Unite, Find><<<blocks_for_pairs(loops, batch.count), backend::threads_a_block, 0, loops.stream()>>>(
      batch, trees.template mixing<Unite::traits.aux>(), trees.template looking<Unite::traits.aux>(), trees.slots(), trees.notes(),
      answers);
  loops.launched();
}

/// A batch of queries alone. Precondition: nothing is inserted at the same time.
template <class Find, class P>
__device__ void query_pairs(gpu_batch batch, P p, gpu_id vertices, std::uint32_t* answers) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x, whole = (batch.count + 31) / 32 * 32;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < whole; i += threads) {
    const bool asks = i < batch.count && (batch.kinds == nullptr || batch.kinds[i] == operation::query);
    const gpu_edge e = asks ? batch.pairs[i] : gpu_edge{0, no_vertex<gpu_id>};
    const bool known = e.u < vertices && e.v < vertices;
    const bool yes = asks && (e.u == e.v || (known && Find{}(p, e.u) == Find{}(p, e.v)));
    const unsigned word = __ballot_sync(0xffffffffu, yes);
    if (i % 32 == 0) answers[i / 32] = word;
  }
}

template <class Find, class P>
__global__ void __launch_bounds__(backend::threads_a_block) query_by_find(gpu_batch batch, P p, gpu_id vertices, std::uint32_t* answers) {
  query_pairs<Find>(batch, p, vertices, answers);
}

template <class Find, aux_array Aux>
void query_by(device_forest& trees, gpu_batch batch, std::uint32_t* answers) {
  if (batch.count == 0) return;
  const auto& loops = trees.loops();
  loops.before_launch();
  query_by_find<Find><<<loops.blocks_for(batch.count), backend::threads_a_block, 0, loops.stream()>>>(batch, trees.template looking<Aux>(),
                                                                                                      trees.slots(), answers);
  loops.launched();
}

}  // namespace copse::drivers
