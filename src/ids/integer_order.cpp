#include <core/parallel.hpp>
#include <ids/integer_order.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

namespace copse::ids {

buffer<numbered_id> order_integers(std::span<buffer<numbered_id>> parts, bool are_signed, unsigned threads,
                                   std::pmr::memory_resource* memory) {
  const auto rank = [turned = id_rank(0, are_signed)](const numbered_id& entry) { return entry.key() ^ turned; };
  constexpr std::size_t bucket_bits = 11;
  std::uint64_t count = 0;
  for (const auto& part : parts) count += part.size();
  std::atomic<std::uint64_t> smallest{UINT64_MAX}, largest{0};
  parallel_blocks(threads, parts.size(), 1, [&](std::size_t i, std::size_t) {
    std::uint64_t least = UINT64_MAX, most = 0;
    for (const numbered_id& entry : parts[i]) {
      least = std::min(least, rank(entry));
      most = std::max(most, rank(entry));
    }
    for (std::uint64_t seen = smallest; least < seen && !smallest.compare_exchange_weak(seen, least);) {
    }
    for (std::uint64_t seen = largest; most > seen && !largest.compare_exchange_weak(seen, most);) {
    }
  });
  unsigned shift = 0;
  const std::uint64_t first = smallest;
  while (count != 0 && shift + bucket_bits < 64 && (largest - first) >> (shift + bucket_bits) != 0) ++shift;
  const auto bucket_of = [first, shift, rank](const numbered_id& entry) { return (rank(entry) - first) >> shift; };
  std::array<std::atomic<std::uint64_t>, (std::size_t{1} << bucket_bits) + 1> ends{};
  parallel_blocks(threads, parts.size(), 1, [&](std::size_t i, std::size_t) {
    for (const numbered_id& entry : parts[i]) ends[bucket_of(entry) + 1].fetch_add(1, std::memory_order_relaxed);
  });
  for (std::size_t bucket = 1; bucket < ends.size(); ++bucket) ends[bucket] += ends[bucket - 1];
  // Here ends[b] is the beginning of bucket b; scattering advances it to the end of bucket b.
  buffer<numbered_id> entries{count, memory};
  parallel_blocks(threads, parts.size(), 1, [&](std::size_t i, std::size_t) {
    for (const numbered_id& entry : parts[i]) entries[ends[bucket_of(entry)].fetch_add(1, std::memory_order_relaxed)] = entry;
    parts[i] = {};
  });
  parallel_blocks(threads, ends.size() - 1, 1, [&](std::size_t bucket, std::size_t) {
    numbered_id* begin = entries.data() + (bucket == 0 ? 0 : ends[bucket - 1].load(std::memory_order_relaxed));
    numbered_id* end = entries.data() + ends[bucket].load(std::memory_order_relaxed);
    std::sort(begin, end, [rank](const numbered_id& a, const numbered_id& b) { return rank(a) < rank(b); });
  });
  return entries;
}

ordered_ids apart(const buffer<numbered_id>& entries, bool are_signed, unsigned threads, std::pmr::memory_resource* memory,
                  const std::function<void(std::span<std::uint64_t>)>& rename) {
  buffer<std::uint64_t> names{entries.size(), memory};
  buffer<std::uint32_t> numbers{entries.size(), memory};
  parallel_blocks(threads, entries.size(), ids_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      names[i] = entries[i].key();
      numbers[i] = entries[i].index;
    }
  });
  if (rename) rename(names.span());
  return {vertex_names::integers(std::move(names), are_signed), std::move(numbers)};
}

}  // namespace copse::ids
