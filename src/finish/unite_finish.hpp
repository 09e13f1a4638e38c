// The finish of every union-find rule: unite the ends of all arcs, or, after a sampler, of the arcs of vertices outside the giant.
//
// Which arcs are enough. When both directions of every edge are stored, each edge is united from its larger end only; sorted rows then
// stop at the first larger neighbour. Skipping the giant needs all arcs of the others instead, because the one responsible end may be
// the skipped one. A vertex that has joined the giant since the vote is skipped too: membership never ends.
#pragma once
#include <copse/core/rule_traits.hpp>
#include <copse/core/solve_options.hpp>
#include <copse/graph/coo.hpp>
#include <copse/graph/csr.hpp>

#include <cstddef>
#include <optional>
#include <string_view>

namespace copse::finish {

template <class Unite>
struct unite_finish {
  using rule = Unite;
  static constexpr rule_traits traits = Unite::traits;

  /// Precondition for `giant`: g.symmetric == symmetry::yes, and the trees are flat.
  template <class Backend, class Id, class Offset>
  static void run(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, std::optional<Id> giant,
                  const solve_options& /*options*/) {
    if (giant) {
      outside(backend, g, p, *giant);
    } else if (g.symmetric != symmetry::yes) {
      rows(backend, g, p, [](Id, Id) { return true; });
    } else if (g.sorted) {
      smaller_prefix(backend, g, p);
    } else {
      rows(backend, g, p, [](Id v, Id target) { return target < v; });
    }
  }

  template <class Backend, class Id>
  static void run(const Backend& backend, coo_view<Id> g, typename Backend::template parents<Id> p, std::optional<Id> /*giant*/,
                  const solve_options& /*options*/) {
    backend.for_blocks(g.edges.size(), [=](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) Unite{}(p, g.edges[i].u, g.edges[i].v);
    });
  }

private:
  template <class Backend, class Id, class Offset, class Wanted>
  static void rows(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, Wanted wanted) {
    backend.for_row_pieces(g, [=](Id v, Offset first, Offset last) {
      Id joined = v;
      for (Offset a = first; a < last; ++a) {
        if (const Id target = g.targets[a]; wanted(v, target)) joined = Unite{}(p, joined, target);
      }
    });
  }

  template <class Backend, class Id, class Offset>
  static void smaller_prefix(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p) {
    backend.for_row_pieces(g, [=](Id v, Offset first, Offset last) {
      Id joined = v;
      for (Offset a = first; a < last && g.targets[a] < v; ++a) joined = Unite{}(p, joined, g.targets[a]);
    });
  }

  template <class Backend, class Id, class Offset>
  static void outside(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, Id giant) {
    backend.for_row_pieces(g, [=](Id v, Offset first, Offset last) {
      Id joined = p.parent(p.load(v));
      if (joined == giant) return;
      for (Offset a = first; a < last; ++a) joined = Unite{}(p, joined, g.targets[a]);
    });
  }
};

}  // namespace copse::finish
