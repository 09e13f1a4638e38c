// Walks of lists that are too large for any cache. Writing to the place where an element was read costs as much as reading it there,
// because memory transfers single sectors in random order (measured with 256 MB: 43 reads or 18 exchanges per ns). So these walks write
// nothing there. Each warp notes the visits of its threads one after the other in pages, by whole cache lines. After the sublists are
// ranked, the visits become ranks. These are sorted into windows of elements, one tile of pages at a time, in shared memory. Then a pass
// over the windows stores each rank at its element, in the L2 cache, which writes whole lines back.
//
// A visit is an element and the stamp of counted_records, which holds the sublist and the position in it. Nothing marks an element as
// visited, so a walk does not notice that another one has visited it. This is detected when sublists are ranked (rank() in
// helman_jaja.cuh), because then lists have more or fewer elements than there are. A walk into a cycle without a splitter would not end;
// therefore it remembers its element after 1, 2, 4, ... steps (Brent's algorithm), and stops when it comes to this element again.
#pragma once
#include <copse/errors.hpp>
#include <gpu/steps/device_list.cuh>
#include <list_ranking/cuda/sublists.cuh>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace copse::list_ranking {

inline constexpr unsigned page_visits = 1024, tile_pages = 4, tile_visits = tile_pages * page_visits;
inline constexpr unsigned most_windows = backend::threads_a_block;
inline constexpr unsigned noting_blocks = 6;  ///< blocks per multiprocessor of the kernel that walks the sublists and notes visits
inline constexpr unsigned stored_each = 8;    ///< ranks that a thread loads before it stores the first of them

using visit = uint2;  ///< an element, and the word for its sublist and position there; later its rank

struct visit_pages {
  visit* visits;
  unsigned* counts;  ///< number of visits in each page (a block of page_visits consecutive visits, written by one warp)
  unsigned* used;    ///< how many pages of `visits` warps have asked for, perhaps more than there are
  unsigned pages;    ///< number of pages of `visits`
};

/// Writes down the visits of a warp, each an element with its sublist and its position there, in pages: blocks of consecutive memory.
class noting_warp {
public:
  __device__ explicit noting_warp(visit_pages pages) : pages_{pages} { turn_page(); }

  /// Writes the visit `seen` of each thread for which `visits` is true to the warp's page. All threads of the warp must call it. Returns
  /// false if no page was left for the warp: there are enough pages for n visits, so some elements were visited twice.
  __device__ bool note(bool visits, visit seen) {
    const unsigned who = __ballot_sync(backend::whole_warp, visits), lane = threadIdx.x % backend::warp_threads;
    if (page_ >= pages_.pages) return false;
    if (visits) __stcs(pages_.visits + std::size_t{page_} * page_visits + count_ + __popc(who & ((1u << lane) - 1)), seen);
    count_ += static_cast<unsigned>(__popc(who));
    if (count_ > page_visits - backend::warp_threads) {
      close();
      turn_page();
    }
    return true;
  }
  __device__ void close() const {
    if (threadIdx.x % backend::warp_threads == 0 && page_ < pages_.pages) pages_.counts[page_] = count_;
  }

private:
  __device__ void turn_page() {
    unsigned page = 0;
    if (threadIdx.x % backend::warp_threads == 0) page = atomicAdd(pages_.used, 1u);
    page_ = __shfl_sync(backend::whole_warp, page, 0);
    count_ = 0;
  }

  visit_pages pages_;
  unsigned page_ = 0, count_ = 0;
};

