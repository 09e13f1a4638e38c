// The fast path for rows that are not known to hold both directions: each of their arcs has to be united, so they are read as the list that
// they are, in the way of solve_list.hpp (unite as many as there are vertices, then past the giant). Arcs are copied piece by piece with
// the vertex whose row they are in; the piece stays in the cache. Against hooks and a second pass over the rows, twice as fast on random
// graphs.
#pragma once
#include <copse/views.hpp>
#include <fast/solve_list.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::fast {

/// An arc at any place, found by search: for a vote, which asks for few.
template <class Id, class Offset>
class arcs_by_search {
public:
  explicit arcs_by_search(csr_view<Id, Offset> g) noexcept : g_{g} {}
  edge<Id> operator[](std::size_t i) const noexcept { return {static_cast<Id>(row_of(g_, i)), g_.targets[i]}; }

  /// The vertex whose row arc i is in.
  static std::size_t row_of(csr_view<Id, Offset> g, std::size_t i) noexcept {
    return static_cast<std::size_t>(std::upper_bound(g.offsets.begin(), g.offsets.end(), i) - g.offsets.begin()) - 1;
  }

private:
  csr_view<Id, Offset> g_;
};

/// unite(edges) for the arcs [first, last) in pieces.
template <class Id, class Offset, class Unite>
void in_pieces(csr_view<Id, Offset> g, std::size_t first, std::size_t last, Unite unite) {
  constexpr std::size_t most = 4096;
  std::array<edge<Id>, most> piece;
  std::size_t row = arcs_by_search<Id, Offset>::row_of(g, first);
  while (first < last) {
    const std::size_t stop = std::min(last, first + most);
    std::size_t count = 0;
    for (std::size_t a = first; a < stop; ++row) {
      const auto u = static_cast<Id>(row);
      for (const std::size_t end = std::min<std::size_t>(stop, g.offsets[row + 1]); a < end; ++a) piece[count++] = {u, g.targets[a]};
      if (a == stop && g.offsets[row + 1] > stop) break;  // the next piece goes on in this row
    }
    unite(std::span<const edge<Id>>{piece.data(), count});
    first = stop;
  }
}

/// Canonical labels, one per vertex. `marks`: a bit per vertex. Precondition: there are vertices.
template <class Backend, class Id, class Offset>
void solve_arcs(const Backend& backend, csr_view<Id, Offset> g, std::span<Id> labels, std::uint64_t* marks, std::uint64_t seed) {
  const auto n = static_cast<Id>(labels.size());
  const std::size_t m = g.targets.size(), chunk = flat_chunk(backend, n);
  Id* const words = labels.data();
  const typename Backend::template parents<Id> p{words};
  initialise(backend, p, n);

  giant_filter<Id> filter;  // bits are raised between two passes
  auto& inside = filter.inside;
  for (std::size_t at = 0, end = edges_to_first_look(n, m, Backend::concurrent); at < m;) {
    if (at != 0) {
      const auto vote = vote_of_edges(p, words, arcs_by_search{g}, at, m, seed);
      pass_if_it_pays(backend, p, n, vote, m - at, least_share_inside, inside, [marks] { return marks; });
      end = at + edges_to_next_look(at, n, m - at, vote.inside);
    }
    backend.for_blocks(end - at, [=](std::size_t begin, std::size_t stop) {
      no_notes nothing;
      in_pieces(g, at + begin, at + stop, [&](std::span<const edge<Id>> piece) {
        if (filter.inside.words != nullptr) {
          unite_range_past<unite_of<Backend>>(p, words, piece, 0, piece.size(), filter, nothing);
        } else {
          unite_range<unite_of<Backend>, asked_ahead::parents>(p, words, piece, 0, piece.size(), nothing);
        }
      });
    });
    at = end;
  }
  flatten(backend, p, n, chunk);
}

}  // namespace copse::fast
