#include <drivers/rooting/tour.hpp>

#include <copse/list_ranking.hpp>
#include <copse/memory.hpp>
#include <copse/rooted_forest.hpp>
#include <copse/types.hpp>
#include <copse/views.hpp>
#include <drivers/rooting/ascending.hpp>
#include <drivers/rooting/ranked_bits.hpp>
#include <graph/scan.hpp>
#include <loops/serial.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace copse::drivers {
namespace {

// Reads the arrays of vertices from the places of arcs in a tour. The tour meets the arcs that leave v in the order of its row, beginning
// after the arc to the parent and ending with that arc. So the last arc that it meets leads up, the first one follows the arc that led down
// to v, and between these two is the subtree, with each edge twice. If d of the places up to v's arc down lead down, d vertices other than
// roots have been reached by then, and the depth of v is d less the number of the other places.
//
// Cost: rows and places are read once in order; in addition, each vertex reads once how many arcs lead down up to its own, and writes its
// place in the order.

// The Euler tour of a forest as a list of its arcs, each of which is a position in the rows. A tour that comes to v along u -> v leaves
// along the arc after v -> u in v's row, or along the first arc of the row if v -> u is the last: so it walks around a tree, along each
// edge twice (Tarjan and Vishkin, An efficient parallel biconnectivity algorithm, SIAM J. Comput. 1985). The walk is cut at the root of a
// tree and continued in the next tree, so that there is one list for all trees.
//
// Rows are sorted, so the tour depends on the edges alone. The arc back is searched for in a row of few arcs or in the shorter of the two
// rows, once per edge. One of the two rows is the child's, so all searches together take O(n). Data needed later is prefetched.

/// Returns the last arc that leads back to root r. It leaves the last vertex in r's row; in the row of that vertex, r comes first, because
/// it is the smallest vertex of the tree.
template <unsigned_index Id, unsigned_index Offset>
Offset last_arc_of_tree(csr_view<Id, Offset> rows, Id root) noexcept {
  return rows.offsets[rows.targets[rows.offsets[root + 1] - 1]];
}

/// Returns, for each arc of a forest, the arc after it in the tour; the last arc of all follows itself. `roots`: the smallest vertex of
/// each tree, in ascending order.
template <class Loops, unsigned_index Id, unsigned_index Offset>
buffer<Offset> tour_successors(const Loops& loops, csr_view<Id, Offset> rows, std::span<const Id> roots,
                               std::pmr::memory_resource* memory) {
  constexpr Offset few = 8;     // a row of at most this many arcs is searched, however short the row at the other end is
  constexpr Offset ahead = 32;  // prefetches are this many arcs ahead, which take as long as two cache misses in sequence
  buffer<Offset> after{rows.targets.size(), memory};
  Offset* const next = after.data();
  const Offset* const offsets = rows.offsets.data();
  const Id* const targets = rows.targets.data();
  const Offset arcs = rows.arcs();
  loops.for_row_pieces(rows, [=](Id v, Offset first, Offset last) {
    const Offset v_begin = offsets[v], v_end = offsets[v + 1];
    for (Offset out = first; out < last; ++out) {
      if (arcs - out > ahead) {
        const Id later = targets[out + ahead], soon = targets[out + ahead / 2];
        if (later > v) __builtin_prefetch(offsets + later);
        if (soon > v) {
          __builtin_prefetch(targets + offsets[soon]);
          __builtin_prefetch(next + offsets[soon], 1);
        }
      }
      const Id u = targets[out];
      if (u < v && v_end - v_begin <= few) continue;
      const Offset u_begin = offsets[u], u_end = offsets[u + 1];
      // One end of each edge searches the row of the other end: the smaller end if the other row has at most `few` arcs or is no longer
      // than its own, otherwise the larger end.
      const bool searches = v < u ? u_end - u_begin <= std::max(few, v_end - v_begin) : u_end - u_begin < v_end - v_begin;
      if (!searches) continue;
      Offset back = u_begin;
      while (targets[back] != v) ++back;
      next[back] = out + 1 == v_end ? v_begin : out + 1;
      next[out] = back + 1 == u_end ? u_begin : back + 1;
    }
  });
  const auto grown = ascending<Id>(
      loops, roots.size(), [=](std::size_t i) { return offsets[roots[i]] != offsets[roots[i] + 1]; }, memory);
  loops.for_blocks(grown.size(), [=, &grown](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Offset last = last_arc_of_tree(rows, roots[grown[i]]);
      next[last] = i + 1 < grown.size() ? offsets[roots[grown[i + 1]]] : last;
    }
  });
  return after;
}

/// The places of the arcs in a row ascend up to the arc to the parent, and then ascend again from lower values. Returns where this second
/// part begins. In a short row the places of the first part are counted, because a binary search would mispredict half of its branches.
template <unsigned_index Offset>
const Offset* behind_arc_up(const Offset* first, const Offset* last) noexcept {
  constexpr std::ptrdiff_t short_row = 16;
  const Offset least = *first;
  if (last - first > short_row) return std::partition_point(first, last, [least](Offset place) { return place >= least; });
  const Offset* behind = first;
  for (const Offset* place = first; place < last; ++place) behind += *place >= least ? 1 : 0;
  return behind;
}