/// Walks all sublists and notes the visits. Each iteration of the loop is one step for all threads of a warp, whether they walk, end or
/// begin a sublist, or have finished.
static __global__ void __launch_bounds__(backend::threads_a_block, noting_blocks)
    walk_and_note(counted_records<id> records, sublist_view<id, id> sublists, id starts, visit_pages pages, gpu_walk_state* shared) {
  __shared__ unsigned taken;
  if (threadIdx.x == 0) taken = blockDim.x;
  __syncthreads();
  const id share = (starts + gridDim.x - 1) / gridDim.x;
  const id first = min(starts, static_cast<id>(blockIdx.x * share)), count = min(starts - first, share);
  const auto close = [&](const counted_records<id>::lane& l, id next) {
    const auto done = records.last(l);
    sublists.next[done.sublist] = next;
    sublists.length[done.sublist] = done.length;
  };

  id mine = threadIdx.x, start = no_vertex<id>, next = 0;  // the thread's next sublist: number in the block's share, first two elements
  const auto ask = [&] {
    if (mine >= count) return;
    start = sublists.start[first + mine];
    next = sublists.next[first + mine];
  };
  ask();
  counted_records<id>::lane l{};
  bool walking = false;
  unsigned steps = 0;
  id remembered = 0;
  const auto give_up = [&] {
    close(l, no_vertex<id>);  // `next` must be valid, because sublists are ranked before the host looks at `broken`
    shared->broken = 1;
    walking = false;
  };
  noting_warp noting{pages};
  while (__any_sync(backend::whole_warp, walking || mine < count)) {
    bool visits = false;
    visit seen{};
    if (walking) {
      const id w = records.load(l.at);
      const bool ends = records.is_start(w), full = !ends && records.is_full(l);
      const unsigned number = full ? atomicAdd(&shared->used, 1u) : 0;
      if (ends) {
        close(l, w - records.n);
        walking = false;
      } else if (number >= sublists.capacity) {
        // A full sublist goes on under a new number. Walks that visit each of the n elements once cannot use up the numbers, so some
        // elements have been visited twice.
        give_up();
      } else {
        if (full) {
          close(l, number);
          records.go_on(l, number);
        }
        visits = true;
        seen = {l.at, l.stamp++};
        if (w == l.at) {
          close(l, no_vertex<id>);
          walking = false;
        } else if (w == remembered) {
          give_up();
        } else {
          l.at = w;
          if ((++steps & (steps - 1)) == 0) remembered = w;
        }
      }
    } else if (mine < count) {
      if (start != no_vertex<id>) {
        l = records.begin(start, next, first + mine);
        visits = true;
        seen = {start, l.stamp - 1};
        walking = next != start;
        if (!walking) close(l, no_vertex<id>);
        steps = 0;
        remembered = start;
      }
      mine = atomicAdd(&taken, 1u);
      ask();
    }
    if (!noting.note(visits, seen)) {
      for (; mine < count; mine = atomicAdd(&taken, 1u)) sublists.next[first + mine] = no_vertex<id>;
      if (walking) give_up();
      shared->broken = 1;
      break;
    }
  }
  noting.close();
}

/// Turns visits into ranks, sorted into windows of 2^window_bits elements each. A window has as many visits as elements, because every
/// element was visited once.
struct window_task {
  visit_pages pages;
  counted_records<id> records;
  const id* base;  ///< for each sublist, the rank of its first element
  bool to_end;
  unsigned window_bits;
  visit* windows;
  unsigned* used;  ///< number of visits written to each window (a range of elements) so far

  __device__ id rank(id stamp) const {
    const auto at = records.place_of(stamp);
    const id first = __ldg(base + at.sublist);
    return to_end ? first - at.local : first + at.local;
  }
};

static __global__ void __launch_bounds__(backend::threads_a_block) sort_into_windows(window_task task) {
  constexpr unsigned threads = backend::threads_a_block, each = tile_visits / threads, of_page = page_visits / threads;
  static_assert(most_windows == threads);
  __shared__ visit sorted[tile_visits];
  __shared__ unsigned counts[threads], firsts[threads], to[threads], of_warps[threads / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, pages = min(*task.pages.used, task.pages.pages);
  for (unsigned first_page = blockIdx.x * tile_pages; first_page < pages; first_page += gridDim.x * tile_pages) {
    counts[threadIdx.x] = 0;
    __syncthreads();
    visit own[each];
    unsigned place[each], valid = 0;
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
      const unsigned page = first_page + k / of_page, at = k % of_page * threads + threadIdx.x;
      if (page >= pages || at >= task.pages.counts[page]) continue;
      own[k] = __ldcs(task.pages.visits + std::size_t{page} * page_visits + at);
      valid |= 1u << k;
    }
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
      if ((valid >> k & 1) == 0) continue;
      own[k].y = task.rank(own[k].y);
      place[k] = atomicAdd(&counts[own[k].x >> task.window_bits], 1u);
    }
    __syncthreads();
    // Thread i computes where the visits to window i, a range of elements, begin in `sorted`, and reserves room for them in the window's
    // part of the output.
    const unsigned mine = counts[threadIdx.x];
    unsigned upto = mine;
    for (unsigned apart = 1; apart < 32; apart *= 2) {
      const unsigned before = __shfl_up_sync(backend::whole_warp, upto, apart);
      if (lane >= apart) upto += before;
    }
    if (lane == 31) of_warps[warp] = upto;
    __syncthreads();
    for (unsigned w = 0; w < warp; ++w) upto += of_warps[w];
    firsts[threadIdx.x] = upto - mine;
    if (mine != 0) to[threadIdx.x] = (threadIdx.x << task.window_bits) + atomicAdd(task.used + threadIdx.x, mine) - (upto - mine);
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
      if ((valid >> k & 1) != 0) sorted[firsts[own[k].x >> task.window_bits] + place[k]] = own[k];
    }
    __syncthreads();
    const unsigned all = firsts[threads - 1] + counts[threads - 1];
    for (unsigned i = threadIdx.x; i < all; i += threads) {
      const visit v = sorted[i];
      __stcs(task.windows + (to[v.x >> task.window_bits] + i), v);
    }
    __syncthreads();
  }
}

