// Pairs of vertices in the order in which clusters take them: by descending score, and pairs of equal score by their ends in ascending
// order.
#pragma once
#include <copse/types.hpp>

#include <bit>
#include <compare>
#include <cstdint>

namespace copse::clusters {

/// Returns a key that ascends as scores descend. Positive and negative zero have the same key.
inline std::uint64_t key_of(double score) noexcept {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(score + 0.0);
  return (bits & sign) != 0 ? bits : ~(bits | sign);
}
/// The inverse of key_of().
inline double score_of(std::uint64_t key) noexcept {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>((key & sign) != 0 ? key : ~key & ~sign);
}

template <unsigned_index Id>
struct scored_pair {
  std::uint64_t key;  ///< key_of(score): smaller for a higher score
  Id u, v;            ///< u < v
  friend auto operator<=>(const scored_pair&, const scored_pair&) = default;
};

template <unsigned_index Id>
scored_pair<Id> pair_of(Id u, Id v, double score) noexcept {
  return u < v ? scored_pair<Id>{key_of(score), u, v} : scored_pair<Id>{key_of(score), v, u};
}

}  // namespace copse::clusters
