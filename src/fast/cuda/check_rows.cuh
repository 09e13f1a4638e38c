// Checks all arcs, where hardly any of them joins two trees, as in graphs of many small dense components or of a few giants. Every warp
// takes the rows of 32 adjacent vertices, and its threads take equal shares of the arcs of these rows, whatever the lengths of the rows.
// The parents of both ends are compared before any root is looked for. Vertices are checked in ascending order, and each is first pointed
// at its root, so that a smaller neighbour in the same tree mostly has that root as its parent. Each edge is checked once, from its larger
// end.
//
// Where rows are nested in the rows of their first neighbours, as in cliques, no parents are loaded: the arc from v to t needs no check if
// both v and t are neighbours of r, the first neighbour in v's row, which is smaller than both. The arc from v to r is checked, and so is
// the arc from t to r or, by the same argument, other arcs that connect t and r: their larger ends are smaller than v, so the induction
// ends. Comparing rows is quicker because rows are contiguous in memory and parents are not. Then only arcs to smaller neighbours are
// shared out among the threads: searching a row for the end of these arcs costs less than comparing the arcs behind it, but more than
// comparing their parents.
#pragma once
#include <fast/cuda/trees.cuh>
#include <fast/cuda/workspace.hpp>
#include <loops/arcs.hpp>
#include <loops/links.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::fast {

// Rows of more arcs than this are walked by whole warps, and are cut into parts if a later kernel can take those.
inline constexpr unsigned tile_row_arcs = 512, warp_arcs = 2048;

/// Appends arcs [first, last) of v to `parts`, in pieces of at most warp_arcs arcs.
template <class Id>
__device__ void cut(Id v, std::uint64_t first, std::uint64_t last, device_list<row_part<Id>> parts) {
  unsigned part = atomicAdd(parts.count, static_cast<unsigned>((last - first + warp_arcs - 1) / warp_arcs));
  for (std::uint64_t a = first; a < last; a += warp_arcs) {
    parts.items[part++] = {a, static_cast<std::uint32_t>(last - a < warp_arcs ? last - a : warp_arcs), v};
  }
}

/// The rows that a warp is checking, without the empty ones. In shared memory.
template <class Id>
struct warp_rows {
  std::uint64_t first[warp_threads];           ///< first arc of each row
  std::uint64_t compared_first[warp_threads];  ///< the arc of the first neighbour's row that is compared with the second arc of this row
  std::uint32_t compared[warp_threads];        ///< number of arcs in the first neighbour's row
  unsigned begin[warp_threads];                ///< index of the row's first arc among the arcs of all rows of the warp
  Id v[warp_threads], top[warp_threads];       ///< the vertex of each row, and a root of its tree
  edge<Id> open[full_warps<edge<Id>>::room];   ///< arcs whose ends may be in two trees
};

/// Checks the arcs of rows, and unites the ends of an arc if they are in two trees. `AtOnce`: number of arcs that a thread checks at a
/// time, so that their loads overlap. A warp collects the arcs that are open after that, and looks for the roots of 32 of them at a time.
template <class Unite, unsigned AtOnce, class P, class Recorder>
class row_checks {
public:
  using id = typename P::id;

  /// `compares`: if true, rows are compared with the rows of their first neighbours, and must be sorted.
  __device__ row_checks(const backend::any_rows<id>& rows, P p, Recorder recorder, bool compares, warp_rows<id>& kept)
      : rows_{rows}, p_{p}, recorder_{recorder}, compares_{compares}, kept_{kept}, open_{kept.open} {}

  /// A vertex, its parent, and its row, which is [first, last). The row is empty for a thread that has no vertex, because the graph ends
  /// before.
  struct loaded_row {
    id v, parent;
    std::uint64_t first, last;
    [[nodiscard]] __device__ bool is_long() const { return last - first > tile_row_arcs; }
  };
  /// Loads the row of the calling thread's vertex among [base, base + 32). Called before the previous rows are checked, so that the loads
  /// overlap with that check.
  __device__ loaded_row load(std::size_t base) const {
    const std::size_t at = base + threadIdx.x % warp_threads;
    if (at >= rows_.vertices()) return {0, 0, 0, 0};
    const id v = static_cast<id>(at);
    return {v, p_.load(v), rows_.offsets[at], rows_.offsets[at + 1]};
  }

  /// Begins to load the targets of a row that is checked next.
  __device__ void expect(const loaded_row& row) const {
    if (row.first < row.last) asm volatile("prefetch.global.L2 [%0];" ::"l"(rows_.targets + row.first));
  }

  /// Points the vertices of the warp at their roots, and checks the arcs of their rows: unites the ends of an arc if they are in two trees.
  /// Leaves out rows of more than tile_row_arcs arcs. All threads of the warp call it.
  __device__ void check(const loaded_row& row) {
    id top = row.parent;
    if (row.first < row.last) top = patient<long_path>{}(p_, row.parent);
    if (top != row.parent) p_.store(row.v, top);
    std::uint64_t last = row.is_long() ? row.first : row.last;
    if (compares_) last = backend::end_of_smaller(rows_.targets, row.first, last, row.v);
    check_short(keep(row.v, top, row.first, last));
  }

  /// Unites along the arcs that are still open. All threads of the warp call it, after all rows have been checked.
  __device__ void finish() {
    if (!open_.empty()) unite_some();
  }

