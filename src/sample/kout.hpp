// k-out sampling in Afforest's form (Sutton, Ben-Nun, Barak 2018; Holm et al. 2019 bound what is left): round r unites every vertex with
// the r-th target of its row, by the row's own rule to its fixpoint, and flattens. Rows are sorted, so the first targets are small
// vertices that many share: the giant forms in two rounds, reading 2n arcs instead of all.
#pragma once
#include <backend/flatten.hpp>
#include <copse/core/solve_options.hpp>
#include <copse/graph/csr.hpp>

#include <cstddef>
#include <string_view>

namespace copse::sample {

struct kout {
  static constexpr std::string_view name = "kout";

  template <class Unite, class Backend, class Id, class Offset>
  static void run(const Backend& backend, csr_view<Id, Offset> g, typename Backend::template parents<Id> p, const solve_options& options) {
    for (unsigned r = 0; r < options.kout_rounds; ++r) {
      backend.for_blocks(g.vertices(), [=](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v) {
          const Offset first = g.offsets[v];
          if (g.offsets[v + 1] - first > r) Unite{}(p, static_cast<Id>(v), g.targets[first + r]);
        }
      });
      backend::flatten(backend, p, g.vertices());
    }
  }
};

}  // namespace copse::sample
