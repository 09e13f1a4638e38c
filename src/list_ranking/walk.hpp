// The plain walk from every head to the end of its list, one element after the other; each element is a cache miss for which the walk must
// wait. Ranks from the head are written during the walk. Ranks to the end follow from these and the length: by one pass over the array if
// there is one list, by a second walk of each list if there are several. O(n), one thread. The baseline of all other algorithms.
#pragma once
#include <list_ranking/list.hpp>
#include <list_ranking/survey.hpp>

namespace copse::list_ranking {

template <class Backend, unsigned_index Id>
void count_by_walking(const Backend& loops, std::span<const Id> successors, std::span<Id> ranks, const list_settings& tuning,
                      list_outcome& report) {
  buffer<Id> heads;
  {
    const phase_timer timing{report.phases, "check"};
    heads = heads_of(loops, successors, look_at(loops, successors, [](Id, Id) {}), tuning.memory);
  }
  report.lists = heads.size();
  const phase_timer timing{report.phases, "walk"};
  const std::uint64_t n = successors.size();
  std::uint64_t reached = 0;
  for (const Id head : heads) {
    Id e = head;
    Id steps = 0;
    for (;;) {
      ranks[e] = steps++;
      if (++reached > n) throw broken_list{};
      const Id next = successors[e];
      if (ends_at(e, next)) break;
      e = next;
    }
    if (tuning.from == rank_origin::head || heads.size() == 1) continue;
    e = head;
    for (Id left = steps; left != 0; e = successors[e]) ranks[e] = --left;
  }
  if (reached != n) throw broken_list{};
  if (tuning.from == rank_origin::head || heads.size() != 1) return;
  for (Id& rank : ranks) rank = static_cast<Id>(n - 1 - rank);
}

/// Sets ranks[e] to the sum of all weights from the head of e's list to e, by one walk along each list. For sums from the end the caller
/// reverses the lists.
template <class Op, class Backend, unsigned_index Id>
void scan_by_walking(const Backend& loops, std::span<const Id> successors, std::span<const std::int64_t> weights,
                     std::span<std::int64_t> ranks, const list_settings& tuning, list_outcome& report) {
  buffer<Id> heads;
  {
    const phase_timer timing{report.phases, "check"};
    heads = heads_of(loops, successors, look_at(loops, successors, [](Id, Id) {}), tuning.memory);
  }
  report.lists = heads.size();
  const phase_timer timing{report.phases, "walk"};
  std::uint64_t reached = 0;
  for (Id e : heads) {
    std::int64_t total = Op::template neutral<std::int64_t>;
    for (;;) {
      total = Op::of(total, weights[e]);
      ranks[e] = total;
      if (++reached > successors.size()) throw broken_list{};
      const Id next = successors[e];
      if (ends_at(e, next)) break;
      e = next;
    }
  }
  if (reached != successors.size()) throw broken_list{};
}

}  // namespace copse::list_ranking
