// What a few random rows tell about a graph, in addition to its sizes: whether many vertices have no arcs, as in random graphs with few
// edges; how long the rows of their neighbours are, which is far above the mean in graphs with hubs; whether arcs lead to vertices with
// near ids; and whether walks of two or three arcs come back to a neighbour, as in cliques, lattices and geometric graphs. The same source
// is compiled for rows in host memory and on a GPU.
#pragma once
#include <copse/extend/host_device.hpp>
#include <core/random.hpp>
#include <loops/arcs.hpp>

#include <cstddef>
#include <cstdint>

namespace copse::backend {

inline constexpr unsigned sampled_rows = 1024;

struct row_sample {
  static constexpr unsigned nearness = 64;       ///< near: the ids differ by less than 1 / nearness of all vertices
  static constexpr unsigned adjacency = 4;       ///< adjacent: the ids differ by at most this number
  static constexpr unsigned first_few = 4;       ///< targets of a row that are read for `descending`
  static constexpr unsigned most_searched = 64;  ///< no walk begins at a longer row, so that no thread takes far longer
  static constexpr unsigned at_once = 32;        ///< loads that do not wait for each other

  std::uint32_t rows = 0, without_arcs = 0;
  std::uint32_t near = 0;        ///< number of sampled vertices whose one random neighbour is near (see nearness)
  std::uint32_t adjacent = 0;    ///< number of sampled vertices whose one random neighbour is adjacent (see adjacency)
  std::uint32_t descending = 0;  ///< number of sampled vertices one of whose first few targets is smaller
  /// Random walks of two arcs that do not return to their start; those that end at a neighbour of it. They begin at rows of at most
  /// most_searched arcs.
  std::uint32_t wedges = 0, closed_wedges = 0;
  /// Random walks of three arcs: the walks of two arcs (wedges) that go on to a vertex not visited before; and those of them that end at a
  /// neighbour of their start.
  std::uint32_t squares = 0, closed_squares = 0;
  std::uint64_t arcs_met = 0;  ///< sum of the row lengths of one random neighbour of each sampled vertex

  /// Adds row number `k` of the sample. The arrays need not have been checked before. Precondition: there are vertices.
  template <class Id>
  COPSE_HOST_DEVICE void add(const any_rows<Id>& g, std::uint64_t seed, unsigned k) noexcept {
    const random_stream random = draws_of(seed);
    const Id v = start_of(g, seed, k);
    const auto [first, arcs] = row_of(g, v);
    ++rows;
    if (arcs == 0) {
      ++without_arcs;
      return;
    }
    const Id u = g.targets[first + random.below(draws * k + 1, arcs)];
    bool descends = false;
    for (unsigned a = 0; a < first_few; ++a) descends |= g.targets[first + (a < arcs ? a : 0)] < v;
    descending += descends ? 1 : 0;
    if (u >= g.vertices()) return;
    const row through = row_of(g, u);
    arcs_met += through.arcs;
    const Id distance = u < v ? v - u : u - v;
    near += distance < g.vertices() / nearness ? 1 : 0;
    adjacent += distance <= adjacency ? 1 : 0;
    if (arcs > most_searched) return;
    const Id w = next_of(g, through, v, random, draws * k + 2);
    if (w >= g.vertices() || w == v) return;
    ++wedges;
    const Id x = next_of(g, row_of(g, w), u, random, draws * k + 4);
    const bool goes_on = x < g.vertices() && x != u && x != v;
    squares += goes_on ? 1 : 0;
    bool is_wedge_open = true, is_square_open = goes_on;
    for (std::uint64_t begin = 0; begin < arcs && (is_wedge_open || is_square_open); begin += at_once) {
      Id targets[at_once];
      for (unsigned a = 0; a < at_once; ++a) targets[a] = begin + a < arcs ? g.targets[first + begin + a] : v;
      for (unsigned a = 0; a < at_once; ++a) {
        is_wedge_open = is_wedge_open && targets[a] != w;
        is_square_open = is_square_open && targets[a] != x;
      }
    }
    closed_wedges += is_wedge_open ? 0 : 1;
    closed_squares += goes_on && !is_square_open ? 1 : 0;
  }

  static constexpr unsigned draws = 6;  ///< random numbers for each row
  COPSE_HOST_DEVICE static random_stream draws_of(std::uint64_t seed) noexcept { return {seed, 5}; }
  /// The vertex of row number `k`.
  template <class Id>
  COPSE_HOST_DEVICE static Id start_of(const any_rows<Id>& g, std::uint64_t seed, unsigned k) noexcept {
    return static_cast<Id>(draws_of(seed).below(draws * k, g.vertices()));
  }

