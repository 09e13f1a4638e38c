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

/// f(u, v, position) for every edge but loops, concurrently; every arc of rows is an edge.
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

/// One search, step by step, so that each can be timed.
template <class Loops, unsigned_index Id>
class cuts {
public:
  /// Takes `loops` and `tour` by reference.
  cuts(const Loops& loops, const forest_tour::arrays<Id>& tour, std::pmr::memory_resource* memory)
      : loops_{loops},
        tour_{tour},
        memory_{memory},
        n_{tour.order.size()},
        stretches_{n_, memory},
        reach_{n_, memory},
        sets_{n_, memory},
        positions_{n_, memory} {}
  cuts(const cuts&) = delete;

  /// Looks at all edges once; returns how many repeat one of the forest.
  template <class View>
  std::uint64_t look_at_edges(const View& g, bool simple) {
    if constexpr (requires { g.offsets; }) {
      if (g.symmetric == symmetry::yes) return look_at_rows(g, simple);
    }
    loops_.for_each(n_, [this](std::size_t v) { describe(static_cast<Id>(v), {tour_.preorder[v], tour_.preorder[v]}, no_position); });
    std::atomic<std::uint64_t> repeats{0};
    for_each_edge(loops_, g, [this, &repeats, simple](Id u, Id v, std::uint64_t at) {
      Id a = tour_.preorder[u], b = tour_.preorder[v];
      if (a > b) {
        std::swap(a, b);
        std::swap(u, v);
      }
      if (stretches_[b].parent == a) {
        if (lower(positions_[v], at) == no_position) return;
        repeats.fetch_add(1, std::memory_order_relaxed);
        if (simple) return;
      }
      lower(reach_[b].low, a);
      if (b >= stretches_[a].end) raise(reach_[a].high, b);
    });
    return repeats.load(std::memory_order_relaxed);
  }

  /// After look_at_edges().
  void spread() {
    const auto wider = [](reach a, reach b) { return reach{std::min(a.low, b.low), std::max(a.high, b.high)}; };
    spread_upwards(
        loops_, reach_.span(), [this](std::size_t p) { return stretches_[p].parent; }, [this](std::size_t p) { return stretches_[p].end; },
        wider, memory_);
  }

  /// After spread(): makes the biconnected components.
  template <class View>
  void unite_edges(const View& g) {
    if (n_ == 0) return;
    join_upwards([this](std::size_t p) {
      const Id above = parent(p);
      return !is_root(above) && (reach_[p].low < above || reach_[p].high >= stretches_[above].end);
    });
    constexpr unsigned samples = 1024;
    const Id giant = sample::most_frequent_label(
        static_cast<Id>(n_), [this](Id p) { return find::naive{}(accessor(), p); }, samples, 1);
    const auto unite_across = [this](Id a, Id b) {
      if (a > b) std::swap(a, b);
      if (b >= stretches_[a].end) unite::async<find::halve>{}(accessor(), a, b);
    };
    const auto visit_all = [&] {
      for_each_edge(loops_, g, [this, unite_across](Id u, Id v, std::uint64_t /*position*/) {
        const Id a = tour_.preorder[u], b = tour_.preorder[v];
        if (accessor().load(a) != accessor().load(b)) unite_across(a, b);
      });
    };
    if constexpr (requires { g.offsets; }) {
      if (g.symmetric == symmetry::yes) {
        loops_.for_row_pieces(g, [this, giant, unite_across, targets = g.targets.data()](Id u, auto first, auto last) {
          const Id a = tour_.preorder[u];
          if (accessor().load(a) == giant) return;
          for (auto arc = first; arc < last; ++arc) unite_across(a, tour_.preorder[targets[arc]]);
        });
      } else {
        visit_all();
      }
    } else {
      visit_all();
    }
    // Not by halving: that stores at places of other threads, which may be flat by then, what was above them before.
    backend::flatten(loops_, accessor(), static_cast<Id>(n_));
  }

