// cc with sort-based coalescing (Cong and Muzio 2014, section 3): before labels are looked up, the edges are brought together by blocks of
// w vertices: once for each end, and once more by the larger label for the grafts, so that every access to the parents stays within a block
// that fits a cache. The authors show (Theorem 1) that it cannot pay: moving the edges costs more than the misses it saves. It is here to
// be measured. One partition into n/w blocks, where their radix sort takes several passes of few bits.
// Right as cc is; here even all labels of a pass are those of its beginning.
#pragma once
#include <backend/counted.hpp>
#include <backend/partition.hpp>
#include <copse/core/memory.hpp>
#include <copse/core/rule_traits.hpp>
#include <finish/graft.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string_view>
#include <utility>

namespace copse::finish {

struct cc_sort {
  static constexpr std::string_view name = "cc_sort";
  static constexpr std::string_view summary = "cc with the edges sorted by blocks of vertices before every access (Cong and Muzio)";
  static constexpr rule_traits traits{.synchronous = true, .needs_edge_list = true};

  template <class Backend, class Id>
  static void settle(backend::solving<Backend, Id>& with, const backend::arc_set<Id>& arcs) {
    const auto p = with.trees.plain();
    const std::size_t m = arcs.edges.size();
    buffer<labelled<Id>> now{m, with.trees.memory()}, next{m, with.trees.memory()};
    const auto for_edges = [&](auto f) {
      with.loops.for_blocks(m, [f, edges = now.data()](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) f(i, edges[i]);
      });
    };
    const auto sort_by = [&, shift = block_bits(arcs.vertices)](auto key) {
      const phase_timer time{with.times, "sort"};
      backend::partition(with.loops, std::as_const(now).span(), next.data(),
                         [=](const labelled<Id>& e) { return static_cast<std::size_t>(key(e) >> shift); });
      std::swap(now, next);
    };
    for_edges([edges = arcs.edges](std::size_t i, labelled<Id>& e) { e = {edges[i].u, edges[i].v, 0, 0}; });
    changes any;
    for (;;) {
      backend::inspected<Backend>(m);
      sort_by([](const labelled<Id>& e) { return e.u; });
      look_up(with, for_edges, [p](labelled<Id>& e) { e.label_u = p.load(e.u); });
      sort_by([](const labelled<Id>& e) { return e.v; });
      look_up(with, for_edges, [p](labelled<Id>& e) { e.label_v = p.load(e.v); });
      sort_by([](const labelled<Id>& e) { return std::max(e.label_u, e.label_v); });
      look_up(with, for_edges, [p, &any](labelled<Id>& e) {
        if (e.label_u == e.label_v) return;
        graft(p, e.label_u, e.label_v);
        any.note();
      });
      if (!any.happened()) return;
      shortcut(with);
    }
  }

private:
  template <class Id>
  struct labelled {
    Id u, v, label_u, label_v;
  };

  /// log2 w: a cache line at least, and no more blocks than one partition makes.
  template <class Id>
  static int block_bits(Id vertices) {
    constexpr int line_bits = 4, buckets_bits = std::countr_zero(backend::partition_buckets);
    return std::max(line_bits, static_cast<int>(std::bit_width(vertices)) - buckets_bits);
  }

  /// One pass of accesses to the parents.
  template <class Backend, class Id, class ForEdges, class F>
  static void look_up(backend::solving<Backend, Id>& with, ForEdges for_edges, F f) {
    const phase_timer time{with.times, "graft"};
    for_edges([f](std::size_t /*i*/, labelled<Id>& e) { f(e); });
  }
};

}  // namespace copse::finish