/// Stores the rank of each visit at its element. Each block takes a share of the visits, which are sorted into windows of elements. Blocks
/// begin in order, so that few windows are written at any time and no sector leaves the L2 cache before it is complete.
static __global__ void __launch_bounds__(backend::threads_a_block) store_ranks_of(const visit* windows, id n, id* ranks) {
  visit own[stored_each];
  const std::size_t first = std::size_t{blockIdx.x} * (stored_each * backend::threads_a_block) + threadIdx.x;
#pragma unroll
  for (unsigned k = 0; k < stored_each; ++k) {
    const std::size_t i = first + k * backend::threads_a_block;
    if (i < n) own[k] = __ldcs(windows + i);
  }
#pragma unroll
  for (unsigned k = 0; k < stored_each; ++k) {
    if (first + k * backend::threads_a_block < n) ranks[own[k].x] = own[k].y;
  }
}

/// Memory in which walks over sublists write down the visits of n elements, and from which store_ranks() computes the elements' ranks.
class noted_visits {
public:
  noted_visits(const backend::cuda& loops, std::uint64_t n, unsigned blocks)
      : loops_{loops},
        n_{n},
        // Enough pages for n visits: a warp turns to a new page when its next visits may not all fit, and the last page of each warp is not
        // full.
        pages_{static_cast<unsigned>(n / (page_visits - backend::warp_threads + 1)) + blocks * backend::warps_a_block + 1},
        visits_{std::size_t{pages_} * page_visits, loops.memory()},
        counts_{pages_ + 1, loops.memory()},
        windows_{n, loops.memory()} {
    loops.clear(counts_.data() + pages_, sizeof(unsigned));
  }
  [[nodiscard]] visit_pages pages() noexcept { return {visits_.data(), counts_.data(), counts_.data() + pages_, pages_}; }

  /// Precondition: every element was visited once. `base` has the rank of the first element of each sublist; with `to_end` ranks fall along
  /// a sublist, because they count elements to the end of the list.
  void store_ranks(const counted_records<id>& records, const id* base, bool to_end) {
    const unsigned bits = static_cast<unsigned>(std::bit_width((n_ - 1) / most_windows));
    buffer<unsigned> used{most_windows, loops_.memory()};
    loops_.clear(used.data(), most_windows * sizeof(unsigned));
    loops_.before_launch();
    sort_into_windows<<<loops_.blocks_for(std::size_t{pages_} * (backend::threads_a_block / tile_pages)), backend::threads_a_block, 0,
                        loops_.stream()>>>({pages(), records, base, to_end, bits, windows_.data(), used.data()});
    loops_.launched();
    constexpr std::size_t of_block = std::size_t{stored_each} * backend::threads_a_block;
    store_ranks_of<<<static_cast<unsigned>((n_ + of_block - 1) / of_block), backend::threads_a_block, 0, loops_.stream()>>>(
        windows_.data(), static_cast<id>(n_), records.words);
    loops_.launched();
  }

private:
  const backend::cuda& loops_;
  std::uint64_t n_;
  unsigned pages_;
  buffer<visit> visits_;
  buffer<unsigned> counts_;
  buffer<visit> windows_;
};

/// Returns memory in which walks write down the visits of n elements one after the other. Returns nothing if there is too little memory;
/// then walks store each visit at its element instead.
inline std::optional<noted_visits> room_for_visits(const backend::cuda& loops, std::uint64_t n, unsigned blocks) {
  try {
    return std::optional<noted_visits>{std::in_place, loops, n, blocks};
  } catch (const resource_error&) {
    return std::nullopt;
  }
}

}  // namespace copse::list_ranking
