// Sampling by one breadth-first search from a vertex of high degree: the highest of a small random sample. Reads most arcs when the
// graph has a giant of small diameter; on long paths it is a slow way to do nothing in parallel, and the GConn paper never saw it win.
#pragma once
#include <backend/search.hpp>
#include <backend/solving.hpp>
#include <core/random.hpp>

#include <string_view>

namespace copse::sample {

struct bfs {
  static constexpr std::string_view name = "bfs";
  static constexpr bool needs_rows = true, skips_giant = true, regroups_edges = false;

  template <class Backend, class Id>
  static void sample(backend::solving<Backend, Id>& with, const backend::arc_set<Id>& graph, backend::settler<Backend, Id> /*settle*/) {
    const Id n = graph.vertices;
    if (n == 0) return;
    buffer<Id> reached{n, with.trees.memory()};
    const typename Backend::template parents<Id> labels{reached.data()};
    with.loops.for_blocks(n, [labels](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) labels.store(static_cast<Id>(v), static_cast<Id>(v));
    });
    const Id start = busy_vertex(graph.rows, with.options.giant_samples, with.options.seed);
    backend::frontiers<Id> queues{n, with.trees.memory()};
    backend::reach(with.loops, graph.rows, labels, start, queues);
    // The smallest vertex that was reached names the set.
    buffer<Id> smallest_word{1, with.trees.memory()};
    smallest_word[0] = start;
    const typename Backend::template parents<Id> smallest{smallest_word.data()};
    with.loops.for_blocks(n, [=](std::size_t begin, std::size_t end) {
      if (smallest.load(0) < begin) return;
      for (std::size_t v = begin; v < end; ++v) {
        if (labels.load(static_cast<Id>(v)) != start) continue;
        smallest.fetch_min(0, static_cast<Id>(v));
        return;
      }
    });
    const Id name = smallest_word[0];
    with.trees.plant(with.loops, [=](Id v) { return labels.load(v) == start ? name : v; });
  }

private:
  template <class Id>
  static Id busy_vertex(const backend::any_rows<Id>& rows, unsigned samples, std::uint64_t seed) {
    const random_stream random{seed, 1};
    Id best = 0;
    for (unsigned k = 0; k < samples; ++k) {
      const Id v = static_cast<Id>(random.below(k, rows.vertices()));
      if (rows.degree(v) > rows.degree(best)) best = v;
    }
    return best;
  }
};

}  // namespace copse::sample
