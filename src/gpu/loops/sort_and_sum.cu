#include <gpu/loops/sort_and_sum.hpp>

#include <copse/memory.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/runtime/gpu.hpp>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace copse::backend {

void sort_by_keys(cudaStream_t stream, std::pmr::memory_resource* memory, std::uint32_t* keys, const sorted_item* from, sorted_item* to,
                  std::size_t count, int bits) {
  buffer<std::uint32_t> sorted{count, memory};
  std::size_t bytes = 0;
  checked(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, sorted.data(), from, to, count, 0, bits, stream),
          "asking for room to sort");
  buffer<std::byte> room{bytes, memory};
  checked(cub::DeviceRadixSort::SortPairs(room.data(), bytes, keys, sorted.data(), from, to, count, 0, bits, stream), "sorting");
}

void prefix_sums_async(const gpu& on, std::pmr::memory_resource* memory, std::uint64_t* counts, std::size_t items) {
  const cuda loops{on, memory, nullptr, 0};
  loops.clear(counts + items, sizeof(std::uint64_t));
  std::size_t bytes = 0;
  checked(cub::DeviceScan::ExclusiveSum(nullptr, bytes, counts, counts, items + 1, on.stream()), "asking for room to sum");
  buffer<std::byte> room{bytes, memory};
  checked(cub::DeviceScan::ExclusiveSum(room.data(), bytes, counts, counts, items + 1, on.stream()), "summing");
}

std::uint64_t prefix_sums(const gpu& on, std::pmr::memory_resource* memory, std::uint64_t* counts, std::size_t items) {
  prefix_sums_async(on, memory, counts, items);
  return cuda{on, memory, nullptr, 0}.fetched(counts + items);
}

}  // namespace copse::backend
