// Bridges and articulation points from a spanning forest and its Euler tour (Tarjan and Vishkin, An efficient parallel biconnectivity
// algorithm, SIAM J. Comput. 1985), in the form that needs no graph of edges (Dong, Wang, Gu and Sun, Provably fast and space-efficient
// parallel biconnectivity, PPoPP 2023). Vertices are their places in preorder, so that a subtree is a range and parents come first.
//
// An edge that is not of the forest offers each of its ends the place of the other. Let low and high be the least and the greatest place
// that any vertex of a subtree was offered, its own included. The forest's edge above p is a bridge exactly if low and high are in p's own
// subtree.
//
// Two edges of the forest are in one biconnected component if a cycle has both. So each vertex but a root represents the edge above it, and
// is united with
//   - its parent, when its subtree reaches beyond that of the parent;
//   - the other end of an edge between two subtrees, of which neither holds the other.
// The first joins vertices along the forest, without a search, and makes most of the sets. Then only edges with an end outside the largest
// set can join anything, so that the rows of its vertices are not read again.
//
// Unions hang larger places below smaller: the root of a set is the topmost of its vertices, and the parent of that, the head, is the one
// vertex of the component that represents no edge of it. A vertex is an articulation point if it is the head of a component and is in
// another, or is the head of two.
//
// Memory order: relaxed everywhere; loops end before what they wrote is read.
#pragma once
#include <copse/extend/rules/find/halve.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <copse/memory.hpp>
#include <copse/rooted_forest.hpp>
#include <copse/types.hpp>
#include <copse/views.hpp>
#include <core/new_pages.hpp>
#include <drivers/bridges/found_cuts.hpp>
#include <drivers/bridges/spread_upwards.hpp>
#include <drivers/rooting/ascending.hpp>
#include <loops/flatten.hpp>
#include <sample/giant.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace copse::drivers {

/// Calls f(u, v, position) for every edge except loops, concurrently. For rows it visits all arcs.
template <class Loops, class View, class F>
void for_each_edge(const Loops& loops, const View& g, F f) {
  using id = typename View::id_type;
  if constexpr (requires { g.offsets; }) {
    loops.for_row_pieces(g, [f, targets = g.targets.data()](id u, auto first, auto last) {
      for (auto a = first; a < last; ++a) {
        if (const id v = targets[a]; u != v) f(u, v, std::uint64_t{a});
      }
    });
  } else {
    loops.for_blocks(g.edges.size(), [f, edges = g.edges.data()](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if (edges[i].u != edges[i].v) f(edges[i].u, edges[i].v, std::uint64_t{i});
      }
    });
  }
}

/// One search for bridges, step by step, so that each step can be timed.
template <class Loops, unsigned_index Id>
class cuts {
public:
  /// Keeps references to `loops` and `tour`. `memory` is used until the search ends.
  cuts(const Loops& loops, const forest_tour::arrays<Id>& tour, std::pmr::memory_resource* memory)
      : loops_{loops}, tour_{tour}, memory_{memory}, n_{tour.order.size()}, tags_{n_, memory}, sets_{n_, memory}, leaves_{n_, memory} {}
  cuts(const cuts&) = delete;

  /// Reads all edges once, and notes for each place in preorder the smallest and the largest place that its edges outside the forest lead
  /// to (low and high). Returns how many edges repeat an edge of the forest.
  template <class View>
  std::uint64_t look_at_edges(const View& g, bool simple) {
    if constexpr (requires { g.offsets; }) {
      if (g.symmetric == symmetry::yes) return look_at_rows(g, simple);
    }
    if constexpr (requires { g.offsets; }) {
      crosses_ = buffer<bool>{g.targets.size(), memory_};
    } else {
      crosses_ = buffer<bool>{g.edges.size(), memory_};
    }
    loops_.clear(crosses_.data(), crosses_.size());
    positions_ = buffer<std::uint64_t>{n_, memory_};
    loops_.for_each(n_, [this](std::size_t v) {
      describe(static_cast<Id>(v), {tour_.preorder[v], tour_.preorder[v]});
      positions_[v] = no_position;
    });
    std::atomic<std::uint64_t> repeats{0};
    for_each_edge(loops_, g, [this, &repeats, simple](Id u, Id v, std::uint64_t at) {
      Id a = tour_.preorder[u], b = tour_.preorder[v];
      if (a > b) std::swap(a, b);
      if (tags_[b].parent == a) {
        if (lower(positions_[b], at) == no_position) return;
        repeats.fetch_add(1, std::memory_order_relaxed);
        if (simple) return;
      }
      lower(tags_[b].offered.low, a);
      crosses_[at] = b >= tags_[a].end;
      if (crosses_[at]) raise(tags_[a].offered.high, b);
    });
    return repeats.load(std::memory_order_relaxed);
  }

