// The loops of a backend with whole vertices handed out in guided turns, as ECL-CC does it, for visit(). A hub keeps its thread busy.
#pragma once
#include <loops/whole_rows.hpp>

#include <cstddef>

namespace copse::backend {

template <class Backend>
class guided {
public:
  static constexpr bool counts = Backend::counts;
  template <class Id>
  using parents = typename Backend::template parents<Id>;

  explicit guided(const Backend& loops) noexcept : loops_{loops} {}

  template <class F>
  void for_blocks(std::size_t count, F f) const {
    loops_.for_blocks_guided(count, f);
  }

  template <class Rows, class F>
  void for_row_pieces(const Rows& g, F f) const {
    for_blocks(g.vertices(), [=](std::size_t begin, std::size_t end) { for_whole_rows(g, begin, end, f); });
  }

private:
  const Backend& loops_;
};

}  // namespace copse::backend
