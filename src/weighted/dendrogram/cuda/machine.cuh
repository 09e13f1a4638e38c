// What merge_tree.hpp runs on: one GPU.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/memory.hpp>
#include <gpu/loops/cuda.cuh>
#include <gpu/steps/go_up.cuh>
#include <weighted/dendrogram/steps.hpp>

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include <bit>
#include <cstddef>
#include <cstdint>

#include <cuda/atomic>

namespace copse::weighted {

/// Accesses that threads share, all relaxed: kernels end before what they wrote is read.
struct gpu_words {
  template <class Word>
  COPSE_HOST_DEVICE static void store(Word& word, Word value) {
    *static_cast<volatile Word*>(&word) = value;
  }
  /// Looks before it writes.
  template <class Word>
  COPSE_HOST_DEVICE static void lower(Word& word, Word value) {
    const ::cuda::atomic_ref<Word, ::cuda::thread_scope_device> shared{word};
    if (value < shared.load(::cuda::memory_order_relaxed)) shared.fetch_min(value, ::cuda::memory_order_relaxed);
  }
};

template <class T>
struct fill_with {
  T* first;
  T value;
  __device__ void operator()(std::size_t i) const { first[i] = value; }
};
struct count_up {
  std::uint32_t* first;
  __device__ void operator()(std::size_t i) const { first[i] = static_cast<std::uint32_t>(i); }
};

struct find_position {
  std::size_t tree;
  const std::uint32_t *chains, *order;
  std::size_t count;
  std::uint32_t* found;
  __device__ void operator()(std::size_t) const {
    std::size_t first = 0, last = count;
    while (first < last) {
      const std::size_t middle = first + (last - first) / 2;
      if (chains[order[middle]] < tree) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    *found = static_cast<std::uint32_t>(first);
  }
};

class gpu_machine {
public:
  using words = gpu_words;
  using id = std::uint32_t;

  explicit gpu_machine(const backend::cuda& loops) : loops_{loops}, word_{1, loops.memory()} {}

  template <class T>
  [[nodiscard]] buffer<T> make(std::size_t count) const {
    return buffer<T>{count, loops_.memory()};
  }
  template <class F>
  void for_each(std::size_t count, F f) const {
    loops_.for_each(count, f);
  }
  template <class T>
  void fill(T* first, std::size_t count, T value) const {
    loops_.for_each(count, fill_with<T>{first, value});
  }
  template <class Wanted>
  std::size_t ascending(std::size_t count, Wanted wanted, id* to) const {
    if (count == 0) return 0;
    const auto select = [&](void* room, std::size_t& bytes) {
      return cub::DeviceSelect::If(room, bytes, thrust::counting_iterator<id>{0}, to, word_.data(), static_cast<std::int64_t>(count),
                                   wanted, loops_.stream());
    };
    with_room("selecting", select);
    return loops_.fetched(word_.data());
  }
  void group(const id* keys, std::size_t count, std::size_t limit, id* order) const {
    buffer<id> numbers{count, loops_.memory()};
    loops_.for_each(count, count_up{numbers.data()});
    sort(keys, numbers.data(), order, count, static_cast<int>(std::bit_width(limit)));
  }
  void sum_up(id* values, std::size_t count) const {
    if (count == 0) return;
    with_room("summing", [&](void* room, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveSum(room, bytes, values, values, static_cast<std::int64_t>(count), loops_.stream());
    });
  }
  void lower_firsts(joining::edges_view<id> edges, std::size_t count, id* firsts) const {
    loops_.for_each(count, joining::offer_first<words, id>{edges, firsts});
  }
  /// How many of the sorted edges are in chains below `tree`.
  [[nodiscard]] std::size_t position_of(std::size_t tree, const id* chains, const id* order, std::size_t count) const {
    loops_.for_each(1, find_position{tree, chains, order, count, word_.data()});
    return loops_.fetched(word_.data());
  }
  void flatten(id* up, std::size_t count) const { backend::flatten_upwards(loops_, up, count, word_.data()); }

  /// `to` = the values in the order of their keys, of which the lowest `bits` count; of equal keys in their own.
  template <class Key>
  void sort(const Key* keys, const id* values, id* to, std::size_t count, int bits) const {
    if (count == 0) return;
    buffer<Key> sorted{count, loops_.memory()};
    with_room("sorting", [&](void* room, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(room, bytes, keys, sorted.data(), values, to, count, 0, bits, loops_.stream());
    });
  }

private:
  template <class Run>
  void with_room(const char* doing, Run run) const {
    std::size_t bytes = 0;
    backend::checked(run(nullptr, bytes), doing);
    const buffer<std::byte> room{bytes, loops_.memory()};
    backend::checked(run(const_cast<std::byte*>(room.data()), bytes), doing);
  }

  const backend::cuda& loops_;
  mutable buffer<id> word_;
};

}  // namespace copse::weighted
