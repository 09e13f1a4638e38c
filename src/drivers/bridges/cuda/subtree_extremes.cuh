// The least or the greatest of a value over every subtree, of a forest in preorder, on a GPU: a subtree is a range of places, so it is
// whole blocks of places, which a sparse table over blocks answers at once, and the beginning and the end of a block, which a thread reads.
#pragma once
#include <copse/memory.hpp>
#include <gpu/loops/cuda.cuh>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace copse::drivers {

inline constexpr std::size_t places_a_block = 32;

struct least {
  __device__ static std::uint32_t of(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }
};
struct greatest {
  __device__ static std::uint32_t of(std::uint32_t a, std::uint32_t b) { return a < b ? b : a; }
};

template <class Extreme>
struct survey_block {
  const std::uint32_t* values;
  std::size_t n;
  std::uint32_t* table;
  __device__ void operator()(std::size_t b) const {
    const std::size_t end = b * places_a_block + places_a_block < n ? b * places_a_block + places_a_block : n;
    std::uint32_t found = values[b * places_a_block];
    for (std::size_t p = b * places_a_block + 1; p < end; ++p) found = Extreme::of(found, values[p]);
    table[b] = found;
  }
};

/// A level of the table: of twice as many blocks.
template <class Extreme>
struct widen {
  const std::uint32_t* narrow;
  std::uint32_t* wide;
  std::size_t distance;
  __device__ void operator()(std::size_t b) const { wide[b] = Extreme::of(narrow[b], narrow[b + distance]); }
};

/// In place: what another thread has written meanwhile is the extreme of a subtree inside this one, which changes nothing.
template <class Extreme>
struct look_below {
  volatile std::uint32_t* values;
  const std::uint32_t* ends;
  const std::uint32_t* table;  ///< levels one behind the other, each of `blocks`
  std::size_t blocks;
  __device__ void operator()(std::size_t p) const {
    const std::size_t last = ends[p], first_whole = (p + places_a_block - 1) / places_a_block, behind_whole = last / places_a_block;
    std::uint32_t found = values[p];
    if (first_whole < behind_whole) {
      const unsigned level = 31 - __clz(static_cast<unsigned>(behind_whole - first_whole));
      const std::uint32_t* const row = table + level * blocks;
      found = Extreme::of(found, Extreme::of(row[first_whole], row[behind_whole - (std::size_t{1} << level)]));
      for (std::size_t q = p; q < first_whole * places_a_block; ++q) found = Extreme::of(found, values[q]);
      for (std::size_t q = behind_whole * places_a_block; q < last; ++q) found = Extreme::of(found, values[q]);
    } else {
      for (std::size_t q = p; q < last; ++q) found = Extreme::of(found, values[q]);
    }
    values[p] = found;
  }
};

/// values[p] becomes the extreme of values[p] .. values[ends[p] - 1]. 4 bytes for each level and block.
template <class Extreme>
void spread_upwards(const backend::cuda& loops, std::uint32_t* values, const std::uint32_t* ends, std::size_t n) {
  if (n == 0) return;
  const std::size_t blocks = (n + places_a_block - 1) / places_a_block;
  buffer<std::uint32_t> table{blocks * static_cast<std::size_t>(std::bit_width(blocks)), loops.memory()};
  loops.for_each(blocks, survey_block<Extreme>{values, n, table.data()});
  std::uint32_t* level = table.data();
  for (std::size_t width = 1; 2 * width <= blocks; width *= 2, level += blocks)
    loops.for_each(blocks - 2 * width + 1, widen<Extreme>{level, level + blocks, width});
  loops.for_each(n, look_below<Extreme>{values, ends, table.data(), blocks});
}

}  // namespace copse::drivers
