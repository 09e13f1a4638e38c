// Rows that are not cut.
#pragma once
#include <cstddef>

namespace copse::backend {

/// f(v, first, last) for the vertices [begin, end) of `g` in order, with the arcs [first, last) of their rows.
template <class Rows, class F>
void for_whole_rows(const Rows& g, std::size_t begin, std::size_t end, F f) {
  using id = decltype(g.vertices());
  auto first = g.offsets[begin];
  for (std::size_t v = begin; v < end; ++v) {
    const auto last = g.offsets[v + 1];
    f(static_cast<id>(v), first, last);
    first = last;
  }
}

}  // namespace copse::backend
