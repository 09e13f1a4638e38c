#include "ranks.hpp"

#include <algorithm>

#include "flatten.hpp"

namespace copse::streaming {

void rank_labels(std::span<std::uint32_t> order, const compact_forest& forest, unsigned threads, std::pmr::memory_resource* memory) {
  const plain_inverted parents{forest.words()};
  buffer<std::uint32_t> first{forest.slots(), memory};
  std::fill(first.begin(), first.end(), no_vertex<std::uint32_t>);
  if (threads <= 1) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      std::uint32_t& least = first[parents.load(order[i])];
      if (least == no_vertex<std::uint32_t>) least = static_cast<std::uint32_t>(i);
      order[i] = least;
    }
    return;
  }
  parallel_blocks(threads, order.size(), flatten_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      order[i] = parents.load(order[i]);
      const std::atomic_ref<std::uint32_t> least{first[order[i]]};
      std::uint32_t seen = least.load(std::memory_order_relaxed);
      while (i < seen && !least.compare_exchange_weak(seen, static_cast<std::uint32_t>(i), std::memory_order_relaxed)) {
      }
    }
  });
  parallel_blocks(threads, order.size(), flatten_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) order[i] = first[order[i]];
  });
}

}  // namespace copse::streaming