  struct row {
    std::uint64_t first, arcs;
  };
  template <class Id>
  COPSE_HOST_DEVICE static row row_of(const any_rows<Id>& g, Id v) noexcept {
    const std::uint64_t first = g.offsets[v], last = g.offsets[std::size_t{v} + 1];
    return {first, first < last && last <= g.arcs ? last - first : 0};
  }

  /// A random target of the row `of`, and another one if that is `not_this`; `not_this` itself if there is no other.
  template <class Id>
  COPSE_HOST_DEVICE static Id next_of(const any_rows<Id>& g, row of, Id not_this, random_stream random, std::uint64_t draw) noexcept {
    if (of.arcs < 2) return not_this;
    const std::uint64_t chosen = random.below(draw, of.arcs), beyond = chosen + 1 + random.below(draw + 1, of.arcs - 1);
    const Id found = g.targets[of.first + chosen], other = g.targets[of.first + (beyond < of.arcs ? beyond : beyond - of.arcs)];
    return found != not_this ? found : other;
  }
  /// Calls visit(count of a, the same count of b) for all counts.
  template <class Visit>
  COPSE_HOST_DEVICE static void for_each_count(row_sample& a, const row_sample& b, Visit visit) {
    visit(a.rows, b.rows);
    visit(a.without_arcs, b.without_arcs);
    visit(a.near, b.near);
    visit(a.adjacent, b.adjacent);
    visit(a.descending, b.descending);
    visit(a.wedges, b.wedges);
    visit(a.closed_wedges, b.closed_wedges);
    visit(a.squares, b.squares);
    visit(a.closed_squares, b.closed_squares);
    visit(a.arcs_met, b.arcs_met);
  }

  [[nodiscard]] COPSE_HOST_DEVICE float share_without_arcs() const noexcept {
    return rows == 0 ? 0 : static_cast<float>(without_arcs) / static_cast<float>(rows);
  }
  [[nodiscard]] COPSE_HOST_DEVICE float mean_arcs_met() const noexcept {
    return rows == without_arcs ? 0 : static_cast<float>(arcs_met) / static_cast<float>(rows - without_arcs);
  }
  [[nodiscard]] COPSE_HOST_DEVICE bool leads_nearby() const noexcept { return 2 * near > rows - without_arcs; }
  [[nodiscard]] COPSE_HOST_DEVICE float share_adjacent() const noexcept {
    return rows == without_arcs ? 0 : static_cast<float>(adjacent) / static_cast<float>(rows - without_arcs);
  }
  [[nodiscard]] COPSE_HOST_DEVICE float share_descending() const noexcept {
    return rows == without_arcs ? 0 : static_cast<float>(descending) / static_cast<float>(rows - without_arcs);
  }
  [[nodiscard]] COPSE_HOST_DEVICE float share_closed_wedges() const noexcept {
    return wedges == 0 ? 0 : static_cast<float>(closed_wedges) / static_cast<float>(wedges);
  }
  [[nodiscard]] COPSE_HOST_DEVICE float share_closed_squares() const noexcept {
    return squares == 0 ? 0 : static_cast<float>(closed_squares) / static_cast<float>(squares);
  }
  /// True if walks come back as often as among points that are joined to the points around them, or more often. Of walks of two arcs a
  /// quarter does in meshes, too. The shares of both lengths have a sum of .67 or more among points, and of .58 in a mesh with diagonals.
  [[nodiscard]] COPSE_HOST_DEVICE bool back_as_among_points() const noexcept {
    return is_clustered() && share_closed_wedges() + share_closed_squares() >= .63f;
  }
  [[nodiscard]] COPSE_HOST_DEVICE bool is_clustered() const noexcept { return share_closed_wedges() >= .25f; }
  /// True if every walk of two or three arcs ended at a neighbour of its start, as in disjoint cliques.
  [[nodiscard]] COPSE_HOST_DEVICE bool all_closed() const noexcept { return closed_wedges == wedges && closed_squares == squares; }
};

/// Adds rows number `first` to `last` - 1 of the sample, which are in host memory. The first two loads of each are prefetched, as each row
/// is in no cache at first. Precondition: there are vertices.
template <class Id>
void add_rows(row_sample& found, const any_rows<Id>& g, std::uint64_t seed, unsigned first, unsigned last) {
  const auto offset_of = [&g](Id v) { return static_cast<const char*>(g.offsets.data()) + v * g.offsets.width_bytes(); };
  for (unsigned k = first; k < last; ++k) __builtin_prefetch(offset_of(row_sample::start_of(g, seed, k)));
  for (unsigned k = first; k < last; ++k) __builtin_prefetch(g.targets + row_sample::row_of(g, row_sample::start_of(g, seed, k)).first);
  for (unsigned k = first; k < last; ++k) found.add(g, seed, k);
}

}  // namespace copse::backend