  /// Replaces low and high of every place, the smallest and the largest place that edges lead to, by the extremes over its subtree. Called
  /// after look_at_edges().
  void spread() {
    const auto wider = [](reach a, reach b) { return reach{std::min(a.low, b.low), std::max(a.high, b.high)}; };
    spread_upwards(
        loops_, n_, [this](std::size_t p) -> reach& { return tags_[p].offered; }, [this](std::size_t p) { return tags_[p].parent; },
        [this](std::size_t p) { return tags_[p].end; }, wider, memory_);
  }

  /// Makes the biconnected components. Called after spread().
  template <class View>
  void unite_edges(const View& g) {
    if (n_ == 0) return;
    join_upwards([this](std::size_t p) {
      const Id above = parent(p);
      return !is_root(above) && (tags_[p].offered.low < above || tags_[p].offered.high >= tags_[above].end);
    });
    bool by_rows = false;
    if constexpr (requires { g.offsets; }) {
      by_rows = g.symmetric == symmetry::yes;
      if (by_rows) unite_across_rows(g);
    }
    if (!by_rows) {
      for_each_edge(loops_, g, [this](Id u, Id v, std::uint64_t at) {
        if (crosses_[at]) unite::async<find::halve>{}(accessor(), tour_.preorder[u], tour_.preorder[v]);
      });
    }
    // This flatten does not halve paths: halving would store former ancestors at places of other threads, which may be flat by then.
    backend::flatten(loops_, accessor(), static_cast<Id>(n_));
  }

  /// Returns what the search found, with its arrays from `memory`; the caller sets the members `components` and `repeats` (the number of
  /// edges that repeat an edge of the forest). Called after unite_edges(). `labels`: the root of every vertex.
  template <class View>
  found_cuts<Id> answer(const View& g, std::span<const Id> labels, bool with_blocks, std::pmr::memory_resource* memory) {
    found_cuts<Id> found{n_, loops_.threads(), memory};
    list_bridges(g, labels, found, memory);
    find_blocks(with_blocks, found, memory);
    label_components(found.labels);
    return found;
  }

private:
  static constexpr std::uint64_t no_position = ~std::uint64_t{0};
  using accessor_type = typename Loops::template parents<Id>;
  struct reach {
    Id low, high;
  };
  struct tag {
    Id parent, end;  ///< places: that of the parent, and the end of the own subtree
    reach offered;
  };

  [[nodiscard]] accessor_type accessor() noexcept { return accessor_type{sets_.data()}; }
  [[nodiscard]] Id parent(std::size_t p) const noexcept { return tags_[p].parent; }
  [[nodiscard]] bool is_root(std::size_t p) const noexcept { return parent(p) == p; }
  [[nodiscard]] bool is_bridge(std::size_t p) const noexcept {
    return !is_root(p) && tags_[p].offered.low == p && tags_[p].offered.high < tags_[p].end;
  }

  void describe(Id v, reach own) noexcept {
    const Id p = tour_.preorder[v];
    tags_[p] = {tour_.preorder[tour_.parents[v]], static_cast<Id>(p + tour_.sizes[v]), own};
    leaves_[v] = own.low < p || own.high >= tags_[p].end;
  }

