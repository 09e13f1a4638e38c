// The driver of spanning forests: the phases of components (solve.hpp) with a slot a vertex for the edge that linked it; then the edges are
// brought together; then labels, if they are wanted too.
// Every row works that links a root once, from one thread, for one edge between two trees: with n vertices and k trees left, n - k slots
// are written, and what they hold has no cycle, because each of its edges joined what was not joined before.
#pragma once
#include <backend/each.hpp>
#include <backend/gather.hpp>
#include <backend/solving.hpp>
#include <copse/core/host_device.hpp>
#include <copse/core/memory.hpp>
#include <copse/graph/coo.hpp>
#include <drivers/solve.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace copse::drivers {

template <class P>
struct is_root_of {
  P p;
  COPSE_HOST_DEVICE bool operator()(std::size_t i) const {
    const auto v = static_cast<typename P::id>(i);
    return p.is_root(v, p.load(v));
  }
};
/// Slots from `first` on whose vertices are roots, or are not.
template <class P, bool Roots>
struct append_slot {
  P p;
  std::size_t first;
  template <class Append>
  COPSE_HOST_DEVICE void operator()(std::size_t i, Append& append) const {
    if (is_root_of<P>{p}(first + i) == Roots) append(static_cast<typename P::id>(first + i));
  }
};
template <class Id>
struct move_slot {
  backend::slots<Id> made;
  const Id* holes;
  const Id* edges;
  COPSE_HOST_DEVICE void operator()(std::size_t i) const { made.write(holes[i], made.read(edges[i])); }
};

/// One forest, step by step, so that each can be timed on its own.
template <class Backend, class Id>
class spanning {
public:
  /// Takes `graph`, `how` and `options` by reference. Precondition: as join(), and the plan's finish records its links.
  spanning(const Backend& loops, const backend::arc_set<Id>& graph, const plan<Backend, Id>& how, const solve_options& options,
           phase_times& times)
      : loops_{loops},
        graph_{graph},
        how_{how},
        times_{times},
        trees_{graph.vertices, how.traits.aux, options.memory},
        edges_{graph.vertices, options.memory},
        with_{loops, trees_, options, times, backend::slots<Id>{edges_.data()}} {}
  spanning(const spanning&) = delete;

  /// Fills the slots.
  void join() { drivers::join(with_, graph_, how_); }

  /// Brings the edges together, in place: the slots of roots are holes, and those below n - k are filled with the edges from there up.
  /// O(n) to look at the parents; only holes are written. Returns n - k.
  std::size_t collect() {
    const phase_timer time{times_, "collect"};
    const std::size_t n = graph_.vertices;
    std::size_t count = 0;
    trees_.with_parents([&]<class P>(P p) {
      const std::size_t roots = backend::count_that(loops_, n, is_root_of<P>{p});
      count = n - roots;
      const std::size_t most = std::min(roots, count);
      backend::gathered_of<Backend, Id> holes{most, trees_.memory()}, above{most, trees_.memory()};
      backend::gather(loops_, count, holes, append_slot<P, true>{p, 0});
      backend::gather(loops_, roots, above, append_slot<P, false>{p, count});
      backend::for_each(loops_, holes.size(), move_slot<Id>{with_.made, holes.data(), above.data()});
      if constexpr (requires { loops_.wait(); }) loops_.wait();  // before the lists go
    });
    return count;
  }

  /// The slots; after collect() its first n - k are the edges.
  [[nodiscard]] buffer<edge<Id>> take_edges() { return std::move(edges_); }

  /// Canonical labels; the trees are gone then.
  [[nodiscard]] buffer<Id> labels() {
    const phase_timer time{times_, "labels"};
    auto labels = trees_.labels(loops_, how_.traits.minimal_roots, backend::naming<Id>{});
    if constexpr (requires { loops_.wait(); }) loops_.wait();
    return labels;
  }

private:
  const Backend& loops_;
  const backend::arc_set<Id>& graph_;
  const plan<Backend, Id>& how_;
  phase_times& times_;
  backend::forest<Backend, Id> trees_;
  buffer<edge<Id>> edges_;
  backend::solving<Backend, Id> with_;
};

/// n - k edges, and labels if they were wanted.
template <class Id>
struct spanned {
  buffer<edge<Id>> edges;
  buffer<Id> labels;
};

template <class Backend, class Id>
spanned<Id> span(const Backend& loops, const backend::arc_set<Id>& graph, const plan<Backend, Id>& how, const solve_options& options,
                 phase_times& times, bool with_labels) {
  spanning<Backend, Id> forest{loops, graph, how, options, times};
  forest.join();
  const std::size_t count = forest.collect();
  spanned<Id> result{forest.take_edges(), {}};
  result.edges.shrink(count);
  if (with_labels) result.labels = forest.labels();
  return result;
}

}  // namespace copse::drivers
