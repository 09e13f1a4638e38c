// Wyllie's list ranking on a GPU: pointer jumping over all elements.
#pragma once
#include <list_ranking/cuda/jumps.cuh>
#include <list_ranking/list.hpp>

namespace copse::list_ranking {

template <class V, class Weights>
struct fill_jump {
  gpu_jump<V>* to;
  Weights weights;
  __device__ void one(id e, id s) const { to[e] = {s == e ? no_vertex<id> : s, weights(e, s == e)}; }
};
template <class V>
struct take_ranks {
  const gpu_jump<V>* from;
  V* to;
  __device__ void operator()(std::size_t e) const { to[e] = from[e].total; }
};

/// Sets ranks[e] to the sum of all weights from e to the end of its list.
template <class Op, class Weights>
void scan_by_jumping(const gpu_task& task, const backend::cuda& loops, gpu_list successors, Weights weights,
                     typename Weights::value* ranks) {
  using value = typename Weights::value;
  const std::size_t n = successors.size();
  buffer<gpu_jump<value>> jumps{n, loops.memory()};
  const gpu_survey seen = look_at(loops, successors, one_by_one<fill_jump<value, Weights>>{{jumps.data(), weights}});
  task.report.lists = seen.tails;
  static_cast<void>(followers_of(loops, successors, n - seen.tails));
  task.laps.lap("check");
  const jumped<value> done = jump_to_end<Op>(loops, std::move(jumps), n);
  if (loops.fetched(done.open.data() + done.rounds) != 0) throw broken_list{};
  loops.for_each(n, take_ranks<value>{done.totals.data(), ranks});
  task.laps.lap("jump");
}

}  // namespace copse::list_ranking
