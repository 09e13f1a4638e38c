// How two weights become one. All are associative and commutative, and have a neutral element.
#pragma once
#include <copse/extend/host_device.hpp>

#include <limits>

namespace copse::list_ranking {

struct sum {
  template <class V>
  static constexpr V neutral = 0;
  template <class V>
  COPSE_HOST_DEVICE static constexpr V of(V a, V b) noexcept {
    return static_cast<V>(a + b);
  }
};

struct minimum {
  template <class V>
  static constexpr V neutral = std::numeric_limits<V>::max();
  template <class V>
  COPSE_HOST_DEVICE static constexpr V of(V a, V b) noexcept {
    return b < a ? b : a;
  }
};

struct maximum {
  template <class V>
  static constexpr V neutral = std::numeric_limits<V>::min();
  template <class V>
  COPSE_HOST_DEVICE static constexpr V of(V a, V b) noexcept {
    return a < b ? b : a;
  }
};

}  // namespace copse::list_ranking
