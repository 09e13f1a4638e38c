// Many small components, as matching records give. The ids are cut into runs of 64 times the largest size; a run is cut into clusters of 2
// to `largest` vertices one after the other (the last takes what is left, maybe a single vertex), each a random recursive tree. A run is a
// block: it depends on nothing before it.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/views.hpp>
#include <core/random.hpp>

#include <cstdint>

namespace copse::gen {

struct cluster_edges {
  random_stream sizes;
  random_stream random;
  std::uint64_t n;
  std::uint64_t largest;
  std::uint64_t run;

  COPSE_HOST_DEVICE std::uint64_t run_end(std::uint64_t block) const noexcept { return n - block * run < run ? n : (block + 1) * run; }

  COPSE_HOST_DEVICE std::uint64_t cluster_size(std::uint64_t first, std::uint64_t end) const noexcept {
    const std::uint64_t size = 2 + sizes.below(first, largest - 1);
    return size < end - first ? size : end - first;
  }

  COPSE_HOST_DEVICE std::uint64_t count(std::uint64_t block) const noexcept {
    const std::uint64_t end = run_end(block);
    std::uint64_t edges = 0;
    for (std::uint64_t first = block * run; first < end;) {
      const std::uint64_t size = cluster_size(first, end);
      edges += size - 1;
      first += size;
    }
    return edges;
  }

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id>* fill(std::uint64_t block, edge<Id>* out) const noexcept {
    const std::uint64_t end = run_end(block);
    for (std::uint64_t first = block * run; first < end;) {
      const std::uint64_t size = cluster_size(first, end);
      for (std::uint64_t i = 1; i < size; ++i) {
        *out++ = {static_cast<Id>(first + i), static_cast<Id>(first + random.below(first + i, i))};
      }
      first += size;
    }
    return out;
  }
};

}  // namespace copse::gen
