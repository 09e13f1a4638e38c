// The algorithm of Helman and JaJa on a GPU, the counterpart of helman_jaja.hpp. A thread walks one sublist at a time. Each block has its
// own sublists, of which a thread that has finished takes the next one, so that a long sublist keeps no other thread waiting. The start of
// the next sublist is loaded while the current one is walked.
//
// Each step is one loop iteration for all threads of a warp, whether they walk, end or begin a sublist. If walking were a loop of its own,
// the threads of a warp would wait for the longest of their sublists.
#pragma once
#include <list_ranking/cuda/jumps.cuh>
#include <list_ranking/sublists.hpp>

namespace copse::list_ranking {

struct gpu_walk_state {
  unsigned used;  ///< how many sublists have been given a number
  unsigned broken;
};

template <class Records>
struct begin_at_heads {
  const id* heads;
  Records records;
  sublist_view<id, typename Records::value> sublists;
  __device__ void operator()(std::size_t j) const {
    const id e = heads[j];
    sublists.start[j] = e;
    sublists.next[j] = records.load(e);
    sublists.length[j] = 0;
    records.mark_start(e, static_cast<id>(j));
  }
};

/// Begins a sublist at each splitter. The numbers of these sublists follow those of the sublists that begin at heads. The number of a
/// splitter that is also a head stays unused.
template <class Records>
struct begin_at_splitters {
  random_stream random;
  std::uint64_t splitters;
  id heads;
  Records records;
  sublist_view<id, typename Records::value> sublists;
  __device__ void operator()(std::size_t k) const {
    const id e = static_cast<id>(splitter_of(k, splitters, records.n, random));
    const id j = static_cast<id>(heads + k), next = records.load(e);
    const bool taken = records.is_start(next);
    sublists.start[j] = taken ? no_vertex<id> : e;
    sublists.next[j] = taken ? no_vertex<id> : next;
    sublists.length[j] = 0;
    if (!taken) records.mark_start(e, j);
  }
};

/// Marks as empty the sublists whose numbers are kept for continuations: a sublist with more elements than it has positions goes on under
/// such a number.
template <class V>
struct begin_nowhere {
  id first;
  sublist_view<id, V> sublists;
  __device__ void operator()(std::size_t i) const {
    sublists.start[first + i] = sublists.next[first + i] = no_vertex<id>;
    sublists.length[first + i] = 0;
  }
};

template <class Records>
__global__ void __launch_bounds__(backend::threads_a_block)
    walk_kernel(Records records, sublist_view<id, typename Records::value> sublists, id starts, gpu_walk_state* shared) {
  __shared__ unsigned taken;
  if (threadIdx.x == 0) taken = blockDim.x;
  __syncthreads();
  const id share = (starts + gridDim.x - 1) / gridDim.x;
  const id first = min(starts, static_cast<id>(blockIdx.x * share)), count = min(starts - first, share);
  const auto close = [&](const typename Records::lane& l, id next) {
    const auto done = records.last(l);
    sublists.next[done.sublist] = next;
    sublists.length[done.sublist] = done.length;
    if constexpr (!Records::counts) sublists.value[done.sublist] = done.total;
  };

  id mine = threadIdx.x, start = no_vertex<id>, next = 0;  // the thread's next sublist: number in the block's share, first two elements
  const auto ask = [&] {
    if (mine >= count) return;
    start = sublists.start[first + mine];
    next = sublists.next[first + mine];
  };
  ask();
  typename Records::lane l{};
  bool walking = false;
  for (;;) {
    if (!walking) {
      if (mine >= count) break;
      if (start != no_vertex<id>) {
        l = records.begin(start, next, first + mine);
        walking = next != start;
        if (!walking) close(l, no_vertex<id>);
      }
      mine = atomicAdd(&taken, 1u);
      ask();
      continue;
    }
    const bool full = records.is_full(l);
    id w;
    if constexpr (Records::counts) {
      w = full ? records.load(l.at) : records.exchange(l);
    } else {
      w = records.load(l.at);
    }
    if (w >= records.n) {
      if (records.is_start(w)) {
        close(l, w - records.n);
      } else {
        close(l, no_vertex<id>);
        shared->broken = 1;  // another walk came here, so the element follows two elements
      }
      walking = false;
      continue;
    }
    if (full) {
      const unsigned number = atomicAdd(&shared->used, 1u);
      if (number >= sublists.capacity) {
        // A full sublist goes on under a new number. Walks that visit each of the n elements once cannot use up the numbers, so some
        // elements have been visited twice.
        close(l, no_vertex<id>);
        shared->broken = 1;
        walking = false;
        continue;
      }
      close(l, number);
      records.go_on(l, number);
    }
    if constexpr (Records::counts) {
      full ? records.visit(l) : records.visited_by_exchange(l);
    } else {
      records.visit(l);
    }
    if (w == l.at) {
      close(l, no_vertex<id>);
      walking = false;
    } else {
      l.at = w;
    }
  }
}

/// Makes the list that pointer jumping ranks, with one element per sublist, whose weight is the sublist's length or sum. With `to_end`,
/// each element is linked to the next sublist of its list; otherwise it has no link yet, and link_back links it to the previous one.
template <class V, bool Counts>
struct sublist_jumps {
  sublist_view<id, V> sublists;
  gpu_jump<V>* jumps;
  bool to_end;
  __device__ void operator()(std::size_t j) const {
    V own = 0;
    if constexpr (Counts) {
      own = sublists.length[j];
    } else if (sublists.start[j] != no_vertex<id>) {
      own = sublists.value[j];
    }
    jumps[j] = {to_end ? sublists.next[j] : no_vertex<id>, own};
  }
};
template <class V>
struct link_back {
  sublist_view<id, V> sublists;
  gpu_jump<V>* jumps;
  __device__ void operator()(std::size_t j) const {
    const id next = sublists.next[j];
    if (next != no_vertex<id>) jumps[next].next = static_cast<id>(j);
  }
};
/// For ranks from the head: the ranks of a sublist begin with the sum of all weights before it, which is the previous sublist's total after
/// pointer jumping towards the head.
template <class V>
struct hand_on {
  sublist_view<id, V> sublists;
  const gpu_jump<V>* totals;
  __device__ void operator()(std::size_t j) const {
    const id next = sublists.next[j];
    if (next != no_vertex<id>) sublists.value[next] = totals[j].total;
  }
};
template <class V>
struct fill_values {
  sublist_view<id, V> sublists;
  V value;
  __device__ void operator()(std::size_t j) const { sublists.value[j] = value; }
};
/// For ranks that count the elements after an element: a sublist's ranks begin with the number of elements that follow its first one, up to
/// the end of the list.
template <class V>
struct less_one {
  sublist_view<id, V> sublists;
  const gpu_jump<V>* totals;
  __device__ void operator()(std::size_t j) const { sublists.value[j] = totals[j].total - 1; }
};

/// Counts the elements of all lists, by the totals of the sublists that begin a list (or, for ranks from the head, end one). A sublist that
/// has not jumped to the end of its list counts as more elements than there are.
static __global__ void __launch_bounds__(backend::threads_a_block)
    sum_lists(const gpu_jump<id>* totals, sublist_view<id, id> sublists, id heads, std::size_t count, bool to_end, wide_count* found) {
  wide_count own = 0;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t j = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; j < count; j += stride) {
    const bool whole = to_end ? j < heads : sublists.next[j] == no_vertex<id>;
    if (whole) own += totals[j].next == no_vertex<id> ? totals[j].total : wide_count{1} << 40;
  }
  own = sum_of_block(own);
  if (threadIdx.x == 0) atomicAdd(found, own);
}

}  // namespace copse::list_ranking