/// Returns the arrays by vertex that the Euler tour gives. `places`: the place of each arc in the tour. `labels`: the root of every vertex.
/// `roots`: all roots in ascending order, including those without arcs.
template <class Loops, unsigned_index Id, unsigned_index Offset>
forest_tour::arrays<Id> read_tour(const Loops& loops, csr_view<Id, Offset> rows, std::span<const Id> labels, std::span<const Id> roots,
                                  std::span<const Offset> places, std::pmr::memory_resource* memory) {
  const std::size_t n = labels.size();
  forest_tour::arrays<Id> result{buffer<Id>{n, memory}, buffer<Id>{n, memory}, buffer<Id>{n, memory}, buffer<Id>{n, memory},
                                 buffer<Id>{n, memory}};
  const Offset* const offsets = rows.offsets.data();
  // ways_down[v] is the place of the arc that leads down to v. The array takes the memory of the depths, which are computed later, or
  // `apart` if places are wider than depths.
  buffer<Offset> apart;
  Offset* ways_down = nullptr;
  if constexpr (sizeof(Id) == sizeof(Offset)) {
    ways_down = result.depths.data();
  } else {
    apart = buffer<Offset>{n, memory};
    ways_down = apart.data();
  }
  // The set of the places of arcs that lead down in the tour. Depths and preorder follow from the number of members before a place, which
  // the set can count, so the list need not be ranked a second time.
  ranked_bits<Loops, Offset> down{loops, places.size(), memory};

  loops.for_blocks(n, [&, offsets, place = places.data()](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      if (labels[v] == v) continue;
      const Offset first = offsets[v], last = offsets[v + 1];
      const Offset* const behind = behind_arc_up(place + first, place + last);
      const auto up = behind - 1;
      const Offset way_down = (behind == place + last ? place[first] : *behind) - 1;
      result.parents[v] = rows.targets[static_cast<std::size_t>(up - place)];
      result.sizes[v] = static_cast<Id>((*up - way_down + 1) / 2);
      ways_down[v] = way_down;
      down.set(way_down);
    }
  });
  down.count(loops);
  buffer<Id> starts{roots.size(), memory};  // where each tree begins in preorder
  loops.for_blocks(roots.size(), [&, offsets](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Id r = roots[i];
      const bool alone = offsets[r] == offsets[r + 1];
      const Id size = alone ? 1 : static_cast<Id>((places[last_arc_of_tree(rows, r)] - places[offsets[r]] + 1) / 2 + 1);
      result.parents[r] = r;
      result.depths[r] = 0;
      result.sizes[r] = starts[i] = size;
      result.preorder[r] = static_cast<Id>(i);  // temporarily: the number of the root's tree
    }
  });
  exclusive_scan(starts.span(), loops.threads());
  loops.for_blocks(n, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const Id root = labels[v];
      if (root == v) continue;
      const Offset way_down = ways_down[v], met = down.through(way_down);
      result.depths[v] = static_cast<Id>(2 * met - way_down - 1);
      const Id at = static_cast<Id>(met + result.preorder[root]);
      result.preorder[v] = at;
      result.order[at] = static_cast<Id>(v);
    }
  });
  loops.for_blocks(roots.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      result.preorder[roots[i]] = starts[i];
      result.order[starts[i]] = roots[i];
    }
  });
  return result;
}

template <class Loops, unsigned_index Id, unsigned_index Offset>
forest_tour::arrays<Id> tour_by(const Loops& loops, csr_view<Id, Offset> rows, std::span<const Id> labels, const std::string& ranking,
                                const execution& on, solve_report& report, phase_times& times) {
  buffer<Id> roots;
  buffer<Offset> places;
  {
    buffer<Offset> after;
    {
      const phase_timer timing{times, "successors"};
      roots = ascending<Id>(
          loops, labels.size(), [root = labels.data()](std::size_t v) { return root[v] == v; }, on.memory);
      after = tour_successors(loops, rows, std::span<const Id>{roots.span()}, on.memory);
    }
    const phase_timer timing{times, "rank"};
    auto ranked = rank_list(after.span(), {.variant = ranking, .from = rank_origin::head}, on);
    report.variant = std::move(ranked.report.variant);
    report.device = std::move(ranked.report.device);
    places = std::move(ranked.ranks);
  }
  const phase_timer timing{times, "read"};
  return read_tour(loops, rows, labels, std::span<const Id>{roots.span()}, std::span<const Offset>{places.span()}, on.memory);
}

}  // namespace

template <unsigned_index Id, unsigned_index Offset>
forest_tour::arrays<Id> tour(csr_view<Id, Offset> rows, std::span<const Id> labels, const std::string& ranking, const execution& on,
                             solve_report& report, phase_times& times) {
  report.threads = usable_threads(on.threads);
  if (report.threads == 1) return tour_by(backend::serial{1, on.observer}, rows, labels, ranking, on, report, times);
  return tour_by(backend::threads{report.threads, on.observer}, rows, labels, ranking, on, report, times);
}

using narrow = std::uint32_t;
using wide = std::uint64_t;
template forest_tour::arrays<narrow> tour(csr_view<narrow, narrow>, std::span<const narrow>, const std::string&, const execution&,
                                          solve_report&, phase_times&);
template forest_tour::arrays<narrow> tour(csr_view<narrow, wide>, std::span<const narrow>, const std::string&, const execution&,
                                          solve_report&, phase_times&);
template forest_tour::arrays<wide> tour(csr_view<wide, wide>, std::span<const wide>, const std::string&, const execution&, solve_report&,
                                        phase_times&);

}  // namespace copse::drivers
