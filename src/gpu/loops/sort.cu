#include <copse/memory.hpp>
#include <gpu/loops/sort.hpp>
#include <gpu/runtime/checked.hpp>

#include <cub/device/device_radix_sort.cuh>

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

}  // namespace copse::backend
