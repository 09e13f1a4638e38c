// Wyllie's pointer jumping (thesis, Cornell 1979): every element knows the sum of the weights from it to some later element, and adds the
// sum of that element, so that the distance doubles in every round. Two arrays are used, because a round reads what the previous round
// wrote. O(n log n) work in log n passes with a random read per element: for short lists, and as the yardstick of the papers.
//
// A list of n elements is done after bit_width(n) rounds; an element that is not done then lies on a cycle.
#pragma once
#include <list_ranking/list.hpp>
#include <list_ranking/survey.hpp>

#include <bit>

namespace copse::list_ranking {

template <class Id, class V>
struct jump {
  Id next;  ///< all ones if `total` reaches the end of the list
  V total;  ///< sum of the weights from this element to the one before `next`
};

/// Sets ranks[e] to the sum of all weights from e to the end of its list, both included.
template <class Op, class Backend, unsigned_index Id, class Weights>
void scan_by_jumping(const Backend& loops, std::span<const Id> successors, Weights weights, std::span<typename Weights::value> ranks,
                     const list_settings& tuning, list_outcome& report) {
  using value = typename Weights::value;
  const std::size_t n = successors.size();
  buffer<jump<Id, value>> before{n, tuning.memory}, after{n, tuning.memory};
  {
    const phase_timer timing{report.phases, "check"};
    auto* const to = before.data();
    const survey seen = look_at(loops, successors, [to, weights](Id e, Id s) {
      const bool tail = s == e;
      to[e] = {tail ? no_vertex<Id> : s, weights(e, tail)};
    });
    if (seen.tails == 0 && n != 0) throw broken_list{};
    report.lists = seen.tails;
    static_cast<void>(followers<Backend, Id>{loops, successors, n - seen.tails, tuning.memory});
  }
  const phase_timer timing{report.phases, "jump"};
  std::atomic<bool> going{n != 0};
  for (int round = 0; going.load(std::memory_order_relaxed); ++round) {
    if (round > static_cast<int>(std::bit_width(n))) throw broken_list{};
    going.store(false, std::memory_order_relaxed);
    const auto* const from = before.data();
    auto* const to = after.data();
    loops.for_blocks(n, [from, to, &going](std::size_t begin, std::size_t end) {
      bool open = false;
      for (std::size_t e = begin; e < end; ++e) {
        auto own = from[e];
        if (own.next != no_vertex<Id>) {
          const auto further = from[own.next];
          own = {further.next, Op::of(own.total, further.total)};
          open |= own.next != no_vertex<Id>;
        }
        to[e] = own;
      }
      if (open) going.store(true, std::memory_order_relaxed);
    });
    std::swap(before, after);
  }
  const auto* const done = before.data();
  value* const out = ranks.data();
  loops.for_blocks(n, [done, out](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) out[e] = done[e].total;
  });
}

}  // namespace copse::list_ranking
