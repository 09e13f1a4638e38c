// Inserts of the fast path: edges inside the giant are skipped by testing one bit per end; the others are united, after their parents have
// been prefetched (fast/unite_list.hpp). A batch is read once: a thread checks ids just before it unites their edges. When it meets an id
// for which the forest has no room, the rest of its turn waits until the forest has grown.
#pragma once
#include <copse/errors.hpp>
#include <copse/views.hpp>
#include <drivers/incremental/growing_forest.hpp>
#include <drivers/incremental/insert_batch.hpp>
#include <fast/passes.hpp>
#include <fast/unite_by_ranges.hpp>
#include <fast/unite_list.hpp>
#include <loops/serial.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace copse::drivers {

/// True if every vertex exists, as all do once the caller has declared them. Then there is nothing to mark, which saves two random accesses
/// per link.
template <class Forest>
bool all_exist(Forest& trees) noexcept {
  return trees.vertices() == trees.slots();
}

/// What one thread notes while it inserts its turn of edges, if all vertices exist and no forest is recorded: how many links it makes. No
/// other code sees this object, so the count can stay in a register.
template <class Forest>
class link_count {
public:
  explicit link_count(Forest& trees) noexcept : trees_{trees} {}
  link_count(const link_count&) = delete;
  ~link_count() { trees_.add(tally_); }

  template <class Id>
  bool see(edge<Id> /*e*/) const noexcept {
    return true;
  }
  template <class Id>
  [[nodiscard]] auto of(edge<Id> /*e*/) noexcept {
    return [this](Id /*root*/, Id /*parent*/) { ++tally_.links; };
  }
  void add_links(std::size_t links) noexcept { tally_.links += links; }

private:
  Forest& trees_;
  link_tally tally_;
};

/// What one thread notes while it inserts, if some vertices may not exist or a forest is recorded: how many links it makes, which vertices
/// exist, and the edge of each link.
template <class Forest, class Id, bool Shared>
class link_notes {
public:
  explicit link_notes(Forest& trees) noexcept
      : trees_{trees}, exists_{trees.existing_words()}, slots_{trees.link_slots()}, all_exist_{all_exist(trees)} {}
  link_notes(const link_notes&) = delete;
  ~link_notes() { trees_.add(tally_); }

  bool see(edge<Id> e) noexcept {
    if (e.u == e.v) mark(e.u);
    return true;
  }
  [[nodiscard]] auto of(edge<Id> e) noexcept {
    return [this, e](Id root, Id /*parent*/) {
      ++tally_.links;
      if (!all_exist_) {
        mark(e.u);
        mark(e.v);
      }
      if (slots_ != nullptr) slots_[root] = e;  // no other thread links this root, ever
    };
  }

private:
  void mark(Id v) noexcept { tally_.vertices += static_cast<std::uint64_t>(exists_.raise(v)); }

  Forest& trees_;
  vertex_marks<Shared> exists_;
  edge<Id>* slots_;
  bool all_exist_;
  link_tally tally_;
};

/// The edges of a batch that are inserted only after the forest has grown, because they or earlier edges of the same turn have ids that are
/// too large: their positions as ranges, and the largest of their ids.
template <class Id>
struct left_turns {
  using range = std::pair<std::size_t, std::size_t>;
  std::mutex guard;
  std::vector<range> ranges;
  Id largest = 0;

  void add(std::span<const edge<Id>> edges, std::size_t begin, std::size_t end) {
    Id most = 0;
    for (const auto [u, v] : edges.subspan(begin, end - begin)) most = std::max(most, std::max(u, v));
    const std::lock_guard lock{guard};
    ranges.emplace_back(begin, end);
    largest = std::max(largest, most);
  }
};

/// Returns the number of edges in one turn of a thread. A few thousand edges are worth one more thread, because they take longer than
/// engaging it. If there are enough edges, each thread gets several turns, so that a thread which comes late does not keep the others
/// waiting.
template <class Backend>
std::size_t edges_in_turn(const Backend& loops, std::size_t edges, std::size_t worth_a_thread) noexcept {
  constexpr std::size_t most = std::size_t{1} << 14;
  const std::size_t threads = std::clamp<std::size_t>(edges / worth_a_thread, 1, loops.threads());
  const std::size_t turns = std::clamp<std::size_t>(edges / (threads * worth_a_thread), 1, 16);
  return std::min(most, (edges + threads * turns - 1) / (threads * turns));
}

/// Unites edges and notes links. Returns how many edges it has united: all, or those before it met an id for which the forest has no room.
template <class Unite, class P, class Forest, class Id, class Notes>
std::size_t insert_noting(P p, Forest& trees, std::span<const edge<Id>> edges, const fast::giant_filter<Id>& filter, Notes notes) {
  if (filter.inside.words != nullptr) return fast::unite_range_past<Unite>(p, trees.words(), edges, 0, edges.size(), filter, notes);
  return fast::unite_range<Unite, fast::asked_ahead::grandparents>(p, trees.words(), edges, 0, edges.size(), notes, filter.limit);
}

