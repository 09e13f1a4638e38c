// Bridges and articulation points from a spanning forest and its Euler tour (Tarjan and Vishkin, An efficient parallel biconnectivity
// algorithm, SIAM J. Comput. 1985), in the form that needs no graph of edges (Dong, Wang, Gu and Sun, Provably fast and space-efficient
// parallel biconnectivity, PPoPP 2023). Vertices are their places in preorder, so that a subtree is a range and parents come first.
//
// An edge that is not of the forest tells both its ends of the other. Let low and high be the least and the greatest place that any vertex
// of a subtree was told of, itself included. The forest's edge above p is a bridge exactly if low and high are in p's own subtree.
//
// Two edges of the forest are in one biconnected component if a cycle has both. So each vertex but a root stands for the edge above it, and
// is united with
//   - the other end of an edge between two subtrees, of which neither holds the other;
//   - its parent, when its subtree reaches beyond that of the parent.
// Unions hang larger places below smaller: the root of a set is the topmost of its vertices, and the parent of that, the head, is the one
// vertex of the component that stands for no edge of it. A vertex is an articulation point if it is the head of a component and stands in
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
#include <loops/flatten.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace copse::drivers {

// The least or the greatest of a value over every subtree, of a forest in preorder, where a subtree is a range of places.
// Places are cut into chunks. Within a chunk values go from the last place to the first, each to its parent. A subtree that reaches beyond
// its chunk takes what lies there from whole chunks (a sparse table over them) and from the beginning of one (which holds the extremes of
// all its beginnings). So it is O(n) work however deep the trees are, and chunks do not wait for one another.

/// values[p] becomes the extreme of values[p] .. values[ends[p] - 1]. `better(a, b)`: a is to be kept. parents[p] <= p, equal for roots.
template <class Loops, unsigned_index Id, class Better>
void spread_upwards(const Loops& loops, std::span<Id> values, std::span<const Id> parents, std::span<const Id> ends, Better better,
                    std::pmr::memory_resource* memory, std::size_t chunk = std::size_t{1} << 13) {
  const std::size_t n = values.size(), chunks = (n + chunk - 1) / chunk;
  const auto best = [better](Id a, Id b) { return better(b, a) ? b : a; };
  buffer<Id> beginnings{n, memory};
  std::vector<buffer<Id>> table;  // table[k][c]: of the chunks c .. c + 2^k - 1
  table.emplace_back(chunks, memory);
  loops.for_chunks(n, chunk, [&, chunk](std::size_t begin, std::size_t end) {
    Id seen = values[begin];
    for (std::size_t p = begin; p < end; ++p) beginnings[p] = seen = best(seen, values[p]);
    table[0][begin / chunk] = seen;
  });
  for (std::size_t width = 1; 2 * width <= chunks; width *= 2) {
    const buffer<Id>& narrow = table.back();
    buffer<Id> wide{chunks - 2 * width + 1, memory};
    for (std::size_t c = 0; c < wide.size(); ++c) wide[c] = best(narrow[c], narrow[c + width]);
    table.push_back(std::move(wide));
  }
  const auto whole_chunks = [&](std::size_t first, std::size_t last) {
    const auto level = static_cast<std::size_t>(std::bit_width(last - first) - 1);
    return best(table[level][first], table[level][last - (std::size_t{1} << level)]);
  };
  loops.for_chunks(n, chunk, [&, chunk](std::size_t begin, std::size_t end) {
    for (std::size_t p = end; p-- > begin;) {
      if (const std::size_t last = ends[p]; last > end) {
        const std::size_t next = end / chunk, stop = last / chunk;
        if (stop > next) values[p] = best(values[p], whole_chunks(next, stop));
        if (stop * chunk < last) values[p] = best(values[p], beginnings[last - 1]);
      }
      if (parents[p] >= begin && parents[p] != p) values[parents[p]] = best(values[parents[p]], values[p]);
    }
  });
}

