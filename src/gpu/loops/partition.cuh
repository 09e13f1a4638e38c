// Groups items by their bucket on a GPU, as partition() of loops/partition.hpp does on the CPU: a radix sort by the bucket's number, with
// as many buckets as ids allow.
#pragma once
#include <copse/memory.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/loops/sort_and_sum.hpp>
#include <loops/partition.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::backend {

/// Blocks of 32 words, the span within which the loads of a warp merge into one access.
inline block_partition blocks_of(const cuda& /*loops*/, std::uint32_t vertices) {
  constexpr int merged_bits = 5;
  return {merged_bits, std::max(1, static_cast<int>(std::bit_width(vertices)) - merged_bits)};
}

template <class T, class BucketOf>
struct bucket_as_key {
  const T* from;
  std::uint32_t* keys;
  BucketOf bucket_of;
  __device__ void operator()(std::size_t i) const { keys[i] = static_cast<std::uint32_t>(bucket_of(from[i])); }
};

template <class T, class BucketOf>
void partition(const cuda& loops, std::span<const T> from, T* to, BucketOf bucket_of, int bits) {
  static_assert(sizeof(T) == sizeof(sorted_item));
  if (from.empty()) return;
  buffer<std::uint32_t> keys{from.size(), loops.memory()};
  loops.for_each(from.size(), bucket_as_key<T, BucketOf>{from.data(), keys.data(), bucket_of});
  loops.before_launch();
  sort_by_keys(loops.stream(), loops.memory(), keys.data(), reinterpret_cast<const sorted_item*>(from.data()),
               reinterpret_cast<sorted_item*>(to), from.size(), bits);
}

}  // namespace copse::backend