/// Inserts the edges of one turn, skipping those inside the giant. `Alone`: no other thread works at the same time, so plain stores
/// suffice.
template <bool Alone, class Backend, class Id>
std::size_t insert_turn(growing_forest<Backend, Id>& trees, std::span<const edge<Id>> edges, const fast::giant_filter<Id>& filter) {
  using forest = growing_forest<Backend, Id>;
  using unite = std::conditional_t<Alone, fast::unite_of<backend::serial>, fast::unite_of<Backend>>;
  const auto p = [&] {
    if constexpr (Alone) {
      return trees.of_one_thread();
    } else {
      return trees.plain();
    }
  }();
  if (all_exist(trees) && trees.link_slots() == nullptr) {
    return insert_noting<unite>(p, trees, edges, filter, link_count<forest>{trees});
  }
  return insert_noting<unite>(p, trees, edges, filter, link_notes < forest, Id, !Alone && Backend::concurrent > {trees});
}

/// Sorts edges by ranges of vertices, and inserts them range by range (fast/unite_by_ranges.hpp). This is for the time before a giant is
/// known, when many edges link trees that are not deep yet. Edges with an end for which the forest has no room are added to `left`. It is
/// not used if links are recorded, because a recorded link must be an edge as it was inserted. It is not used either if some vertices may
/// not exist. It may replace the parent of a vertex u, and a root that is then linked to u is hooked under the new parent, which may be no
/// end of an edge that made a link; only such ends are marked as existing, because marking all ends would cost what the ranges gain.
/// Returns false if nothing was done.
template <class Backend, class Id>
bool insert_by_ranges(const Backend& loops, growing_forest<Backend, Id>& trees, std::span<const edge<Id>> edges, left_turns<Id>& left) {
  const bool any_ranges = trees.giant().options().any_ranges;
  const bool early = trees.giant().inside().words == nullptr && (any_ranges || 2 * trees.links() <= trees.slots());
  if (!early || !all_exist(trees) || trees.link_slots() != nullptr || trees.slots() == 0) {
    trees.drop_ranges();
    return false;
  }
  if (!any_ranges && !fast::suits_ranges(loops.threads(), edges, edges.size(), trees.slots(), trees.links())) return false;
  auto* const ranges = trees.ranges(loops.threads());
  if (ranges == nullptr) return false;
  fast::unite_by_ranges<fast::unite_of<Backend>>(
      loops, *ranges, trees.plain(), trees.words(), edges, edges.size(),
      [&trees] { return link_count<growing_forest<Backend, Id>>{trees}; },
      [&](std::size_t begin, std::size_t end) { left.add(edges, begin, end); });
  return true;
}

/// Inserts edges, skipping those inside the giant. The forest grows as ids need. Throws input_error for the id no_vertex; other edges may
/// have been inserted then.
template <class Backend, class Id>
void insert_past_giant(const Backend& loops, growing_forest<Backend, Id>& trees, std::span<const edge<Id>> edges) {
  auto& giant = trees.giant();
  const bool named = trees.link_slots() == nullptr;  // true: the filter may replace ends by the giant; recorded links need them unchanged
  while (!edges.empty()) {
    const auto part = edges.first(giant.before(loops, trees.plain(), trees.words(), trees.slots(), trees.links() != 0, edges));
    left_turns<Id> left;
    const std::size_t turn_edges = edges_in_turn(loops, part.size(), giant.options().worth_a_thread);
    const auto insert_turns = [&](auto alone) {
      constexpr bool one_thread = alone();
      loops.for_chunks(part.size(), turn_edges,
                       [&trees, &left, part, filter = giant.filter(trees.slots(), named)](std::size_t begin, std::size_t end) {
                         std::size_t next = begin;
                         if (filter.limit != 0) next += insert_turn<one_thread>(trees, part.subspan(begin, end - begin), filter);
                         if (next != end) left.add(part, next, end);
                       });
    };
    const auto insert_part = [&] {
      if constexpr (Backend::concurrent) {
        if (insert_by_ranges(loops, trees, part, left)) return;
      }
      if (Backend::concurrent && turn_edges >= part.size()) {
        insert_turns(std::bool_constant<Backend::concurrent>{});
      } else {
        insert_turns(std::false_type{});
      }
    };
    insert_part();
    if (!left.ranges.empty()) {
      if (left.largest == no_vertex<Id>) {
        throw input_error{"insert: found the id " + std::to_string(no_vertex<Id>) + ", expected smaller ids, as this one is reserved"};
      }
      trees.grow(loops, left.largest + 1);
      loops.for_chunks(left.ranges.size(), 1, [&trees, &left, part, filter = giant.filter(0, named)](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
          insert_turn<false>(trees, part.subspan(left.ranges[k].first, left.ranges[k].second - left.ranges[k].first), filter);
        }
      });
    }
    edges = edges.subspan(part.size());
  }
}

}  // namespace copse::drivers