/// f(u, v, position) for every edge but loops, concurrently; of symmetric rows once, from the smaller end.
template <class Loops, class View, class F>
void for_each_edge(const Loops& loops, const View& g, F f) {
  using id = typename View::id_type;
  if constexpr (requires { g.offsets; }) {
    loops.for_row_pieces(g, [f, targets = g.targets.data(), once = g.symmetric == symmetry::yes](id u, auto first, auto last) {
      for (auto a = first; a < last; ++a) {
        if (const id v = targets[a]; once ? u < v : u != v) f(u, v, std::uint64_t{a});
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
  static constexpr std::uint64_t no_position = ~std::uint64_t{0};

  /// The tour is read here and not kept, but its order and preorder are.
  cuts(const Loops& loops, const forest_tour::arrays<Id>& tour, std::pmr::memory_resource* memory)
      : loops_{loops},
        memory_{memory},
        n_{tour.order.size()},
        preorder_{tour.preorder.span()},
        parents_{n_, memory},
        ends_{n_, memory},
        low_{n_, memory},
        high_{n_, memory},
        sets_{n_, memory},
        positions_{n_, memory} {
    loops.for_each(n_, [this, &tour](std::size_t p) {
      const Id v = tour.order[p], place = static_cast<Id>(p);
      parents_[p] = tour.preorder[tour.parents[v]];
      ends_[p] = static_cast<Id>(place + tour.sizes[v]);
      low_[p] = high_[p] = sets_[p] = place;
      positions_[p] = no_position;
    });
  }
  cuts(const cuts&) = delete;

  /// Looks at all edges once; returns how many repeat one of the forest.
  template <class View>
  std::uint64_t look_at_edges(const View& g, bool simple) {
    std::atomic<std::uint64_t> repeats{0};
    for_each_edge(loops_, g, [this, &repeats, simple](Id u, Id v, std::uint64_t at) {
      Id a = preorder_[u], b = preorder_[v];
      if (a > b) std::swap(a, b);
      if (parents_[b] == a) {
        if (lower(positions_[b], at) == no_position) return;
        repeats.fetch_add(1, std::memory_order_relaxed);
        if (simple) return;
      } else if (ends_[a] <= b) {
        unite::async<find::halve>{}(accessor(), a, b);
      }
      lower(low_[b], a);
      raise(high_[a], b);
    });
    return repeats.load(std::memory_order_relaxed);
  }

  void spread() {
    const auto parents = std::as_const(parents_).span(), ends = std::as_const(ends_).span();
    spread_upwards(loops_, low_.span(), parents, ends, std::less<Id>{}, memory_);
    spread_upwards(loops_, high_.span(), parents, ends, std::greater<Id>{}, memory_);
    loops_.for_each(n_, [this](std::size_t p) {
      const Id above = parents_[p];
      if (above == p || parents_[above] == above) return;
      if (low_[p] < above || high_[p] >= ends_[above]) unite::async<find::halve>{}(accessor(), static_cast<Id>(p), above);
    });
    // Not by halving: that stores at places of other threads, which may be flat by then, what was above them before.
    backend::flatten(loops_, accessor(), static_cast<Id>(n_));
  }

  [[nodiscard]] bool is_root(std::size_t p) const noexcept { return parents_[p] == p; }
  [[nodiscard]] Id parent(std::size_t p) const noexcept { return parents_[p]; }
  /// Vertices of its subtree.
  [[nodiscard]] Id size(std::size_t p) const noexcept { return static_cast<Id>(ends_[p] - p); }
  /// Is the forest's edge above p a bridge? After spread().
  [[nodiscard]] bool is_bridge(std::size_t p) const noexcept { return !is_root(p) && low_[p] == p && high_[p] < ends_[p]; }
  [[nodiscard]] std::uint64_t position(std::size_t p) const noexcept { return positions_[p]; }
  /// The biconnected component of the edge above p, by the place of its topmost vertex but for the head. Of a root: p.
  [[nodiscard]] Id block(std::size_t p) const noexcept { return sets_[p]; }
  [[nodiscard]] bool is_block(std::size_t p) const noexcept { return !is_root(p) && sets_[p] == p; }

  /// marks[p] becomes 1 for articulation points, 0 for all others.
  void mark_articulations(std::span<unsigned char> marks) const {
    loops_.clear(marks.data(), marks.size());
    loops_.for_each(n_, [this, marks](std::size_t p) {
      if (!is_block(p)) return;
      const Id head = parents_[p];
      const std::atomic_ref<unsigned char> mark{marks[head]};
      // A root waits for its second component: 2 says that it has one.
      if (!is_root(head)) {
        mark.store(1, std::memory_order_relaxed);
      } else if (unsigned char none = 0; !mark.compare_exchange_strong(none, 2, std::memory_order_relaxed)) {
        mark.store(1, std::memory_order_relaxed);
      }
    });
    loops_.for_each(n_, [marks](std::size_t p) { marks[p] &= 1; });
  }

private:
  using accessor_type = typename Loops::template parents<Id>;
  [[nodiscard]] accessor_type accessor() noexcept { return accessor_type{sets_.data()}; }

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
  std::pmr::memory_resource* memory_;
  std::size_t n_;
  std::span<const Id> preorder_;
  buffer<Id> parents_, ends_, low_, high_, sets_;
  buffer<std::uint64_t> positions_;
};

}  // namespace copse::drivers
