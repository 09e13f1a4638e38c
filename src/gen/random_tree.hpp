// A random recursive tree: every vertex but the first joins a uniform vertex before it. Depth O(log n).
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/views.hpp>
#include <core/random.hpp>

#include <cstdint>

namespace copse::gen {

struct random_tree_edges {
  random_stream random;

  template <unsigned_index Id>
  COPSE_HOST_DEVICE edge<Id> at(std::uint64_t i) const noexcept {
    return {static_cast<Id>(i + 1), static_cast<Id>(random.below(i, i + 1))};
  }
};

}  // namespace copse::gen
