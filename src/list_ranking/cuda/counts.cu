// Distances: weights of one per link, 32 bits wide.
#include <list_ranking/cuda/fis.cuh>
#include <list_ranking/cuda/wyllie.cuh>

namespace copse::list_ranking {

void count_lists(const gpu_task& task, gpu_list successors, std::span<id> ranks) {
  const backend::cuda loops{task.on, task.memory, task.watcher, 0};
  if (task.job.method == algorithm::helman_jaja) return count_by_sublists(task, loops, successors, ranks);
  buffer<id> reversed_list;
  if (task.tuning.from == rank_origin::head) {
    reversed_list = reversed(loops, successors);
    task.laps.lap("reverse");
    successors = reversed_list.span();
  }
  if (task.job.method == algorithm::wyllie) return scan_by_jumping<sum>(task, loops, successors, link_weights<id>{}, ranks.data());
  scan_by_independent_sets<sum>(task, loops, successors, link_weights<id>{}, ranks.data());
}

}  // namespace copse::list_ranking
