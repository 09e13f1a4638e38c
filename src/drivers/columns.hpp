// Components of an edge list that is two columns: edges are united as they stand, nothing is copied. The parents of an edge some places
// ahead are asked for early, because lists in no order miss the cache at nearly every edge. O(m) unites, memory only for the labels.
#pragma once
#include <copse/views.hpp>
#include <loops/flatten.hpp>

#include <cstddef>
#include <span>

namespace copse::drivers {

/// Canonical labels, one per vertex. Precondition: every end is a vertex; roots of `Unite` are the smallest of their trees.
template <class Unite, class Backend, class Id>
void solve_columns(const Backend& loops, edge_columns_view<Id> edges, std::span<Id> labels) {
  constexpr std::size_t ahead = 16;
  const typename Backend::template parents<Id> p{labels.data()};
  loops.for_blocks(labels.size(), [p](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) p.store(static_cast<Id>(v), p.root(static_cast<Id>(v)));
  });
  loops.for_blocks(edges.sources.size(), [p, edges, words = labels.data()](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (i + ahead < end) {
        __builtin_prefetch(words + edges.sources[i + ahead]);
        __builtin_prefetch(words + edges.targets[i + ahead]);
      }
      Unite{}(p, edges.sources[i], edges.targets[i]);
    }
  });
  backend::flatten(loops, p, static_cast<Id>(labels.size()));
}

}  // namespace copse::drivers