  /// A summary of the arcs of a row: the number of arcs to the parent, and the smallest and the largest place in preorder among the vertex
  /// itself and the targets of its other arcs.
  struct row_summary {
    reach offered;
    std::uint64_t to_parent = 0;
  };
  template <class View>
  row_summary summarise_arcs(const View& g, Id v, std::size_t first, std::size_t last) const noexcept {
    const Id parent = tour_.parents[v], own = tour_.preorder[v];
    const Id* const preorder = tour_.preorder.data();
    row_summary row{{own, own}};
    for (std::size_t arc = first; arc < last; ++arc) {
      const Id target = g.targets[arc];
      if (target == parent) {
        ++row.to_parent;
        continue;
      }
      const Id place = preorder[target];
      row.offered = {std::min(row.offered.low, place), std::max(row.offered.high, place)};
    }
    return row;
  }

  /// Does the work of look_at_edges() for symmetric rows: reads all arcs, and notes how low and high those of each vertex lead. Each vertex
  /// reads its own row, so no two threads write to the same place.
  template <class View>
  std::uint64_t look_at_rows(const View& g, bool simple) {
    constexpr std::size_t long_row = std::size_t{1} << 18;  // arcs; a row this long is read by all threads
    std::atomic<std::uint64_t> repeats{0};
    const auto take = [this, &repeats, simple](Id v, row_summary row) {
      if (tour_.parents[v] == v) row.to_parent = 0;  // v is a root, its own parent, so these arcs are loops
      if (row.to_parent > 1) {
        repeats.fetch_add(row.to_parent - 1, std::memory_order_relaxed);
        if (!simple) row.offered.low = std::min(row.offered.low, tour_.preorder[tour_.parents[v]]);
      }
      describe(v, row.offered);
    };
    std::vector<Id> long_rows;
    std::mutex guards_long_rows;
    // A row may come in several pieces, of which the one with its first arc handles the whole row. An empty row has one piece without
    // arcs.
    loops_.for_row_pieces(g, [&, take](Id v, auto first, auto last) {
      const auto end = g.offsets[v + 1];
      if (first != g.offsets[v] || (first == last && first != end)) return;
      if (end - first < long_row) {
        take(v, summarise_arcs(g, v, first, end));
      } else {
        const std::scoped_lock lock{guards_long_rows};
        long_rows.push_back(v);
      }
    });
    for (const Id v : long_rows) {
      row_summary row{{tour_.preorder[v], tour_.preorder[v]}};
      const std::size_t begins = g.offsets[v];
      loops_.for_blocks(g.offsets[v + 1] - begins, [&, begins](std::size_t begin, std::size_t end) {
        const row_summary part = summarise_arcs(g, v, begins + begin, begins + end);
        const std::scoped_lock lock{guards_long_rows};
        row.offered = {std::min(row.offered.low, part.offered.low), std::max(row.offered.high, part.offered.high)};
        row.to_parent += part.to_parent;
      });
      take(v, row);
    }
    return repeats.load(std::memory_order_relaxed);
  }

  /// Unites along the edges of symmetric rows that join two subtrees of which neither contains the other. If the forest is shallow, few
  /// vertices have been united with their parents; then the first arcs of each row make most of the largest set, so that few rows are read
  /// to the end.
  template <class View>
  void unite_across_rows(const View& g) {
    constexpr unsigned samples = 1024;
    constexpr std::size_t first_arcs = 4;
    for (const std::size_t most_arcs : {first_arcs, g.targets.size()}) {
      const Id giant = sample::most_frequent_label(
          static_cast<Id>(n_), [this](Id p) { return find::naive{}(accessor(), p); }, samples, 1);
      loops_.for_row_pieces(g, [this, giant, most_arcs, targets = g.targets.data()](Id u, auto first, auto last) {
        if (!leaves_[u]) return;
        const Id own = tour_.preorder[u];
        // The root of the largest set changes if the set is united with one of a smaller root, so it is found anew for each row.
        if (find::halve{}(accessor(), own) == find::naive{}(accessor(), giant)) return;
        const std::size_t end = first + std::min<std::size_t>(last - first, most_arcs);
        for (std::size_t arc = first; arc < end; ++arc) {
          Id a = own, b = tour_.preorder[targets[arc]];
          if (a > b) std::swap(a, b);
          if (b >= tags_[a].end) unite::async<find::halve>{}(accessor(), a, b);
        }
      });
    }
  }

