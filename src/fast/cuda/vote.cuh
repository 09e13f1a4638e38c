// Finds the giant's label on the GPU, and keeps it there: a block samples random vertices, whose roots are their votes. If the votes do not
// agree on a giant, the block looks whether trees are nearly components already. The result decides how the solve goes on.
#pragma once
#include <core/random.hpp>
#include <fast/cuda/plan.hpp>
#include <fast/cuda/trees.cuh>
#include <fast/cuda/workspace.hpp>
#include <gpu/steps/first_hook.cuh>
#include <gpu/steps/vote.cuh>
#include <loops/arcs.hpp>
#include <loops/row_sample.hpp>

namespace copse::fast {

/// Returns true in the last block that calls it. That block sees everything that the other blocks stored before.
__device__ inline bool last_block(unsigned* done) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(done, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  return last;
}

inline constexpr float least_coverage = .25f;  ///< share of the votes that a giant needs; with fewer no vertex is skipped
inline constexpr float sure_coverage = .65f;   ///< a tree with this share of the votes is the giant, without further tests
/// The finish makes and reads one bit for each small vertex (giant_marks) if at least this share of the voters have a small parent, below
/// most_marked, that is not the giant's root.
inline constexpr float mostly_marked = .9f;
// If at least the share mostly_closed of the voters have their last arc inside their tree, all arcs are checked. Shares measured after the
// second hook: cliques 1, giants of random edges .87, sparse geometric graphs .85 to .92. Graphs whose trees become a giant by one more arc
// per vertex have less: geometric ones with 16 neighbours .80, lattices .57 to .71. With many arcs per vertex, of which a giant would spare
// most, the share has to be nearly_closed; if it is smaller, some more arcs are united, and there is another vote.
inline constexpr float mostly_closed = .82f, nearly_closed = .985f;
/// Share of the voters outside the largest tree whose last arc is inside their own tree. If the share is smaller, the largest tree is taken
/// as the giant, because arcs of the other trees lead to it.
inline constexpr float closed_beside_giant = .45f;
/// Of the voters with at least two smaller neighbours, the share whose row is nested in that of the first neighbour (nested_in_first). From
/// this share on, the check compares rows first, so that it loads fewer parents.
inline constexpr float mostly_nested = .75f;
inline constexpr unsigned compared_arcs = 4;  ///< most targets of a voter's row that nested_in_first() compares

/// True if the smaller neighbours of v, except the first, are also the first neighbours of that first neighbour, in the same order, as in a
/// clique. Compares at most compared_arcs of them. False if the first neighbour is not smaller. The row of v is [first, last).
/// Precondition: it has at least two arcs.
template <class Id>
__device__ bool nested_in_first(const backend::any_rows<Id>& rows, Id v, std::uint64_t first, std::uint64_t last) {
  const Id neighbour = rows.targets[first];
  if (neighbour >= v) return false;
  const std::uint64_t there = rows.offsets[neighbour], end = rows.offsets[std::size_t{neighbour} + 1];
  bool same = true;
  for (unsigned k = 1; k <= compared_arcs && first + k < last; ++k) {
    const Id target = rows.targets[first + k];
    if (target >= v) break;
    same = same && there + k - 1 < end && rows.targets[there + k - 1] == target;
  }
  return same;
}

/// True if all of the `blocks` blocks that the calling block waits for have called tell_done(). All threads of the block call it.
__device__ inline bool all_done(const unsigned* done, unsigned blocks) {
  __shared__ bool all;
  __syncthreads();
  if (threadIdx.x == 0) {
    all = *static_cast<const volatile unsigned*>(done) == blocks;
    __threadfence();
  }
  __syncthreads();
  return all;
}
/// Counts the calling block as done. A block that waits by all_done() sees everything that this block's threads stored before.
__device__ inline void tell_done(unsigned* done) {
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence();
  atomicAdd(done, 1u);
}

/// The argument `ready` of a vote that need not wait.
struct at_once {
  __device__ bool operator()() const { return true; }
};

/// Counts the trees that the hooks left; valid once the hooks are done.
struct tree_counts {
  const unsigned *gathered, *linked;
  [[nodiscard]] __device__ unsigned left() const {
    return *static_cast<const volatile unsigned*>(gathered) - *static_cast<const volatile unsigned*>(linked);
  }
};

// Before another vote, one of every `spacing` tiles (groups of consecutive vertices) is topped up: all its vertices unite along their last
// arcs. `spacing` is such that arcs_a_tree of these arcs per tree lead out of their tree. If there are several giants, the spacing is as
// wide as possible, because the only question is whether any arc leads from one to another.
inline constexpr float arcs_a_tree = 2;
inline constexpr unsigned least_spacing = 4, most_spacing = 32;
// So many vertices unite at least, which limits the spacing: a kernel for fewer vertices would take as long.
inline constexpr std::size_t spaced_vertices = std::size_t{1} << 19;

__device__ inline unsigned widest_spacing(std::size_t n) {
  const std::size_t widest = n / spaced_vertices;
  return widest <= least_spacing ? least_spacing : widest >= most_spacing ? most_spacing : static_cast<unsigned>(widest);
}
/// Returns `spacing`: before another vote, the vertices of one of every `spacing` tiles (groups of consecutive vertices) unite along their
/// last arcs. `all`: number of voters among the `threads` threads of a block. `closed`: number of voters whose last arc is inside their
/// tree. `trees`: number of trees.
__device__ inline unsigned spacing_of(std::size_t n, int threads, int all, int closed, unsigned trees) {
  const float leading_out = static_cast<float>(n) * static_cast<float>(all - closed) / static_cast<float>(threads);
  const float wanted = leading_out / (arcs_a_tree * static_cast<float>(trees));
  return wanted >= most_spacing ? widest_spacing(n) : max(least_spacing, min(static_cast<unsigned>(wanted), widest_spacing(n)));
}

template <class Id>
__device__ bool has_few_arcs(const backend::any_rows<Id>& rows) {
  return rows.arcs <= std::uint64_t{few_to_check} * rows.vertices();
}

/// Decides by which check all arcs are checked, check or compare_rows, from the rows of the voters, the random vertices that the threads of
/// the block have drawn. `asked`: the calling thread's voter, whose arcs are [first, last). All threads of the block call it.
template <class Id>
__device__ course way_to_check(const backend::any_rows<Id>& rows, Id asked, std::uint64_t first, std::uint64_t last) {
  const bool has_more = rows.sorted && last - first > 1 && rows.targets[first + 1] < asked;
  const int with_more = __syncthreads_count(has_more);
  const int nested = __syncthreads_count(has_more && nested_in_first(rows, asked, first, last));
  const bool mostly = with_more != 0 && static_cast<float>(nested) >= mostly_nested * static_cast<float>(with_more);
  return mostly ? course::compare_rows : course::check;
}

// With more arcs per vertex than this, foreseen() is not called: the second hook, which it may save, costs little compared with the arcs.
inline constexpr unsigned foreseen_arcs = 32;
/// Foresees how the solve should go on after the first hook, while that still runs, from what a sample of the rows shows. Returns
/// skip_giant with no_vertex as the giant if nothing can be foreseen: the second hook runs, and then decide() counts the roots of sampled
/// vertices. All threads of the block call it.
template <class Id>
__device__ decision<Id> foreseen(const backend::any_rows<Id>& rows, random_stream random, const backend::row_sample& sample) {
  const auto [next, spacing] = planned_after_first_hook(shape_of(rows.vertices(), rows.arcs, rows.sorted, sample));
  if (next != course::check) return {no_vertex<Id>, next, spacing};
  const Id asked = static_cast<Id>(random.below(threadIdx.x, rows.vertices()));
  return {no_vertex<Id>, way_to_check(rows, asked, rows.offsets[asked], rows.offsets[std::size_t{asked} + 1])};
}

/// Decides how the solve goes on. Each thread of a block of `Threads` votes for the root of a random vertex, if that has arcs. The most
/// frequent root wins, or the smallest of several such roots. All threads get the same answer. `trees`: the number of trees; null in the
/// last vote, which cannot ask for another. Until ready() returns true, which it does in all threads at once, voters only climb their
/// paths: the first `Patience` steps by loads that may be stale, the others by loads that see recent hooks. Votes are counted when seven in
/// eight voters have reached their roots; all threads would otherwise wait for the longest paths. Precondition: n > 0.
template <unsigned Threads, unsigned Patience, class P, class Ready = at_once>
__device__ decision<typename P::id> decide(const backend::any_rows<typename P::id>& rows, P p, random_stream random,
                                           const tree_counts* trees, Ready ready = {}) {
  using id = typename P::id;
  using ballot = backend::ballot<Threads>;
  constexpr unsigned steps_a_look = 4;
  __shared__ ballot box;
  box.begin();
  const id asked = static_cast<id>(random.below(threadIdx.x, rows.vertices()));
  const std::uint64_t arcs = rows.degree(asked);
  id root = asked;
  const int most_late = __syncthreads_count(arcs != 0) / 8;
  const bool may_mark = rows.vertices() >= least_to_mark;
  const id parent = may_mark ? p.load(asked) : asked;
  bool counts = false, there;
  unsigned patience = Patience;
  do {
    counts = counts || ready();
    there = arcs == 0;
    for (unsigned step = 0; step < steps_a_look && !there; ++step) {
      if (patience != 0) {
        --patience;
        const id above = p.load(root);
        there = above == root;
        root = above;
      } else {
        there = halves_to_root(p, root);
      }
    }
  } while (__syncthreads_count(!there) > most_late || !counts);
  const id label = arcs == 0 || !there ? ballot::nobody : root;
  const int all = __syncthreads_count(label != ballot::nobody);
  box.put(label);
  const auto [winner, votes] = box.end();
  if (all == 0) return {ballot::nobody, course::check};  // hardly any vertex has arcs
  const auto are = [](int some, float share, int of) { return static_cast<float>(some) >= share * static_cast<float>(of); };
  const auto may_have_mark = [&] { return label != ballot::nobody && parent < most_marked && parent != winner; };
  const bool marks = may_mark && are(__syncthreads_count(may_have_mark()), mostly_marked, all);
  if (are(static_cast<int>(votes), sure_coverage, all)) return {winner, course::skip_giant, 1, marks};
  const bool wins = are(static_cast<int>(votes), least_coverage, all);

  const std::uint64_t first = rows.offsets[asked], last = first + arcs;
  const bool voted = label != ballot::nobody;
  id other = voted ? rows.targets[last - 1] : root;
  there = !voted;
  do {
    for (unsigned step = 0; step < steps_a_look && !there; ++step) there = halves_to_root(p, other);
  } while (__syncthreads_count(!there) > most_late);
  const int closed = __syncthreads_count(voted && there && other == root);
  const bool may_top_up = trees != nullptr;
  if (wins && may_top_up) {
    const bool outside = voted && root != winner;
    const int others = __syncthreads_count(outside), closed_others = __syncthreads_count(outside && there && other == root);
    // The last arcs of the rows of sampled vertices in other trees hardly ever lead out of these trees. So the trees are components already
    // (several giants), or the giant has yet to form.
    if (are(closed_others, closed_beside_giant, others)) {
      return {ballot::nobody, course::top_up, widest_spacing(rows.vertices())};
    }
    return {winner, course::skip_giant, 1, marks};
  }
  const bool may_spare = may_top_up && !has_few_arcs(rows);
  if (are(closed, may_spare ? nearly_closed : mostly_closed, all)) return {ballot::nobody, way_to_check(rows, asked, first, last)};
  if (wins) return {winner, course::skip_giant};
  if (!may_top_up) return {ballot::nobody, course::check};
  return {ballot::nobody, course::top_up, spacing_of(rows.vertices(), Threads, all, closed, trees->left())};
}

}  // namespace copse::fast
