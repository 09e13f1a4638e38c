// The fast path for edge lists: unites about as many edges as there are vertices, then looks for a giant; once there is one, it skips the
// edges inside it. The bits of the giant's vertices are updated when giant_probe.hpp says: the giant grows fast at first, and hardly later.
// If a list grows no giant, no bits are raised, and the votes cost next to nothing. The edges before the first look are sorted by ranges of
// vertices and united range by range (unite_by_ranges.hpp) where that pays. O(m) unites in the worst case; in addition to the labels takes
// one bit per vertex and, where ranges are used, at first memory for a quarter of an edge per vertex.
#pragma once
#include <copse/memory.hpp>
#include <copse/views.hpp>
#include <core/new_pages.hpp>
#include <core/request.hpp>
#include <fast/giant_filter.hpp>
#include <fast/giant_probe.hpp>
#include <fast/labels.hpp>
#include <fast/passes.hpp>
#include <fast/unite_by_ranges.hpp>
#include <fast/unite_list.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace copse::fast {

/// Callers set `look_at_ends`; tests set the others so that small lists take every way.
struct list_options {
  bool look_at_ends = false;                 ///< true if ends may not be vertices, and are checked
  double least_inside = least_share_inside;  ///< share of edges inside the giant from which on a giant is used
  std::size_t first_edges = 0;               ///< number of edges before a giant is first looked for; 0: a number that suits the list
  /// True: sort the first edges by ranges of vertices and unite them range by range whenever many threads work, even where that does not
  /// pay.
  bool any_ranges = false;
};

/// Writes canonical labels, one per vertex. `Edges` has size() and an edge at each index. `bits`: scratch memory of words_of_bits(n)
/// words, for one bit per vertex; or empty, in which case memory for them is taken from options.memory. Precondition: every end is a
/// vertex, unless look_at_ends is set: then throws unknown_end if one is not.
template <class Backend, class Edges, class Id>
void solve_list(const Backend& backend, const Edges& edges, std::span<Id> labels, std::span<std::uint64_t> bits,
                const solve_request& options, const list_options& settings = {}) {
  if (labels.empty()) {
    if (settings.look_at_ends && edges.size() != 0) throw unknown_end{};
    return;
  }
  const auto n = static_cast<Id>(labels.size());
  const std::size_t m = edges.size(), chunk = flat_chunk(backend, n);
  Id* const words = labels.data();
  const typename Backend::template parents<Id> p{words};
  if constexpr (Backend::concurrent) touch_pages(backend.threads(), labels);
  initialise(backend, p, n);

  const auto first = settings.first_edges != 0 ? std::min(settings.first_edges, m) : edges_to_first_look(n, m, Backend::concurrent);
  buffer<std::uint64_t> room{first < m && bits.empty() ? words_of_bits(n) : 0, options.memory};
  std::uint64_t* const marks = bits.empty() ? room.data() : bits.data();
  // The giant's bits are raised between two passes over edges, never during a pass, so the filter may test eight edges at once, by loads
  // that are not atomic.
  giant_filter<Id> filter{{}, settings.look_at_ends ? n : Id{0}};
  auto& inside = filter.inside;
  for (std::size_t at = 0, end = first; at < m;) {
    if (at != 0) {
      const auto vote = vote_of_edges(p, words, edges_of_known<Edges, Id>{edges, n}, at, m, options.seed);
      pass_if_it_pays(backend, p, n, vote, m - at, settings.least_inside, inside, [marks] { return marks; });
      end = at + edges_to_next_look(at, n, m - at, vote.inside);
    }
    if constexpr (Backend::concurrent) {
      std::optional<edges_by_range<Id>> ranges;
      if (at == 0 && (settings.any_ranges || suits_ranges(backend.threads(), edges, end, n, options.seed)) &&
          make_room(ranges, n, backend.threads(), options.memory)) {
        const auto throw_unknown = [](std::size_t, std::size_t) { throw unknown_end{}; };
        unite_by_ranges<unite_of<Backend>>(
            backend, *ranges, p, words, edges, end, [] { return no_notes{}; }, throw_unknown);
        at = end;
        continue;
      }
    }
    backend.for_blocks(end - at, [=, &edges](std::size_t begin, std::size_t stop) {
      no_notes nothing;
      const std::size_t from = at + begin, to = at + stop;
      const std::size_t reached =
          filter.inside.words != nullptr
              ? unite_range_past<unite_of<Backend>>(p, words, edges, from, to, filter, nothing)
              : unite_range<unite_of<Backend>, asked_ahead::grandparents>(p, words, edges, from, to, nothing, filter.limit);
      if (reached != to) throw unknown_end{};
    });
    at = end;
  }
  flatten(backend, p, n, chunk);
}

// The fast path for rows that are not known to hold both directions. Each of their arcs has to be united, so they are read as an edge list
// and solved in the same way: unite about as many arcs as there are vertices, then skip those inside the giant. Arcs are copied piece by
// piece together with the vertex of their row; a piece stays in the cache. On random graphs this is twice as fast as hooks and a second
// pass over the rows.

/// The arcs of rows as edges by index, for vote_of_edges(). The row of an arc is found by binary search, which pays because a vote samples
/// few edges.
template <class Id, class Offset>
class arcs_by_search {
public:
  explicit arcs_by_search(csr_view<Id, Offset> g) noexcept : g_{g} {}
  edge<Id> operator[](std::size_t i) const noexcept { return {static_cast<Id>(row_of(g_, i)), g_.targets[i]}; }

  /// Returns the vertex whose row has arc i.
  static std::size_t row_of(csr_view<Id, Offset> g, std::size_t i) noexcept {
    return static_cast<std::size_t>(std::upper_bound(g.offsets.begin(), g.offsets.end(), i) - g.offsets.begin()) - 1;
  }

private:
  csr_view<Id, Offset> g_;
};

/// Calls unite(edges) for pieces of the arcs [first, last).
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

/// Writes canonical labels, one per vertex. `marks`: scratch memory of one bit per vertex. Precondition: there are vertices.
template <class Backend, class Id, class Offset>
void solve_arcs(const Backend& backend, csr_view<Id, Offset> g, std::span<Id> labels, std::uint64_t* marks, std::uint64_t seed) {
  const auto n = static_cast<Id>(labels.size());
  const std::size_t m = g.targets.size(), chunk = flat_chunk(backend, n);
  Id* const words = labels.data();
  const typename Backend::template parents<Id> p{words};
  initialise(backend, p, n);

  // The giant's bits are raised only between two passes over arcs, so the filter may test eight arcs at once, by loads that are not atomic.
  giant_filter<Id> filter;
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