  /// Joins every place p with its parent if `joins(p)`. sets_[p] then leads to the topmost place of the set of p.
  template <class Joins>
  void join_upwards(Joins joins) {
    // Each chunk is flat after one ascending pass, except for paths that lead out of the chunk; these are halved afterwards.
    const std::size_t chunk = Loops::concurrent ? std::size_t{1} << 13 : n_;
    const auto sets = sets_.data();
    loops_.for_chunks(n_, chunk, [this, joins, sets](std::size_t begin, std::size_t end) {
      for (std::size_t p = begin; p < end; ++p) {
        const Id above = parent(p);
        sets[p] = above == p || !joins(p) ? static_cast<Id>(p) : above >= begin ? sets[above] : above;
      }
    });
    if constexpr (Loops::concurrent) {
      loops_.for_chunks(n_, chunk, [this](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
          if (accessor().load(static_cast<Id>(p)) < begin) find::halve{}(accessor(), static_cast<Id>(p));
        }
      });
    }
  }

  template <class View>
  void list_bridges(const View& g, std::span<const Id> labels, found_cuts<Id>& found, std::pmr::memory_resource* memory) {
    const auto cut = ascending<Id>(
        loops_, n_, [this](std::size_t p) { return is_bridge(p); }, memory_);
    bool search = false;  // true: the positions of bridges are searched for in the rows of their smaller ends
    if constexpr (requires { g.offsets; }) {
      search = g.symmetric == symmetry::yes && g.sorted;
      if (g.symmetric == symmetry::yes && !search) find_arcs(g, cut.span());
    }
    found.bridges = touched_buffer<tree_bridge<Id>>(loops_.threads(), cut.size(), memory);
    loops_.for_each(cut.size(), [&, labels](std::size_t i) {
      const tag& above = tags_[cut[i]];
      const Id child = tour_.order[cut[i]], below = static_cast<Id>(above.end - cut[i]), whole = tour_.sizes[labels[child]];
      const Id parent = tour_.order[above.parent];
      std::uint64_t position = 0;
      if constexpr (requires { g.offsets; }) {
        if (search) {
          const auto row = g.row(std::min(parent, child));
          position = static_cast<std::uint64_t>(std::lower_bound(row.begin(), row.end(), std::max(parent, child)) - g.targets.begin());
        }
      }
      if (!search) position = positions_[cut[i]];
      found.bridges[i] = {position, parent, child, std::min(below, static_cast<Id>(whole - below))};
    });
  }

  /// Finds the positions of bridges in symmetric rows that are not sorted, by reading the rows of the smaller ends of all bridges.
  template <class View>
  void find_arcs(const View& g, std::span<const Id> cut) {
    positions_ = buffer<std::uint64_t>{n_, memory_};
    buffer<bool> is_smaller_end{n_, memory_};
    loops_.clear(is_smaller_end.data(), n_);
    loops_.for_each(cut.size(), [this, &is_smaller_end, cut](std::size_t i) {
      positions_[cut[i]] = no_position;
      const Id v = std::min(tour_.order[cut[i]], tour_.order[parent(cut[i])]);
      std::atomic_ref<bool>{is_smaller_end[v]}.store(true, std::memory_order_relaxed);
    });
    loops_.for_row_pieces(g, [this, &is_smaller_end, targets = g.targets.data()](Id u, auto first, auto last) {
      if (!is_smaller_end[u]) return;
      const Id a = tour_.preorder[u];
      for (auto arc = first; arc < last; ++arc) {
        if (targets[arc] <= u) continue;
        const Id b = tour_.preorder[targets[arc]], below = parent(a) == b ? a : b;
        if ((below == a || parent(b) == a) && is_bridge(below)) lower(positions_[below], std::uint64_t{arc});
      }
    });
  }

  void find_blocks(bool listed, found_cuts<Id>& found, std::pmr::memory_resource* memory) {
    const auto tops = ascending<Id>(
        loops_, n_, [this](std::size_t p) { return sets_[p] == p && !is_root(p); }, memory_);
    found.blocks = tops.size();
    loops_.clear(found.points.data(), n_);
    const auto points = found.points.span();
    loops_.for_each(tops.size(), [this, points, &tops](std::size_t i) {
      const Id head = parent(tops[i]);
      const std::atomic_ref<unsigned char> mark{points[tour_.order[head]]};
      // A root is an articulation point only if it is the head of two blocks; the mark 2 says that it is the head of one so far.
      if (!is_root(head)) {
        mark.store(1, std::memory_order_relaxed);
      } else if (unsigned char none = 0; !mark.compare_exchange_strong(none, 2, std::memory_order_relaxed)) {
        mark.store(1, std::memory_order_relaxed);
      }
    });
    loops_.for_each(n_, [points](std::size_t v) { points[v] &= 1; });
    if (!listed) return;
    const auto named_tops = ascending<Id>(
        loops_, n_, [this](std::size_t p) { return sets_[p] == p && !is_root(p) && !is_bridge(p); }, memory_);
    found.named = name_blocks<Loops, Id>(
        loops_, tour_.order.span(), named_tops.span(), [this](std::size_t p) { return parent(p); },
        [this](std::size_t p) { return is_bridge(p) ? no_vertex<Id> : sets_[p]; }, memory);
  }

  /// Labels every vertex with the smallest vertex of its two-edge-connected component, which is a component of the forest without its
  /// bridges. Overwrites sets_, which held the biconnected components.
  void label_components(buffer<Id>& labels) {
    join_upwards([this](std::size_t p) { return !is_bridge(p); });
    if constexpr (Loops::concurrent) backend::flatten(loops_, accessor(), static_cast<Id>(n_));
    // The smallest vertex of each set, at the set's topmost place.
    buffer<Id> least{n_, memory_};
    loops_.for_each(n_, [&](std::size_t p) { least[p] = tour_.order[p]; });
    loops_.for_each(n_, [&](std::size_t p) {
      if (sets_[p] != p) lower(least[sets_[p]], tour_.order[p]);
    });
    loops_.for_each(n_, [&](std::size_t p) { labels[tour_.order[p]] = least[sets_[p]]; });
  }

  /// lower() and raise() replace a word by `value` if that is smaller or larger, and return its previous value.
  template <class Word>
  static Word lower(Word& word, Word value) noexcept {
    return change<std::less<Word>>(word, value);
  }
  template <class Word>
  static Word raise(Word& word, Word value) noexcept {
    return change<std::greater<Word>>(word, value);
  }
  template <class Better, class Word>
  static Word change(Word& word, Word value) noexcept {
    if constexpr (Loops::concurrent) {
      const std::atomic_ref<Word> shared{word};
      Word seen = shared.load(std::memory_order_relaxed);
      while (Better{}(value, seen) && !shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
      }
      return seen;
    } else {
      const Word seen = word;
      if (Better{}(value, seen)) word = value;
      return seen;
    }
  }

  const Loops& loops_;
  const forest_tour::arrays<Id>& tour_;
  std::pmr::memory_resource* memory_;
  std::size_t n_;
  buffer<tag> tags_;      ///< by place in preorder: the parent, the end of the subtree, and how far edges lead
  buffer<Id> sets_;       ///< a union-find structure over places in preorder
  buffer<bool> leaves_;   ///< by vertex: true if an edge outside the forest leaves its subtree; symmetric rows only
  buffer<bool> crosses_;  ///< by position: true if the edge joins subtrees of which neither holds the other; not for symmetric rows
  buffer<std::uint64_t> positions_;  ///< by place: position of the edge above it; unused if rows are sorted, as it is then searched for
};

}  // namespace copse::drivers