  /// True if an arc of the calling thread led to another tree. Precondition: finish() was called.
  [[nodiscard]] __device__ bool found_others() const { return found_; }

private:
  struct kept_rows {
    unsigned rows, arcs;
  };

  /// Copies the non-empty rows of the threads of the warp into shared memory.
  __device__ kept_rows keep(id v, id top, std::uint64_t first, std::uint64_t last) {
    const unsigned lane = threadIdx.x % warp_threads, who = __ballot_sync(whole_warp, first < last);
    const unsigned arcs = static_cast<unsigned>(last - first);
    unsigned end = arcs;
#pragma unroll
    for (unsigned distance = 1; distance < warp_threads; distance *= 2) {
      const unsigned before = __shfl_up_sync(whole_warp, end, distance);
      if (lane >= distance) end += before;
    }
    __syncwarp();  // no thread still reads the previous rows
    if (arcs != 0) {
      const auto place = static_cast<unsigned>(__popc(who & ((1u << lane) - 1)));
      kept_.first[place] = first;
      kept_.begin[place] = end - arcs;
      kept_.v[place] = v;
      kept_.top[place] = top;
      if (compares_) {
        const id neighbour = arcs > 1 ? rows_.targets[first] : v;
        const std::uint64_t there = neighbour < v ? rows_.offsets[neighbour] : 0;
        kept_.compared_first[place] = there;
        kept_.compared[place] = neighbour < v ? static_cast<std::uint32_t>(rows_.offsets[std::size_t{neighbour} + 1] - there) : 0;
      }
    }
    __syncwarp();
    return {static_cast<unsigned>(__popc(who)), __shfl_sync(whole_warp, end, warp_threads - 1)};
  }

  /// True if arc `number` of row `row` needs no check, because arc `number` - 1 in the row of that row's first neighbour leads to the same
  /// vertex, `target`, as in cliques.
  __device__ bool nested(unsigned row, unsigned number, id target) const {
    return number != 0 && number <= kept_.compared[row] && rows_.targets[kept_.compared_first[row] + number - 1] == target;
  }

  __device__ void check_short(kept_rows all) {
    const unsigned lane = threadIdx.x % warp_threads;
    const unsigned begin = lane < all.rows ? kept_.begin[lane] : ~0u;
    unsigned before = 0;  // number of rows whose first arcs come before the arcs that the warp reads next
    for (unsigned window = 0; window < all.arcs; window += AtOnce * warp_threads) {
      unsigned row[AtOnce];
      id target[AtOnce], parent[AtOnce];
#pragma unroll
      for (unsigned k = 0; k < AtOnce; ++k) {
        const unsigned from = window + k * warp_threads, here = begin - from;
        const unsigned begins = __reduce_or_sync(whole_warp, here < warp_threads ? 1u << here : 0u);
        row[k] = before + static_cast<unsigned>(__popc(begins & (~0u >> (warp_threads - 1 - lane)))) - 1;
        before += static_cast<unsigned>(__popc(begins));
        const unsigned arc = from + lane;
        target[k] = arc < all.arcs ? rows_.targets[kept_.first[row[k]] + (arc - kept_.begin[row[k]])] : no_vertex<id>;
      }
      unsigned open = 0;  // bit k is set if arc k leads to a smaller vertex that is not known to be in the same tree
#pragma unroll
      for (unsigned k = 0; k < AtOnce; ++k) {
        const bool smaller = target[k] < kept_.v[row[k]] && target[k] != kept_.top[row[k]];
        const unsigned number = window + k * warp_threads + lane - kept_.begin[row[k]];
        open |= static_cast<unsigned>(smaller && !(compares_ && nested(row[k], number, target[k]))) << k;
      }
#pragma unroll
      for (unsigned k = 0; k < AtOnce; ++k) parent[k] = (open >> k & 1) != 0 ? p_.load(target[k]) : kept_.top[row[k]];
#pragma unroll
      for (unsigned k = 0; k < AtOnce; ++k) {
        if (parent[k] != kept_.top[row[k]]) parent[k] = p_.load(parent[k]);
      }
      open = 0;
#pragma unroll
      for (unsigned k = 0; k < AtOnce; ++k) open |= static_cast<unsigned>(parent[k] != kept_.top[row[k]]) << k;
      if (!__any_sync(whole_warp, open != 0)) continue;
#pragma unroll
      for (unsigned k = 0; k < AtOnce; ++k) {
        open_.add((open >> k & 1) != 0, {kept_.v[row[k]], target[k]});
        if (open_.full()) unite_some();
      }
    }
  }

  /// Unites along as many of the open arcs as the warp has threads.
  __device__ void unite_some() {
    const auto [arc, valid] = open_.take();
    if (!valid) return;
    const id one = patient<long_path>{}(p_, arc.u), other = patient<long_path>{}(p_, arc.v);
    if (one == other) return;
    found_ = true;
    backend::unite_and_note<Unite>(p_, one, other, recorder_, arc);
  }

  const backend::any_rows<id>& rows_;
  P p_;
  Recorder recorder_;
  bool compares_, found_ = false;
  warp_rows<id>& kept_;
  full_warps<edge<id>> open_;
};

}  // namespace copse::fast
