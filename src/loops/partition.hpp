// Radix partition: groups items by their bucket, in two passes over the items. The order within a bucket is arbitrary.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::backend {

inline constexpr std::size_t partition_buckets = 1024;

/// A division of the vertices into at most 2^bits blocks of 2^shift vertices.
struct block_partition {
  int shift, bits;
};

/// Returns a division of the vertices into at most partition_buckets blocks, whose 32-bit words fill at least a cache line each.
template <class Backend, class Id>
block_partition blocks_of(const Backend& /*loops*/, Id vertices) {
  constexpr int line_bits = 4, buckets_bits = std::countr_zero(partition_buckets);
  return {std::max(line_bits, static_cast<int>(std::bit_width(vertices)) - buckets_bits), buckets_bits};
}

/// Copies the items of `from` to `to`, those of bucket 0 first. Preconditions: bucket_of(item) < partition_buckets, and `to` has room for
/// all items. The bits of a bucket's number are needed by GPUs only.
template <class Backend, class T, class BucketOf>
void partition(const Backend& loops, std::span<const T> from, T* to, BucketOf bucket_of, int /*bits*/ = 0) {
  std::array<std::atomic<std::size_t>, partition_buckets> places{};
  const auto counts_of = [=](std::size_t begin, std::size_t end) {
    std::array<std::size_t, partition_buckets> counts{};
    for (std::size_t i = begin; i < end; ++i) ++counts[bucket_of(from[i])];
    return counts;
  };
  loops.for_blocks(from.size(), [&](std::size_t begin, std::size_t end) {
    const auto counts = counts_of(begin, end);
    for (std::size_t k = 0; k < counts.size(); ++k) {
      if (counts[k] > 0) places[k].fetch_add(counts[k], std::memory_order_relaxed);
    }
  });
  std::size_t before = 0;
  for (auto& place : places) {
    const std::size_t count = place.load(std::memory_order_relaxed);
    place.store(before, std::memory_order_relaxed);
    before += count;
  }
  loops.for_blocks(from.size(), [&](std::size_t begin, std::size_t end) {
    auto own = counts_of(begin, end);
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (own[k] > 0) own[k] = places[k].fetch_add(own[k], std::memory_order_relaxed);
    }
    for (std::size_t i = begin; i < end; ++i) to[own[bucket_of(from[i])]++] = from[i];
  });
}

}  // namespace copse::backend
