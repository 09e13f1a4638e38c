// The input of list ranking: elements 0 .. n - 1, each with the element after it, and their weights. Also the settings and the report of an
// algorithm.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/list_ranking.hpp>
#include <copse/types.hpp>
#include <core/phase_times.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory_resource>
#include <span>

namespace copse::list_ranking {

/// True if a list ends at e. An end is written in two ways: e follows itself, or its successor is all ones (-1 in a signed array).
template <unsigned_index Id>
COPSE_HOST_DEVICE constexpr bool ends_at(Id e, Id successor) noexcept {
  return successor == e || successor == no_vertex<Id>;
}

/// Thrown by algorithms that notice a fault of a list. diagnose() then finds out, in as much time as it takes, what the fault is and where
/// the first one is.
struct broken_list {};

/// Throws the list_error of the first fault: a successor out of range, an element that follows two others, or the smallest element of a
/// cycle. Serial. Returns if there is no fault.
template <unsigned_index Id>
void diagnose(std::span<const Id> successors, std::pmr::memory_resource* memory);

/// 0 + 1 + ... + (n - 1), modulo 2^64.
COPSE_HOST_DEVICE constexpr std::uint64_t sum_below(std::uint64_t n) noexcept { return n % 2 == 0 ? n / 2 * (n - 1) : n * ((n - 1) / 2); }

/// The operations that combine two weights. All are associative and commutative, and have a neutral element.
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

// Sources of weights: an array, or the links themselves, each of which counts as 1.

/// Returns the weight of element e; `tail` is true if a list ends at e.
template <class V>
struct given_weights {
  using value = V;
  const V* weights;
  COPSE_HOST_DEVICE V operator()(std::size_t e, bool /*tail*/) const noexcept { return weights[e]; }
};

/// Every element but a tail has weight 1 for the link after it, so that the sum to the end is a distance.
template <class V>
struct link_weights {
  using value = V;
  COPSE_HOST_DEVICE V operator()(std::size_t /*e*/, bool tail) const noexcept { return tail ? 0 : 1; }
};

struct list_settings {
  rank_origin from = rank_origin::end;
  unsigned rounds = 0;
  std::uint64_t splitters = 0;
  unsigned in_flight = 64;
  std::uint64_t seed = 1;
  /// When helman_jaja counts elements, a sublist of more than 2^local_bits_at_most elements continues as another sublist; it has fewer
  /// elements if a word has fewer bits for positions. Tests make it small.
  unsigned local_bits_at_most = 64;
  /// On a GPU, helman_jaja counts lists of at least this many elements by writing down each visit in consecutive memory, instead of at the
  /// element (cuda/visits.cuh). Tests make it small.
  std::uint64_t notes_from = std::uint64_t{3} << 23;
  std::pmr::memory_resource* memory = host_memory();
};

struct list_outcome {
  std::uint64_t lists = 0;
  phase_times phases;
  std::vector<rank_round> rounds;
};

}  // namespace copse::list_ranking