  /// The answer, after unite_edges(); `labels`: the roots. Reads the rows for the positions of some bridges.
  template <class View>
  found_cuts<Id> answer(const View& g, std::span<const Id> labels, bool with_blocks) {
    found_cuts<Id> found{n_, memory_};
    list_bridges(g, labels, found);
    find_blocks(with_blocks, found);
    found.components = ascending<Id>(
                           loops_, n_, [this](std::size_t p) { return is_root(p); }, memory_)
                           .size();
    label_components(found.labels);
    return found;
  }

private:
  static constexpr std::uint64_t no_position = ~std::uint64_t{0};
  using accessor_type = typename Loops::template parents<Id>;
  struct stretch {
    Id parent, end;  ///< the subtree of p: the places [p, end)
  };
  struct reach {
    Id low, high;
  };

  [[nodiscard]] accessor_type accessor() noexcept { return accessor_type{sets_.data()}; }
  [[nodiscard]] Id parent(std::size_t p) const noexcept { return stretches_[p].parent; }
  [[nodiscard]] bool is_root(std::size_t p) const noexcept { return parent(p) == p; }
  [[nodiscard]] bool is_bridge(std::size_t p) const noexcept {
    return !is_root(p) && reach_[p].low == p && reach_[p].high < stretches_[p].end;
  }

  void describe(Id v, reach own, std::uint64_t position) noexcept {
    const Id p = tour_.preorder[v];
    stretches_[p] = {tour_.preorder[tour_.parents[v]], static_cast<Id>(p + tour_.sizes[v])};
    reach_[p] = own;
    positions_[v] = position;
  }

  /// What arcs of a row say, but for those to the parent, which are counted.
  struct row_summary {
    reach offered;
    std::uint64_t to_parent = 0;
    std::uint64_t first_to_parent = no_position;
  };
  template <class View>
  row_summary summarise_arcs(const View& g, Id v, std::size_t first, std::size_t last) const noexcept {
    const Id parent = tour_.parents[v], own = tour_.preorder[v];
    const Id* const preorder = tour_.preorder.data();
    row_summary row{{own, own}};
    for (std::size_t arc = first; arc < last; ++arc) {
      const Id target = g.targets[arc];
      if (target == parent) {
        row.first_to_parent = std::min<std::uint64_t>(row.first_to_parent, arc);
        ++row.to_parent;
        continue;
      }
      const Id place = preorder[target];
      row.offered = {std::min(row.offered.low, place), std::max(row.offered.high, place)};
    }
    return row;
  }

