// Kruskal's algorithm (1956): takes all edges in order; an edge that joins two trees is in the forest. The radix sort uses all threads;
// uniting uses one thread, because each step depends on those before, and prefetches the parents of later edges.
#pragma once
#include <core/new_pages.hpp>
#include <weighted/contraction.hpp>
#include <weighted/picks.hpp>
#include <weighted/records.hpp>

#include <copse/extend/parents/plain.hpp>
#include <loops/meter.hpp>

#include <algorithm>
#include <cstddef>
#include <memory_resource>

namespace copse::weighted {

struct kruskal {
  static constexpr bool by_rounds = false;

  /// Marks the edges of the minimum spanning forest of `list`, by the order of edges in `source`, in `forest`. Returns the tree of each
  /// vertex. Precondition: the ends of the edges are below `count`.
  template <class Backend, class Source>
  static contraction<typename Source::id> solve(const Backend& loops, record_list<typename Source::record_type>& list,
                                                typename Source::id count, const Source& source, picks& forest,
                                                std::pmr::memory_resource* memory) {
    auto parents = unite(loops, list, count, source, forest, memory);
    return contract(loops, parents.span(), memory);
  }
  /// Marks the edges that solve() marks, but does not number the trees.
  template <class Backend, class Source>
  static void mark(const Backend& loops, record_list<typename Source::record_type>& list, typename Source::id count, const Source& source,
                   picks& forest, std::pmr::memory_resource* memory) {
    static_cast<void>(unite(loops, list, count, source, forest, memory));
  }

private:
  template <class Backend, class Source>
  static buffer<typename Source::id> unite(const Backend& loops, record_list<typename Source::record_type>& list, typename Source::id count,
                                           const Source& source, picks& forest, std::pmr::memory_resource* memory) {
    using id = typename Source::id;
    constexpr std::size_t ahead = 16;
    const auto records = sorted_records(loops, list, source, memory);
    auto parents = touched_buffer<id>(loops.threads(), count, memory);
    loops.for_each(count, [to = parents.data()](std::size_t v) { to[v] = static_cast<id>(v); });
    const copse::parents::plain<id> p{parents.data()};
    std::size_t trees = count;
    for (std::size_t i = 0; i < records.size() && trees > 1; ++i) {
      if (i + ahead < records.size()) {
        p.prefetch(records[i + ahead].u);
        p.prefetch(records[i + ahead].v);
      }
      const id u = find::halve{}(p, records[i].u), v = find::halve{}(p, records[i].v);
      if (u == v) continue;
      p.store(std::max(u, v), std::min(u, v));
      forest.mark(records[i].at);
      --trees;
    }
    return parents;
  }
};

}  // namespace copse::weighted
