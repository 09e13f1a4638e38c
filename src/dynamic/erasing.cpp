// Edges outside the forest that leave together.
//
// Idea: each vertex belongs to one worker, so that no two workers change the same set. Every worker looks at all edges, and erases from the
// sets of its vertices in the order of the edges, so that both ends agree which of several equal edges was the one that left.
#include <core/team.hpp>
#include <dynamic/connectivity.hpp>

#include <algorithm>
#include <atomic>

namespace copse::dynamics {

void dynamic_components::erase_outside(std::span<const pair> edges, std::span<unsigned char> has_left) {
  constexpr std::size_t worth_a_thread = 2048, edges_at_once = 4096, nodes_ahead = 32, sets_ahead = 16;
  struct half_edge {
    std::uint32_t from, to;
    std::uint32_t edge;  // at the first end of an edge its index in `edges`, so that has_left is set once; none at its second end
  };
  const auto workers = static_cast<unsigned>(std::clamp<std::size_t>(edges.size() / worth_a_thread, 1, threads_));
  const auto worker_of = [workers](std::uint32_t v) {  // the two vertices in a cache line have the same worker
    return static_cast<unsigned>(std::uint64_t{(v / 2) * 0x9E3779B1u} * workers >> 32);
  };
  sets_.prepare_shares();
  std::atomic<std::uint64_t> erased{0};
  on_workers(workers, [&](unsigned worker) {
    neighbour_sets::share blocks = sets_.take_share();
    std::vector<half_edge> halves(2 * std::min(edges.size(), edges_at_once));
    std::uint64_t here = 0;
    for (std::size_t begin = 0; begin < edges.size(); begin += edges_at_once) {
      std::size_t count = 0;
      for (std::size_t i = begin; i < std::min(edges.size(), begin + edges_at_once); ++i) {
        const auto [u, v] = edges[i];
        if (std::max(u, v) >= slots()) continue;
        halves[count] = {u, v, static_cast<std::uint32_t>(i)};
        count += worker_of(u) == worker ? 1 : 0;
        if (u == v) continue;
        halves[count] = {v, u, none};
        count += worker_of(v) == worker ? 1 : 0;
      }
      for (std::size_t i = 0; i < count + nodes_ahead; ++i) {
        if (i < count) __builtin_prefetch(&nodes_[halves[i].from]);
        if (i >= sets_ahead && i - sets_ahead < count) {
          const half_edge& soon = halves[i - sets_ahead];
          sets_.prefetch(nodes_[soon.from].outside, soon.to);
        }
        if (i < nodes_ahead) continue;
        const half_edge& half = halves[i - nodes_ahead];
        if (!sets_.erase(nodes_[half.from].outside, half.to, blocks) || half.edge == none) continue;
        has_left[half.edge] = 1;
        ++here;
      }
    }
    erased.fetch_add(here, std::memory_order_relaxed);
  });
  edges_ -= erased;
}

}  // namespace copse::dynamics
