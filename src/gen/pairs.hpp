// Numbers the n (n - 1) / 2 unordered pairs of n vertices without a square root: pair k joins vertex u = k mod n and vertex (u + 1 + k / n)
// mod n. If vertices are arranged on a circle, the pairs at distance 1 come first, then those at distance 2, and so on. Each distance has n
// pairs, except that for even n the last distance, n / 2, has n / 2 pairs.
#pragma once
#include <copse/extend/host_device.hpp>
#include <copse/views.hpp>

#include <cstdint>

namespace copse::gen {

/// The largest n whose number of pairs fits 64 bits.
inline constexpr std::uint64_t most_vertices_with_pairs = 6074001000;

COPSE_HOST_DEVICE constexpr std::uint64_t pair_count(std::uint64_t n) noexcept {
  return n % 2 == 0 ? (n == 0 ? 0 : n / 2 * (n - 1)) : (n - 1) / 2 * n;
}

template <unsigned_index Id>
COPSE_HOST_DEVICE constexpr edge<Id> pair_at(std::uint64_t k, std::uint64_t n) noexcept {
  const std::uint64_t u = k % n;
  const std::uint64_t v = u + 1 + k / n;
  return {static_cast<Id>(u), static_cast<Id>(v < n ? v : v - n)};
}

}  // namespace copse::gen
