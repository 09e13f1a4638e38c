// The steps of merge_tree.hpp, each for one element of a loop, as they run on a CPU and on a GPU. `Words` has the accesses that threads
// share: load, store and lower (a minimum).
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/types.hpp>

#include <cstddef>

namespace copse::weighted::joining {

template <unsigned_index Id>
inline constexpr Id none = static_cast<Id>(~Id{0});

/// Edges between the trees of a level, which is one round of contraction.
template <unsigned_index Id>
struct edges_view {
  Id *u, *v;  ///< the trees at the two ends of each edge
  Id* at;     ///< the position of each edge in the order of all merges
};

/// Begins the first level, which is the whole forest with its vertices as trees: edge i has position i among all edges.
template <unsigned_index Id>
struct number_edges {
  Id* at;
  COPSE_HOST_DEVICE void operator()(std::size_t i) const { at[i] = static_cast<Id>(i); }
};
/// Begins the first level: each vertex is a tree of one vertex, which is its smallest vertex.
template <unsigned_index Id>
struct name_vertices {
  Id *smallest, *totals;
  COPSE_HOST_DEVICE void operator()(std::size_t v) const {
    smallest[v] = static_cast<Id>(v);
    totals[v] = 1;
  }
};

/// Lowers the element of `firsts` of each of the two trees at edge k to the position of this edge: after all edges, it is the first edge at
/// the tree.
template <class Words, unsigned_index Id>
struct offer_first {
  edges_view<Id> edges;
  Id* firsts;
  COPSE_HOST_DEVICE void operator()(std::size_t k) const {
    Words::lower(firsts[edges.u[k]], edges.at[k]);
    Words::lower(firsts[edges.v[k]], edges.at[k]);
  }
};

/// Finds the first edge of each tree by plain loads and stores, whose cache misses overlap. Passes are repeated until one changes nothing:
/// if two threads store to the same word, the later edge may stay until the next pass.
template <class Words, unsigned_index Id>
struct try_first {
  edges_view<Id> edges;
  Id* firsts;
  /// Stores edge k as the first edge of the trees at its ends where it comes before the stored one. Returns true if it has stored it.
  bool operator()(std::size_t k) const {
    const Id at = edges.at[k], u = edges.u[k], v = edges.v[k];
    const bool at_u = at < Words::load(firsts[u]), at_v = at < Words::load(firsts[v]);
    if (at_u) Words::store(firsts[u], at);
    if (at_v) Words::store(firsts[v], at);
    return at_u || at_v;
  }
};

template <unsigned_index Id>
struct stand_alone {
  Id* up;
  COPSE_HOST_DEVICE void operator()(std::size_t x) const { up[x] = static_cast<Id>(x); }
};
/// Which of the two trees at the ends of an edge have it as their first edge, the one that comes first in the order of merges.
struct first_of {
  static constexpr unsigned char neither = 0, u = 1, v = 2, both = 3;
};

/// Links a tree to the tree at the other end of its first edge, the one that comes first in the order of merges. Of two trees with the same
/// first edge, the one with the smaller number stays a root.
template <unsigned_index Id>
struct hang_on_first {
  edges_view<Id> edges;
  const Id* firsts;
  Id* up;
  unsigned char* kinds;  ///< for each edge, which of its trees have it as their first edge: a value of first_of
  COPSE_HOST_DEVICE void operator()(std::size_t k) const {
    const Id u = edges.u[k], v = edges.v[k];
    const bool of_u = firsts[u] == edges.at[k], of_v = firsts[v] == edges.at[k];
    if (of_u && (!of_v || u > v)) up[u] = v;
    if (of_v && (!of_u || v > u)) up[v] = u;
    kinds[k] = static_cast<unsigned char>((of_u ? first_of::u : 0) | (of_v ? first_of::v : 0));
  }
};

/// True if edge k is between two trees of the next level; false if both ends are in one tree.
struct stays {
  const unsigned char* kinds;
  COPSE_HOST_DEVICE bool operator()(std::size_t k) const { return kinds[k] == first_of::neither; }
};
struct goes {
  const unsigned char* kinds;
  COPSE_HOST_DEVICE bool operator()(std::size_t k) const { return kinds[k] != first_of::neither; }
};

template <class Words, unsigned_index Id>
struct mark_ends {
  edges_view<Id> edges;
  const Id *list, *up;
  unsigned char* marks;
  COPSE_HOST_DEVICE void operator()(std::size_t j) const {
    Words::store(marks[up[edges.u[list[j]]]], static_cast<unsigned char>(1));
    Words::store(marks[up[edges.v[list[j]]]], static_cast<unsigned char>(1));
  }
};
/// True if x is a root in `up`, so that it becomes a tree of the next level, and edges leave this tree (`wanted` is 1) or none does
/// (`wanted` is 0). `marks` is 1 for the roots of trees that edges leave.
template <unsigned_index Id>
struct is_top {
  const Id* up;
  const unsigned char* marks;
  unsigned char wanted;
  COPSE_HOST_DEVICE bool operator()(std::size_t x) const { return up[x] == x && marks[x] == wanted; }
};
template <unsigned_index Id>
struct number_tops {
  const Id* tops;
  Id first;
  Id* numbers;
  COPSE_HOST_DEVICE void operator()(std::size_t j) const { numbers[tops[j]] = first + static_cast<Id>(j); }
};
/// For tree x of a level (the trees before a round of contraction): stores the tree of the next level that contains x in above[x], and
/// lowers that tree's element of `smallest` to the smallest vertex of x. `above` numbers the trees of the next level from `base`; `numbers`
/// and `smallest` number them from 0.
template <class Words, unsigned_index Id>
struct rise {
  const Id *up, *numbers;
  Id* above;
  const Id* smallest_below;
  Id* smallest;
  Id base;
  COPSE_HOST_DEVICE void operator()(std::size_t x) const {
    const Id top = numbers[up[x]];
    above[x] = base + top;
    Words::lower(smallest[top], smallest_below[x]);
  }
};

/// For each edge, one or both of the two trees that it joins in the contraction: those that no earlier edge, in the order of merges,
/// leaves.
template <unsigned_index Id>
struct hung_view {
  Id *one, *other;  ///< indexed by edge; `other` is none if there is only one such tree
};

/// For an edge along which a round of contraction joins two trees: stores the joined tree in `homes`, and in `hung` those of the two trees
/// that no earlier edge, in the order of merges, leaves. `edges` numbers the trees of this level from 0; `below` is the number of the first
/// one among the trees of all levels.
template <unsigned_index Id>
struct settle {
  edges_view<Id> edges;
  const unsigned char* kinds;
  const Id *list, *above;
  Id below;
  Id* homes;
  hung_view<Id> hung;
  COPSE_HOST_DEVICE void operator()(std::size_t j) const {
    const Id k = list[j], at = edges.at[k], u = edges.u[k], v = edges.v[k];
    homes[at] = above[u];
    hung.one[at] = below + (kinds[k] == first_of::v ? v : u);
    hung.other[at] = kinds[k] == first_of::both && u != v ? below + v : none<Id>;
  }
};
template <unsigned_index Id>
struct renew {
  edges_view<Id> edges;
  const Id *list, *above;
  Id base;
  edges_view<Id> to;
  COPSE_HOST_DEVICE void operator()(std::size_t j) const {
    const Id k = list[j];
    to.u[j] = above[edges.u[k]] - base;
    to.v[j] = above[edges.v[k]] - base;
    to.at[j] = edges.at[k];
  }
};

/// Finds the chain of an edge. A chain is a sequence of merges, each of which extends the cluster of the one before. The first edge of a
/// tree is the first one in the order of merges that leaves it. A chain is named by the smallest tree of the contraction that contains its
/// edges and whose first edge comes later than they do, or that no edge leaves.
template <unsigned_index Id>
struct find_chain {
  const Id *firsts, *above;
  Id* chains;  ///< before: the smallest tree that contains each edge; after: the tree that names its chain
  COPSE_HOST_DEVICE void operator()(std::size_t i) const {
    Id tree = chains[i];
    while (firsts[tree] < i) tree = above[tree];
    chains[i] = tree;
  }
};

/// Finds the last merge of each chain, a sequence of merges in which each extends the cluster of the one before. `order`: edges sorted by
/// chain, and inside a chain in the order of merges.
template <unsigned_index Id>
struct note_last {
  const Id *order, *chains;
  Id edges;
  Id* last_merges;  ///< per tree: the last merge of the chain that it names (see find_chain); none if it names no chain
  COPSE_HOST_DEVICE void operator()(std::size_t j) const {
    const Id i = order[j];
    if (j + 1 == edges || chains[order[j + 1]] != chains[i]) last_merges[chains[i]] = i;
  }
};
/// Finds the two clusters that edge i merges. Each tree in `hung` (one or both of the trees at the ends of the edge, those that no earlier
/// edge leaves) gives one: the cluster that the last merge in the chain of the tree made (find_chain), or the vertex, if the tree is one.
/// If `hung` has one tree, the other cluster is the one that the merge before i in the chain of i made.
template <unsigned_index Id>
struct find_clusters {
  const Id *order, *chains, *last_merges;
  hung_view<Id> hung;  ///< before: for each edge the trees that no earlier edge leaves; after: the clusters that it merges
  Id vertices;
  COPSE_HOST_DEVICE Id cluster(Id tree) const { return tree < vertices ? tree : vertices + last_merges[tree]; }
  COPSE_HOST_DEVICE void operator()(std::size_t j) const {
    const Id i = order[j], other = hung.other[i];
    hung.one[i] = cluster(hung.one[i]);
    hung.other[i] = other == none<Id> ? vertices + order[j - 1] : cluster(other);
  }
};

/// Computes how many vertices edge i adds to the cluster that the merges of its chain extend one after the other (find_chain): the sizes of
/// the clusters of the trees in `hung`, which are the one or two trees at its ends that no earlier edge leaves.
template <unsigned_index Id>
struct line_up {
  const Id *order, *totals;
  hung_view<Id> hung;
  Id* sums;
  COPSE_HOST_DEVICE void operator()(std::size_t j) const {
    const Id i = order[j], other = hung.other[i];
    sums[j] = totals[hung.one[i]] + (other == none<Id> ? 0 : totals[other]);
  }
};
/// Stores the prefix sum before the first merge of each chain, a sequence of merges that extend one cluster. `sums` are prefix sums, over
/// the merges of all chains of a level, of the vertices that each merge adds to its cluster. So a sum minus the sum before its chain is the
/// size of the cluster after the merge, even if the sums wrap around.
template <unsigned_index Id>
struct note_begin {
  const Id *order, *chains, *sums;
  Id* begins;  ///< by the tree that names a chain (see find_chain): the prefix sum before the chain's first merge
  COPSE_HOST_DEVICE void operator()(std::size_t j) const {
    const Id chain = chains[order[j]];
    if (j == 0) {
      begins[chain] = 0;
    } else if (chains[order[j - 1]] != chain) {
      begins[chain] = sums[j - 1];
    }
  }
};
template <unsigned_index Id>
struct note_size {
  const Id *order, *chains, *sums, *begins;
  std::size_t edges;
  Id *sizes, *totals;
  COPSE_HOST_DEVICE void operator()(std::size_t j) const {
    const Id i = order[j], chain = chains[i], size = sums[j] - begins[chain];
    sizes[i] = size;
    if (j + 1 == edges || chains[order[j + 1]] != chain) totals[chain] = size;
  }
};

template <unsigned_index Id>
struct size_of_child {
  const Id *clusters, *sizes;
  Id vertices;
  Id* to;
  COPSE_HOST_DEVICE void operator()(std::size_t i) const { to[i] = clusters[i] < vertices ? Id{1} : sizes[clusters[i] - vertices]; }
};

template <class Merge, unsigned_index Id>
struct write_merge {
  const Id *first, *second, *sizes;
  const double* heights;
  Merge* merges;
  COPSE_HOST_DEVICE void operator()(std::size_t i) const {
    const Id a = first[i], b = second[i];
    merges[i] = {static_cast<double>(a < b ? a : b), static_cast<double>(a < b ? b : a), heights[i], static_cast<double>(sizes[i])};
  }
};

/// Stores the number of a component in `by_vertex` at the index of its smallest vertex, so that components can be listed in the order of
/// these vertices. A component is a tree of the contraction that no edge leaves: `tree` is the first such tree of a level, and tree + j the
/// j-th.
template <unsigned_index Id>
struct name_component {
  const Id* smallest;
  Id tree;
  Id* by_vertex;  ///< an element per vertex, which the caller has set to none; it stays none unless the vertex is a component's smallest
  COPSE_HOST_DEVICE void operator()(std::size_t j) const { by_vertex[smallest[tree + j]] = tree + static_cast<Id>(j); }
};
template <unsigned_index Id>
struct names_component {
  const Id* by_vertex;
  COPSE_HOST_DEVICE bool operator()(std::size_t v) const { return by_vertex[v] != none<Id>; }
};
template <unsigned_index Id>
struct size_component {
  const Id *components, *by_vertex, *last_merges, *sizes;
  Id vertices;
  Id *clusters, *sums;
  COPSE_HOST_DEVICE void operator()(std::size_t c) const {
    const Id v = components[c], last = last_merges[by_vertex[v]];
    clusters[c] = last == none<Id> ? v : vertices + last;
    sums[c] = last == none<Id> ? Id{1} : sizes[last];
  }
};
/// Writes merge c of components, which no edge makes: it joins component c + 1 to the cluster of the components 0 .. c. `sums`: prefix sums
/// of the sizes of components.
template <class Merge, unsigned_index Id>
struct join_component {
  const Id *clusters, *sums;
  Id before;  ///< the number of the cluster that merge 0 makes; the edges have made the clusters before it
  double height;
  Merge* merges;
  COPSE_HOST_DEVICE void operator()(std::size_t c) const {
    const Id left = c == 0 ? clusters[0] : before + static_cast<Id>(c) - 1, right = clusters[c + 1];
    merges[c] = {static_cast<double>(left < right ? left : right), static_cast<double>(left < right ? right : left), height,
                 static_cast<double>(sums[c + 1])};
  }
};

}  // namespace copse::weighted::joining
