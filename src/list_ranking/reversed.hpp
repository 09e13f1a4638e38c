// The same lists from their other ends: predecessors for successors. A rank to the end of one is a rank from the head of the other.
#pragma once
#include <list_ranking/settings.hpp>
#include <list_ranking/survey.hpp>

namespace copse::list_ranking {

/// Heads become tails. Throws broken_list unless no element is out of range or follows two.
template <class Backend, unsigned_index Id>
buffer<Id> reversed(const Backend& loops, std::span<const Id> successors, const settings& tuning, outcome& report) {
  const phase_timer timing{report.phases, "reverse"};
  buffer<Id> predecessors{successors.size(), tuning.memory};
  Id* const to = predecessors.data();
  const survey seen = look_at(loops, successors, [to](Id e, Id) { to[e] = e; });
  static_cast<void>(followers<Backend, Id>{loops, successors, successors.size() - seen.tails, tuning.memory});
  loops.for_blocks(successors.size(), [to, successors](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Id e = static_cast<Id>(i);
      if (!ends_at(e, successors[i])) to[successors[i]] = e;
    }
  });
  return predecessors;
}

}  // namespace copse::list_ranking
