// Changes of many vertices at once, where each vertex belongs to one worker.
#pragma once
#include <core/team.hpp>
#include <dynamic/connectivity.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace copse::dynamics {

/// For each item below `items` and each pair of vertices that pairs_of(item, add) passes to add(from, to, is_of_tree), at most two per
/// item, calls change(item, from, to, blocks). The calls for the same `from` are made by one worker, in the order of items. They may change
/// the set of `from`, using `blocks`; if is_of_tree is true, also the children of `from`, of which `to` is one or becomes one. pairs_of()
/// is called by all workers, while vertices change.
template <class PairsOf, class Change>
void dynamic_components::on_owners(std::size_t items, PairsOf pairs_of, Change change) {
  constexpr std::size_t worth_a_thread = 128, items_at_once = 2048, nodes_ahead = 32, sets_ahead = 16;
  struct half_edge {
    std::uint32_t from, to, item;
    bool is_of_tree;
  };
  const auto workers = static_cast<unsigned>(std::clamp<std::size_t>(items / worth_a_thread, 1, threads_));
  const auto worker_of = [workers](std::uint32_t v) {  // the two vertices in a cache line have the same worker
    return static_cast<unsigned>(std::uint64_t{(v / 2) * 0x9E3779B1u} * workers >> 32);
  };
  const std::span shares = sets_.shares(workers);
  on_workers(workers, [&](unsigned worker) {
    const auto halves = std::make_unique_for_overwrite<half_edge[]>(2 * std::min(items, items_at_once));
    for (std::size_t begin = 0; begin < items; begin += items_at_once) {
      std::size_t count = 0;
      for (std::size_t i = begin; i < std::min(items, begin + items_at_once); ++i) {
        pairs_of(i, [&](std::uint32_t from, std::uint32_t to, bool is_of_tree) {
          halves[count] = {from, to, static_cast<std::uint32_t>(i), is_of_tree};
          count += worker_of(from) == worker ? 1 : 0;
        });
      }
      for (std::size_t i = 0; i < count + nodes_ahead; ++i) {
        if (i < count) {
          __builtin_prefetch(&nodes_[halves[i].from]);
          if (halves[i].is_of_tree) __builtin_prefetch(&nodes_[halves[i].to]);
        }
        if (i >= sets_ahead && i - sets_ahead < count) {
          const half_edge& soon = halves[i - sets_ahead];
          sets_.prefetch(nodes_[soon.from].outside, soon.to);
          if (soon.is_of_tree) prefetch_siblings(soon.to, soon.from);
        }
        if (i >= nodes_ahead)
          change(halves[i - nodes_ahead].item, halves[i - nodes_ahead].from, halves[i - nodes_ahead].to, shares[worker]);
      }
    }
  });
}

}  // namespace copse::dynamics
