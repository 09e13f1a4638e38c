// Hash tables of the stream are cut into shards, each behind its own lock. A worker sorts the keys of a piece of its batch by shard, so
// that it takes each lock once per piece, and so that the lookups of a piece visit one small table after the other.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace copse::streaming {

inline constexpr unsigned shard_bits = 6;
inline constexpr unsigned shard_count = 1u << shard_bits;
inline constexpr std::size_t piece_edges = 512;
inline constexpr std::size_t piece_keys = 2 * piece_edges;

/// The top bits choose the shard, the low 32 the slot.
constexpr unsigned shard_of(std::uint64_t hash) noexcept { return static_cast<unsigned>(hash >> (64 - shard_bits)); }

/// The slot where probing starts, in a table of any capacity below 2^32.
constexpr std::uint64_t first_slot(std::uint64_t hash, std::uint64_t capacity) noexcept { return (hash & 0xffffffffu) * capacity >> 32; }

/// Which keys of a piece of at most `Keys` belong to which shard.
template <std::size_t Keys>
class basic_shard_groups {
  static_assert(Keys <= std::size_t{UINT16_MAX} + 1);

public:
  void group(std::span<const std::uint64_t> hashes) noexcept {
    starts_.fill(0);
    for (const std::uint64_t hash : hashes) ++starts_[shard_of(hash) + 1];
    for (unsigned shard = 0; shard < shard_count; ++shard)
      starts_[shard + 1] = static_cast<std::uint16_t>(starts_[shard + 1] + starts_[shard]);
    std::array<std::uint16_t, shard_count> next;
    std::copy_n(starts_.begin(), shard_count, next.begin());
    for (std::size_t i = 0; i < hashes.size(); ++i) order_[next[shard_of(hashes[i])]++] = static_cast<std::uint16_t>(i);
  }
  [[nodiscard]] std::span<const std::uint16_t> of(unsigned shard) const noexcept {
    return {order_.data() + starts_[shard], order_.data() + starts_[shard + 1]};
  }

private:
  std::array<std::uint16_t, shard_count + 1> starts_{};
  std::array<std::uint16_t, Keys> order_;
};
using shard_groups = basic_shard_groups<piece_keys>;

/// What a worker needs while it looks up one piece.
template <class Key, std::size_t Keys = piece_keys>
struct lookup_scratch {
  std::array<Key, Keys> keys;
  std::array<std::uint64_t, Keys> hashes;
  std::array<std::uint32_t, Keys> indices;
  basic_shard_groups<Keys> groups;
};

}  // namespace copse::streaming
