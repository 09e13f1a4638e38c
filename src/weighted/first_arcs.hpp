// The first round of Boruvka's algorithm if a row has all edges of its vertex: reading the row finds the first of them, so no edge makes
// offers and no record is written. Later rounds work on a third of the vertices or fewer, and on light edges that are fewer in the same
// proportion.
// A vertex may take an edge from the row of its larger end; the edge's position in the input is that in the row of its smaller end, which
// is searched, many at a time, as each search waits for memory twice. Invariant: the edge that the other end takes is the same or comes
// before, by (weight, smaller end, larger end); so a cycle of vertices that take edges consists of two that take the same edge, and the
// smaller one is the root. Cost: every arc is read once; per vertex one random access, and a search for less than half of the vertices.
#pragma once
#include <core/new_pages.hpp>
#include <weighted/contraction.hpp>
#include <weighted/picks.hpp>

#include <copse/errors.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace copse::weighted {

template <class Backend, class Source>
class first_arcs {
  using id = typename Source::id;
  using position = typename Source::position;

  /// What other vertices read about the first arc of a vertex. Its position is in an array of its own, so that these reads find more in
  /// the caches.
  struct offer {
    id other;  ///< the other end of the first edge; the vertex itself if its row has no edge
    std::uint32_t prefix;
  };
  struct arc {
    position at;
    id other;
    std::uint32_t prefix;
  };
  struct part_of_row {
    id vertex;
    arc first;
  };

public:
  /// Precondition: source.has_whole_rows().
  first_arcs(const Backend& loops, const Source& source, picks& forest, std::pmr::memory_resource* memory)
      : loops_{loops},
        source_{source},
        forest_{forest},
        memory_{memory},
        first_{touched_buffer<offer>(loops.threads(), source.vertices(), memory)},
        at_{touched_buffer<position>(loops.threads(), source.vertices(), memory)},
        parents_{touched_buffer<id>(loops.threads(), source.vertices(), memory)} {}

  /// Marks the first edge of every vertex in the forest, and returns the contraction by these edges. Throws input_error if it notices an
  /// edge that has different weights in its two rows.
  contraction<id> join() {
    find_all();
    loops_.for_blocks(parents_.size(), [this](std::size_t begin, std::size_t end) {
      for (; begin < end; begin += hooked_at_once) hook(begin, std::min(end, begin + hooked_at_once));
    });
    first_ = {};  // frees memory that contract() can use
    at_ = {};
    return contract(loops_, parents_.span(), memory_);
  }

private:
  static constexpr std::size_t hooked_at_once = 256, vertices_ahead = 32;

  void find_all() {
    const auto& rows = source_.rows();
    std::vector<part_of_row> parts;  // where several threads read parts of one row: the first arc in each part
    std::mutex guard;
    loops_.for_row_pieces(rows, [&, this](id v, position first, position last) {
      const arc found = first_of(v, first, last);
      if (first == rows.offsets[v] && last == rows.offsets[v + 1]) {
        set(v, found);
      } else if (first != last) {  // a part may be empty, as a row may be cut before its first arc
        const std::lock_guard lock{guard};
        parts.push_back({v, found});
      }
    });
    std::ranges::sort(parts, {}, [](const part_of_row& part) { return std::pair{part.vertex, part.first.at}; });
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto& [vertex, found] = parts[i];
      const bool is_new = i == 0 || parts[i - 1].vertex != vertex || first_[vertex].other == vertex;
      if (is_new || (found.other != vertex && is_lighter(found, first_of(vertex)))) set(vertex, found);
    }
  }

  void set(id v, const arc& found) noexcept {
    first_[v] = {found.other, found.prefix};
    at_[v] = found.at;
  }
  [[nodiscard]] arc first_of(id v) const noexcept { return {at_[v], first_[v].other, first_[v].prefix}; }

  [[nodiscard]] arc first_of(id v, position first, position last) const noexcept {
    const auto& targets = source_.rows().targets;
    arc best{first, v, 0};
    for (position at = first; at < last; ++at) {
      const arc next{at, targets[at], source_.order().prefix(at)};
      if (next.other != v && (best.other == v || is_lighter(next, best))) best = next;
    }
    return best;
  }
  /// True if arc `a`, which is behind `b` in the same row, comes before it in the order of edges.
  [[nodiscard]] bool is_lighter(const arc& a, const arc& b) const noexcept {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return !source_.order().prefix_is_exact() && source_.order().key(a.at) < source_.order().key(b.at);
  }

  struct search {
    id row, target;
    position at;  ///< the position of the same edge in the other row
  };

  void hook(std::size_t begin, std::size_t end) {
    std::array<search, hooked_at_once> searches;
    std::size_t searched = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (i + vertices_ahead < first_.size()) __builtin_prefetch(&first_[first_[i + vertices_ahead].other]);
      const id v = static_cast<id>(i);
      const arc mine = first_of(v);
      const id other = mine.other;
      parents_[i] = other;
      if (other == v) continue;
      const bool both = first_[other].other == v;
      if (!both) expect_no_later(other, v);
      if (both && v < other) parents_[i] = v;
      if (v < other) {
        forest_.mark(mine.at);
      } else if (!both) {
        searches[searched++] = {other, v, mine.at};
        __builtin_prefetch(&source_.rows().offsets[other]);
      }
    }
    const auto& rows = source_.rows();
    for (std::size_t k = 0; k < searched; ++k) __builtin_prefetch(&rows.targets[rows.offsets[searches[k].row]]);
    for (std::size_t k = 0; k < searched; ++k) forest_.mark(found_by(searches[k]));
  }

  /// Returns the position of an edge in the row of its smaller end: of the first arc with the same target and key.
  position found_by(const search& wanted) const {
    const auto& rows = source_.rows();
    const auto row_end = rows.targets.begin() + rows.offsets[wanted.row + 1];
    auto found = std::lower_bound(rows.targets.begin() + rows.offsets[wanted.row], row_end, wanted.target);
    const auto at = [&] { return static_cast<position>(found - rows.targets.begin()); };
    while (found != row_end && *found == wanted.target && source_.order().key(at()) != source_.order().key(wanted.at)) ++found;
    if (found == row_end || *found != wanted.target) refuse(wanted.row, wanted.target);
    return at();
  }

  void expect_no_later(id other, id v) const {
    if (first_[other].prefix < first_[v].prefix) return;
    const arc theirs = first_of(other), mine = first_of(v);
    const auto order_of = [this](id end, const arc& taken) {
      return std::tuple{source_.order().key(taken.at), std::min(end, taken.other), std::max(end, taken.other)};
    };
    if (theirs.other == other || theirs.prefix > mine.prefix || order_of(other, theirs) > order_of(v, mine)) refuse(other, v);
  }
  [[noreturn]] static void refuse(id u, id v) {
    throw input_error{"weights: found different ones for the two directions of the edge between " + std::to_string(std::min(u, v)) +
                      " and " + std::to_string(std::max(u, v)) + ", expected the same"};
  }

  const Backend& loops_;
  const Source& source_;
  picks& forest_;
  std::pmr::memory_resource* memory_;
  buffer<offer> first_;
  buffer<position> at_;
  buffer<id> parents_;
};

}  // namespace copse::weighted
