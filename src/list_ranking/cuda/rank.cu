// Compiles the kernels for distances, which are 32-bit sums of one per link, and for 64-bit weights that are combined by any operation.
#include <list_ranking/cuda/fis.cuh>
#include <list_ranking/cuda/wyllie.cuh>

namespace copse::list_ranking {

void count_lists(const gpu_task& task, gpu_list successors, std::span<id> ranks) {
  const backend::cuda loops{task.on, task.memory, task.watcher, 0};
  if (task.job.method == list_algorithm::helman_jaja) return count_by_sublists(task, loops, successors, ranks);
  buffer<id> reversed_list;
  if (task.tuning.from == rank_origin::head) {
    reversed_list = reversed(loops, successors);
    task.laps.lap("reverse");
    successors = reversed_list.span();
  }
  if (task.job.method == list_algorithm::wyllie) return scan_by_jumping<sum>(task, loops, successors, link_weights<id>{}, ranks.data());
  scan_by_independent_sets<sum>(task, loops, successors, link_weights<id>{}, ranks.data());
}

namespace {

template <class Op>
void scan(const gpu_task& task, gpu_list successors, const std::int64_t* weights, std::int64_t* ranks) {
  const backend::cuda loops{task.on, task.memory, task.watcher, 0};
  const given_weights<std::int64_t> given{weights};
  const bool from_head = task.job.method == list_algorithm::helman_jaja;
  buffer<id> reversed_list;
  if (from_head != (task.tuning.from == rank_origin::head)) {
    reversed_list = reversed(loops, successors);
    task.laps.lap("reverse");
    successors = reversed_list.span();
  }
  if (task.job.method == list_algorithm::wyllie) return scan_by_jumping<Op>(task, loops, successors, given, ranks);
  if (task.job.method == list_algorithm::fis) return scan_by_independent_sets<Op>(task, loops, successors, given, ranks);
  scan_by_sublists<Op>(task, loops, successors, given, ranks);
  task.laps.lap("walk");
}

}  // namespace

void scan_lists(const gpu_task& task, gpu_list successors, std::span<const std::int64_t> weights, rank_operation operation,
                std::span<std::int64_t> ranks) {
  switch (operation) {
    case rank_operation::sum:
      return scan<sum>(task, successors, weights.data(), ranks.data());
    case rank_operation::min:
      return scan<minimum>(task, successors, weights.data(), ranks.data());
    case rank_operation::max:
      return scan<maximum>(task, successors, weights.data(), ranks.data());
  }
}

}  // namespace copse::list_ranking