  /// Symmetric rows: each vertex reads its own, and no two threads write to one place.
  template <class View>
  std::uint64_t look_at_rows(const View& g, bool simple) {
    constexpr std::size_t long_row = std::size_t{1} << 18;  // arcs: worth all threads
    std::atomic<std::uint64_t> repeats{0};
    const auto take = [this, &repeats, simple](Id v, row_summary row) {
      if (tour_.parents[v] == v) row.to_parent = 0;  // loops
      if (row.to_parent > 1) {
        repeats.fetch_add(row.to_parent - 1, std::memory_order_relaxed);
        if (!simple) row.offered.low = std::min(row.offered.low, tour_.preorder[tour_.parents[v]]);
      }
      describe(v, row.offered, v < tour_.parents[v] ? row.first_to_parent : no_position);
    };
    std::vector<Id> long_rows;
    std::mutex guards_long_rows;
    // A row is taken as a whole with its first arc, and an empty row with no arc.
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
        row.first_to_parent = std::min(row.first_to_parent, part.first_to_parent);
      });
      take(v, row);
    }
    return repeats.load(std::memory_order_relaxed);
  }

  /// sets_[p] becomes the set that p is in when it is joined with its parent if `joins(p)`, and leads to the topmost of the set.
  template <class Joins>
  void join_upwards(Joins joins) {
    // Each chunk is flat after one ascending pass, but for what leads out of it, which is on the paths that are halved then.
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
  void list_bridges(const View& g, std::span<const Id> labels, found_cuts<Id>& found) {
    const auto cut = ascending<Id>(
        loops_, n_, [this](std::size_t p) { return is_bridge(p); }, memory_);
    if constexpr (requires { g.offsets; }) {
      if (g.symmetric == symmetry::yes) find_arcs_down(g, cut.span());
    }
    found.bridges = buffer<tree_bridge<Id>>{cut.size(), memory_};
    loops_.for_each(cut.size(), [&, labels](std::size_t i) {
      const Id child = tour_.order[cut[i]], below = tour_.sizes[child], whole = tour_.sizes[labels[child]];
      found.bridges[i] = {positions_[child], tour_.parents[child], child, std::min(below, static_cast<Id>(whole - below))};
    });
  }

  /// The positions of those bridges whose parent is the smaller end: in the parent's row.
  template <class View>
  void find_arcs_down(const View& g, std::span<const Id> cut) {
    constexpr unsigned char is_parent = 1, is_child = 2;
    buffer<unsigned char> roles{n_, memory_};
    loops_.clear(roles.data(), n_);
    const auto add = [&roles](Id v, unsigned char role) {
      const std::atomic_ref<unsigned char> all{roles[v]};
      if ((all.load(std::memory_order_relaxed) & role) == 0) all.fetch_or(role, std::memory_order_relaxed);
    };
    loops_.for_each(cut.size(), [this, add, cut](std::size_t i) {
      const Id child = tour_.order[cut[i]], above = tour_.parents[child];
      if (child < above) return;
      add(child, is_child);
      add(above, is_parent);
    });
    loops_.for_row_pieces(g, [this, &roles, targets = g.targets.data()](Id u, auto first, auto last) {
      if ((roles[u] & is_parent) == 0) return;
      for (auto arc = first; arc < last; ++arc) {
        const Id v = targets[arc];
        if ((roles[v] & is_child) != 0 && tour_.parents[v] == u) lower(positions_[v], std::uint64_t{arc});
      }
    });
  }

  void find_blocks(bool listed, found_cuts<Id>& found) {
    const auto tops = ascending<Id>(
        loops_, n_, [this](std::size_t p) { return sets_[p] == p && !is_root(p); }, memory_);
    found.blocks = tops.size();
    loops_.clear(found.points.data(), n_);
    const auto points = found.points.span();
    loops_.for_each(tops.size(), [this, points, &tops](std::size_t i) {
      const Id head = parent(tops[i]);
      const std::atomic_ref<unsigned char> mark{points[tour_.order[head]]};
      // A root waits for its second component: 2 says that it has one.
      if (!is_root(head)) {
        mark.store(1, std::memory_order_relaxed);
      } else if (unsigned char none = 0; !mark.compare_exchange_strong(none, 2, std::memory_order_relaxed)) {
        mark.store(1, std::memory_order_relaxed);
      }
    });
    loops_.for_each(n_, [points](std::size_t v) { points[v] &= 1; });
    if (!listed) return;
    found.named = name_blocks<Loops, Id>(
        loops_, tour_.order.span(), tops.span(), [this](std::size_t p) { return parent(p); }, [this](std::size_t p) { return sets_[p]; },
        memory_);
  }

  /// What the forest joins without its bridges. The sets of blocks are lost.
  void label_components(buffer<Id>& labels) {
    join_upwards([this](std::size_t p) { return !is_bridge(p); });
    if constexpr (Loops::concurrent) backend::flatten(loops_, accessor(), static_cast<Id>(n_));
    // The least vertex of each set, by the place of its topmost.
    buffer<Id> least{n_, memory_};
    loops_.for_each(n_, [&least](std::size_t p) { least[p] = no_vertex<Id>; });
    loops_.for_each(n_, [&](std::size_t v) {
      labels[v] = sets_[tour_.preorder[v]];
      lower(least[labels[v]], static_cast<Id>(v));
    });
    loops_.for_each(n_, [&](std::size_t v) { labels[v] = least[labels[v]]; });
  }

  /// Both return the value before.
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
  buffer<stretch> stretches_;
  buffer<reach> reach_;
  buffer<Id> sets_;
  buffer<std::uint64_t> positions_;  ///< by vertex: of the edge above it
};

}  // namespace copse::drivers
