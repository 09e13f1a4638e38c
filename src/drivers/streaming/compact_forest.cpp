#include <drivers/streaming/compact_forest.hpp>

#include <copse/errors.hpp>
#include <drivers/streaming/inverted_parents.hpp>

#include <algorithm>
#include <string>

namespace copse::streaming {

compact_forest::run_of_indices compact_forest::reserve(std::uint32_t count) {
  const std::lock_guard lock{growing_};
  const std::uint64_t begin = slots_;
  const std::uint64_t end = std::min(begin + count, index_limit);
  if (end == begin) {
    throw resource_error{"more than " + std::to_string(index_limit) + " distinct ids of an edge list that are sparse or strings"};
  }
  for (std::uint64_t piece = begin >> piece_bits; piece <= (end - 1) >> piece_bits; ++piece) {
    if (!owned_[piece].empty()) continue;
    buffer<std::uint32_t> fresh{std::size_t{1} << piece_bits, memory_};
    std::fill(fresh.begin(), fresh.end(), 0u);
    owned_[piece] = std::move(fresh);
    pieces_[piece].store(owned_[piece].data(), std::memory_order_release);
  }
  slots_ = end;
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

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
