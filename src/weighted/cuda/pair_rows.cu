#include <gpu/loops/cuda.cuh>
#include <weighted/cuda/pair_rows.hpp>

#include <cub/device/device_radix_sort.cuh>

#include <bit>
#include <cstddef>

namespace copse::weighted {
namespace {

/// Writes both arcs of edge i, as arcs 2 i and 2 i + 1. They are sorted later.
struct mirror_pair {
  pairs_view<std::uint32_t> pairs;
  unsigned bits;  ///< the number of bits of an id
  std::uint64_t* ends;
  std::uint32_t* edges;
  __device__ void operator()(std::size_t i) const {
    const std::uint64_t u = pairs.first_u[i * pairs.stride], v = pairs.first_v[i * pairs.stride];
    ends[2 * i] = u << bits | v;
    ends[2 * i + 1] = v << bits | u;
    edges[2 * i] = edges[2 * i + 1] = static_cast<std::uint32_t>(i);
  }
};

struct read_arc {
  const std::uint64_t* ends;
  const std::uint32_t *edges, *keys;
  std::uint64_t low_bits;
  std::uint32_t *targets, *arc_keys;
  __device__ void operator()(std::size_t a) const {
    targets[a] = static_cast<std::uint32_t>(ends[a] & low_bits);
    arc_keys[a] = keys[edges[a]];
  }
};

/// Finds the offset of row v, the number of arcs before it, by binary search.
struct find_offset {
  const std::uint64_t* ends;
  std::size_t arcs;
  unsigned bits;
  std::uint32_t* offsets;
  __device__ void operator()(std::size_t v) const {
    std::size_t first = 0, last = arcs;
    while (first < last) {
      const std::size_t middle = first + (last - first) / 2;
      if (ends[middle] >> bits < v) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    offsets[v] = static_cast<std::uint32_t>(first);
  }
};

struct take_place {
  const std::uint32_t *edges, *arcs;
  std::uint32_t* places;
  __device__ void operator()(std::size_t k) const { places[k] = edges[arcs[k]]; }
};

}  // namespace

pair_rows rows_of_pairs(const backend::cuda& loops, const pairs_view<std::uint32_t>& pairs, const std::uint32_t* keys) {
  std::pmr::memory_resource* const memory = loops.memory();
  const std::size_t arcs = 2 * pairs.count;
  const auto bits = static_cast<unsigned>(std::bit_width(pairs.vertices));
  pair_rows rows;
  rows.edges = buffer<std::uint32_t>{arcs, memory};
  buffer<std::uint64_t> ends{arcs, memory}, sorted{arcs, memory};
  {
    buffer<std::uint32_t> unsorted{arcs, memory};
    loops.for_each(pairs.count, mirror_pair{pairs, bits, ends.data(), unsorted.data()});
    std::size_t bytes = 0;
    const auto sort = [&](void* room) {
      backend::checked(cub::DeviceRadixSort::SortPairs(room, bytes, ends.data(), sorted.data(), unsorted.data(), rows.edges.data(), arcs, 0,
                                                       static_cast<int>(2 * bits), loops.stream()),
                       "sorting arcs");
    };
    sort(nullptr);
    buffer<std::byte> room{bytes, memory};
    sort(room.data());
  }
  ends = {};
  rows.offsets = buffer<std::uint32_t>{std::size_t{pairs.vertices} + 1, memory};
  rows.targets = buffer<std::uint32_t>{arcs, memory};
  rows.keys = buffer<std::uint32_t>{arcs, memory};
  loops.for_each(rows.offsets.size(), find_offset{sorted.data(), arcs, bits, rows.offsets.data()});
  loops.for_each(arcs,
                 read_arc{sorted.data(), rows.edges.data(), keys, (std::uint64_t{1} << bits) - 1, rows.targets.data(), rows.keys.data()});
  return rows;
}

void turn_to_places(const backend::cuda& loops, const pair_rows& rows, std::span<const std::uint32_t> arcs, std::uint32_t* places) {
  if (arcs.empty()) return;
  buffer<std::uint32_t> unsorted{arcs.size(), loops.memory()};
  loops.for_each(arcs.size(), take_place{rows.edges.data(), arcs.data(), unsorted.data()});
  std::size_t bytes = 0;
  const auto sort = [&](void* room) {
    backend::checked(cub::DeviceRadixSort::SortKeys(room, bytes, unsorted.data(), places, arcs.size(), 0, 32, loops.stream()),
                     "sorting places");
  };
  sort(nullptr);
  buffer<std::byte> room{bytes, loops.memory()};
  sort(room.data());
}

}  // namespace copse::weighted
