// Rows too long for one thread. A pass over vertices treats the first `long_row` arcs of a row and raises this flag when there are more;
// a second pass, which nearly always finds the flag down, cuts such rows among all threads. One thread has no long rows.
#pragma once
#include <copse/views.hpp>
#include <fast/shared_flag.hpp>

#include <cstddef>
#include <limits>

namespace copse::fast {

template <class Backend>
inline constexpr std::size_t long_row = Backend::concurrent ? 4096 : std::numeric_limits<std::size_t>::max();

/// f(v, first, last) over pieces of the rows longer than `long_row`, if the flag is up.
template <class Backend, class Id, class Offset, class F>
void for_long_rows(const Backend& backend, csr_view<Id, Offset> g, const shared_flag& flag, F f) {
  if (!flag.raised()) return;
  backend.for_row_pieces(g, [=](Id v, Offset first, Offset last) {
    if (g.offsets[v + 1] - g.offsets[v] > long_row<Backend>) f(v, first, last);
  });
}

}  // namespace copse::fast
