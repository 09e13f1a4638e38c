// Changes of many vertices at once, where each vertex belongs to one worker.
#pragma once
#include <core/team.hpp>
#include <dynamic/connectivity.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace copse::dynamics {

/// For each item below `items` and each pair of vertices that pairs_of(item, add) passes to add(from, to, is_of_tree), at most two per
/// item, calls change(item, from, to, blocks). The calls for the same `from` are made by one worker, in the order of items. They may change
/// the set of `from`, using `blocks`; if is_of_tree is true, also the children of `from`, of which `to` is one or becomes one. pairs_of()
/// is called once for each item, by several workers; vertices of earlier items may have changed before.
///
/// Cost: 32 bytes for each of the first `items_at_once` items per worker, which are kept for the next call.
template <class PairsOf, class Change>
void dynamic_components::on_owners(std::size_t items, PairsOf pairs_of, Change change) {
  constexpr std::size_t worth_a_thread = 128, items_at_once = 4096, nodes_ahead = 32, sets_ahead = 16;
  const auto workers = static_cast<unsigned>(std::clamp<std::size_t>(items / worth_a_thread, 1, threads_));
  const auto worker_of = [workers](std::uint32_t v) {  // the two vertices in a cache line have the same worker
    return static_cast<unsigned>(std::uint64_t{(v / 2) * 0x9E3779B1u} * workers >> 32);
  };
  const std::span shares = sets_.shares(workers);
  std::vector<std::vector<std::vector<half_edge>>>& found = half_edges_;
  if (found.size() < workers) found.resize(workers);
  for (std::size_t begin = 0; begin < items; begin += items_at_once * workers) {
    const std::size_t count = std::min(items - begin, items_at_once * workers);
    on_workers(workers, [&](unsigned worker) {
      std::vector<std::vector<half_edge>> here = std::exchange(found[worker], {});
      if (here.size() < workers) here.resize(workers);
      for (auto& halves : here) halves.clear();
      for (std::size_t i = begin + count * worker / workers; i < begin + count * (worker + 1) / workers; ++i) {
        pairs_of(i, [&](std::uint32_t from, std::uint32_t to, bool is_of_tree) {
          here[worker_of(from)].push_back({from, to, static_cast<std::uint32_t>(i - begin), is_of_tree});
        });
      }
      found[worker] = std::move(here);
    });
    on_workers(workers, [&](unsigned worker) {
      std::vector<half_edge> halves = std::move(found.front()[worker]);
      for (unsigned finder = 1; finder < workers; ++finder)
        halves.insert(halves.end(), found[finder][worker].begin(), found[finder][worker].end());
      for (std::size_t i = 0; i < halves.size() + nodes_ahead; ++i) {
        if (i < halves.size()) {
          __builtin_prefetch(&nodes_[halves[i].from]);
          if (halves[i].is_of_tree) __builtin_prefetch(&nodes_[halves[i].to]);
        }
        if (i >= sets_ahead && i - sets_ahead < halves.size()) {
          const half_edge& soon = halves[i - sets_ahead];
          sets_.prefetch(nodes_[soon.from].outside, soon.to);
          if (soon.is_of_tree) prefetch_siblings(soon.to, soon.from);
        }
        if (i < nodes_ahead) continue;
        const half_edge& now = halves[i - nodes_ahead];
        change(begin + now.item, now.from, now.to, shares[worker]);
      }
      found.front()[worker] = std::move(halves);  // for its memory
    });
  }
}

}  // namespace copse::dynamics
