// Single linkage from the edges of a forest, in the order in which they merge clusters, by recursive contraction (Sao, Prokopenko,
// Lebrun-Grandie, PANDORA: A Parallel Dendrogram Construction Algorithm for Single Linkage Clustering on GPU, ICPP 2024).
//
// A level joins every tree with the tree at the other end of its first edge, as a round of Boruvka's algorithm does; at most half of the
// edges stay between trees. Let f be the first edge from a tree X of a level to another tree. The merges in X before f that are in no such
// chain of a smaller tree form one chain: each joins the cluster around the earliest edge of X with a tree whose first edge it is. The
// last of them is merged next by f. So an edge climbs from the tree in which it settled to the lowest tree whose first edge comes later,
// which is its chain; edges sorted by chain give every merge the next one. A vertex is a tree, too: its first edge merges it.
//
// Sizes: an edge adds to its chain the vertices of the trees whose first edge it is. The chains of these trees are of lower levels, so
// totals are computed level by level, and prefix sums along the chains are sizes. Edges read the words of trees, and never write them: so
// there are no swaps, whose cache misses would not overlap.
//
// O(n log n) work: a level is linear in its edges, and an edge passes at most all levels; the sort is radix. The steps are loops over
// elements (steps.hpp), for a machine that has for_each, fill, ascending, group, sum_up, flatten, lower_firsts and position_of.
#pragma once
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <weighted/dendrogram/steps.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace copse::weighted {

/// The heights of merges in SciPy's linkage matrix: an edge merges at the largest weight minus its own; components join last, at `top`.
struct heights {
  double largest_weight = 0;
  double top = 0;  ///< the height at which components join
};

/// Returns what the heights of all merges of a forest are computed from: its largest weight, and the height at which components join. This
/// is `top`, by default twice the largest height, or 1 if that is 0. The largest height is that of the edge with the smallest weight:
/// largest - smallest. For a forest without edges, both weights are 0. Throws the errors of hierarchy::linkage().
inline heights heights_of(double largest, double smallest, std::optional<double> top) {
  for (const double end : {largest, smallest}) {
    if (std::isinf(end))
      throw input_error{"weights: found an infinite one, expected finite weights, as heights are differences of weights"};
  }
  const double highest = largest - smallest;
  if (top && !(*top >= highest))
    throw usage_error{"top must be the largest height, " + std::to_string(highest) + ", or more, not " + std::to_string(*top)};
  const double last = top.value_or(highest == 0 ? 1 : 2 * highest);
  if (std::isinf(highest) || std::isinf(last))
    throw input_error{
        "weights: found heights of the dendrogram above the largest double, expected smaller differences of weights, which "
        "are the heights, or a smaller top, the height at which components join"};
  return {largest, last};
}

/// True if contraction by that many threads takes less time than a sequential sweep with a union-find structure; for ids of 32 bits.
[[nodiscard]] inline bool worth_contracting(std::uint64_t vertices, unsigned threads) noexcept {
  constexpr unsigned least_threads = 4;
  return threads >= least_threads && vertices < std::uint64_t{1} << 31;
}

template <class Machine, unsigned_index Id>
class merge_tree {
  using words = typename Machine::words;
  using edges_view = joining::edges_view<Id>;
  static constexpr Id none = joining::none<Id>;

public:
  /// Contracts the edges, which are in the order of their merges. `u`, `v`: their ends. Precondition: there are fewer edges than vertices,
  /// and 2 * vertices <= none.
  merge_tree(const Machine& machine, std::size_t vertices, std::size_t edges, Id* u, Id* v)
      : machine_{machine},
        n_{vertices},
        m_{edges},
        firsts_{machine.template make<Id>(2 * n_)},
        above_{machine.template make<Id>(2 * n_)},
        smallest_{machine.template make<Id>(2 * n_)},
        totals_{machine.template make<Id>(2 * n_)},
        chains_{machine.template make<Id>(m_)},
        one_{machine.template make<Id>(m_)},
        other_{machine.template make<Id>(m_)} {
    contract(u, v);
  }

  /// Writes, for each merge, the number of vertices of both clusters together, and that of one of the two. Either this or write() may be
  /// called, once, as both overwrite the arrays of the contraction.
  void write_sizes(Id* sizes, Id* parts) {
    find_merges(sizes);
    machine_.for_each(m_, joining::size_of_child<Id>{one_.data(), sizes, static_cast<Id>(n_), parts});
  }

  /// Writes n - 1 merges; `heights`: those of the edges. Components join last, at `top`, in the order of their smallest vertices.
  template <class Merge>
  void write(const double* heights, double top, Merge* merges) {
    auto sizes = machine_.template make<Id>(m_);
    find_merges(sizes.data());
    machine_.for_each(m_, joining::write_merge<Merge, Id>{one_.data(), other_.data(), sizes.data(), heights, merges});
    if (n_ > m_ + 1) join_components(sizes.data(), top, merges + m_);
  }

private:
  /// The trees before a round of contraction, numbered [first, first + count); those from first + `finished` on have no edges any more.
  struct level {
    std::size_t first, count, finished;
  };

  void contract(Id* u, Id* v) {
    machine_.fill(firsts_.data(), 2 * n_, none);
    machine_.fill(above_.data(), 2 * n_, none);
    machine_.fill(smallest_.data() + n_, n_, none);
    machine_.fill(totals_.data() + n_, n_, Id{0});
    machine_.for_each(n_, joining::name_vertices<Id>{smallest_.data(), totals_.data()});
    auto at = machine_.template make<Id>(m_);
    machine_.for_each(m_, joining::number_edges<Id>{at.data()});
    levels_.push_back({0, n_, n_});
    edges_view edges{u, v, at.data()};
    std::size_t trees = n_, left = m_;
    buffer<Id> held;
    do {
      buffer<Id> next = contract_once(edges, trees, left);
      trees = levels_.back().finished;
      held = std::move(next);
      edges = {held.data(), held.data() + left, held.data() + 2 * left};
    } while (left != 0);
    std::size_t components = 0;
    for (const level& l : levels_) components += l.count - l.finished;
    if (components + m_ != n_) refuse_cycle();
  }
  [[noreturn]] static void refuse_cycle() { throw usage_error{"the forest must be a list of edges without a cycle"}; }

  /// Makes one round of contraction: joins each of the first `trees` trees of the last level, which are at first all vertices and later
  /// those that edges leave, along its first edge, and appends the joined trees as the next level. `left`: the number of `edges`; it
  /// becomes the number of the returned ones, which are between two trees of the next level.
  buffer<Id> contract_once(edges_view edges, std::size_t trees, std::size_t& left) {
    const level below = levels_.back();
    Id *const firsts = firsts_.data() + below.first, *const above = above_.data() + below.first;
    machine_.lower_firsts(edges, left, firsts);
    auto up = machine_.template make<Id>(trees), numbers = machine_.template make<Id>(trees), list = machine_.template make<Id>(left);
    machine_.for_each(trees, joining::stand_alone<Id>{up.data()});
    auto kinds = machine_.template make<unsigned char>(left);
    machine_.for_each(left, joining::hang_on_first<Id>{edges, firsts, up.data(), kinds.data()});
    machine_.flatten(up.data(), trees);

    const std::size_t staying = machine_.ascending(left, joining::stays{kinds.data()}, list.data()), base = below.first + below.count;
    std::size_t alive = 0, finished = 0;
    {
      auto marks = machine_.template make<unsigned char>(trees);
      auto tops = machine_.template make<Id>(trees);
      machine_.fill(marks.data(), trees, static_cast<unsigned char>(0));
      machine_.for_each(staying, joining::mark_ends<words, Id>{edges, list.data(), up.data(), marks.data()});
      alive = machine_.ascending(trees, joining::is_top<Id>{up.data(), marks.data(), 1}, tops.data());
      machine_.for_each(alive, joining::number_tops<Id>{tops.data(), 0, numbers.data()});
      finished = machine_.ascending(trees, joining::is_top<Id>{up.data(), marks.data(), 0}, tops.data());
      machine_.for_each(finished, joining::number_tops<Id>{tops.data(), static_cast<Id>(alive), numbers.data()});
    }
    // in a forest each round at least halves the number of trees that edges leave, so all levels have at most 2 n trees; an edge of a cycle
    // may have both ends in one tree, which it joins with no other
    if (base + alive + finished > 2 * n_) refuse_cycle();
    machine_.for_each(trees, joining::rise<words, Id>{up.data(), numbers.data(), above, smallest_.data() + below.first,
                                                      smallest_.data() + base, static_cast<Id>(base)});
    auto next = machine_.template make<Id>(3 * staying);
    machine_.for_each(
        staying, joining::renew<Id>{
                     edges, list.data(), above, static_cast<Id>(base), {next.data(), next.data() + staying, next.data() + 2 * staying}});
    const std::size_t going = machine_.ascending(left, joining::goes{kinds.data()}, list.data());
    machine_.for_each(going,
                      joining::settle<Id>{edges, kinds.data(), list.data(), above, static_cast<Id>(below.first), chains_.data(), hung()});
    levels_.push_back({base, alive + finished, alive});
    left = staying;
    return next;
  }

  /// Writes the two clusters of each merge to one_ and other_, and its size to `sizes`.
  void find_merges(Id* sizes) {
    auto order = machine_.template make<Id>(m_);
    machine_.for_each(m_, joining::find_chain<Id>{firsts_.data(), above_.data(), chains_.data()});
    machine_.group(chains_.data(), m_, 2 * n_, order.data());
    find_sizes(order.data(), sizes);
    Id* const last_merges = above_.data();  // reuses memory that is not needed any more
    machine_.fill(last_merges, 2 * n_, none);
    machine_.for_each(m_, joining::note_last<Id>{order.data(), chains_.data(), static_cast<Id>(m_), last_merges});
    machine_.for_each(m_, joining::find_clusters<Id>{order.data(), chains_.data(), last_merges, hung(), static_cast<Id>(n_)});
  }

  /// Computes the size of the cluster that each merge makes. `order` has the edges sorted by the tree that names their chain, a sequence of
  /// merges that extend one cluster (find_chain). Trees are numbered level by level, so the edges whose chains are named by trees of one
  /// level are contiguous.
  void find_sizes(const Id* order, Id* sizes) {
    auto sums = machine_.template make<Id>(m_), begins = machine_.template make<Id>(2 * n_);
    std::size_t first = 0;
    for (std::size_t k = 1; k < levels_.size(); ++k) {
      const std::size_t last = machine_.position_of(levels_[k].first + levels_[k].count, chains_.data(), order, m_);
      const std::size_t count = last - first;
      machine_.for_each(count, joining::line_up<Id>{order + first, totals_.data(), hung(), sums.data() + first});
      machine_.sum_up(sums.data() + first, count);
      machine_.for_each(count, joining::note_begin<Id>{order + first, chains_.data(), sums.data() + first, begins.data()});
      machine_.for_each(
          count, joining::note_size<Id>{order + first, chains_.data(), sums.data() + first, begins.data(), count, sizes, totals_.data()});
      first = last;
    }
  }
  [[nodiscard]] joining::hung_view<Id> hung() noexcept { return {one_.data(), other_.data()}; }

  template <class Merge>
  void join_components(const Id* sizes, double top, Merge* merges) {
    const std::size_t count = n_ - m_;
    Id* const by_vertex = firsts_.data();  // reuses memory that is not needed any more
    machine_.fill(by_vertex, n_, none);
    for (const level& l : levels_)
      machine_.for_each(l.count - l.finished,
                        joining::name_component<Id>{smallest_.data(), static_cast<Id>(l.first + l.finished), by_vertex});
    auto components = machine_.template make<Id>(n_), clusters = machine_.template make<Id>(count),
         sums = machine_.template make<Id>(count);
    machine_.ascending(n_, joining::names_component<Id>{by_vertex}, components.data());
    machine_.for_each(count, joining::size_component<Id>{components.data(), by_vertex, above_.data(), sizes, static_cast<Id>(n_),
                                                         clusters.data(), sums.data()});
    machine_.sum_up(sums.data(), count);
    machine_.for_each(count - 1, joining::join_component<Merge, Id>{clusters.data(), sums.data(), static_cast<Id>(n_ + m_), top, merges});
  }

  const Machine& machine_;
  std::size_t n_, m_;
  // For each tree of any level (the first level has the vertices): the first edge that leaves it, the tree of the next level that contains
  // it, its smallest vertex, and the number of vertices of the cluster that the merges of the chain that it names have made in the end
  // (find_chain).
  buffer<Id> firsts_, above_, smallest_, totals_;
  /// For each edge: first the smallest tree of the contraction that contains both of its ends, then (find_chain) the tree that names the
  /// edge's chain, a sequence of merges in which each extends the cluster of the one before.
  buffer<Id> chains_;
  buffer<Id> one_, other_;  ///< for each edge: first the trees whose first edge it is, then the clusters that it merges
  std::vector<level> levels_;
};

}  // namespace copse::weighted
