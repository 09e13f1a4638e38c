// Splits the keys of a look-up by shard. Hash tables are divided into shards, each with its own lock. A worker groups the keys of a piece
// by shard, so that it takes each lock once per piece, and can prefetch many keys of a shard at once.
#pragma once
#include <core/seeded_hash.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

namespace copse::ids {

inline constexpr unsigned shard_bits = 6;
inline constexpr unsigned shard_count = 1u << shard_bits;
inline constexpr std::size_t piece_edges = 2048;
inline constexpr std::size_t piece_keys = 2 * piece_edges;
/// How many keys of a shard are prefetched before the first of them is looked up: cache misses that are waited for one by one cost ten
/// times as much.
inline constexpr std::size_t keys_at_once = 64;

/// The shard of a hash: its top bits. The low 32 bits determine the slot.
constexpr unsigned shard_of(std::uint64_t hash) noexcept { return static_cast<unsigned>(hash >> (64 - shard_bits)); }

/// The slot where probing starts, in a table of any capacity below 2^32.
constexpr std::uint64_t first_slot(std::uint64_t hash, std::uint64_t capacity) noexcept { return (hash & 0xffffffffu) * capacity >> 32; }

inline constexpr std::uint64_t smallest_capacity = 64;
/// The number of slots for `keys` keys in a table that has `capacity` slots now: at most 3/4 full, grown by half.
constexpr std::uint64_t capacity_for(std::uint64_t keys, std::uint64_t capacity) noexcept {
  while (keys * 4 > capacity * 3) capacity = std::max(smallest_capacity, capacity + capacity / 2);
  return capacity;
}

/// The keys of one look-up (a piece, of at most piece_keys keys), grouped by shard.
class shard_groups {
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
  static_assert(piece_keys <= UINT16_MAX);

  std::array<std::uint16_t, shard_count + 1> starts_{};
  std::array<std::uint16_t, piece_keys> order_;
};

/// True for a use of look_up() that adds no keys.
template <class Use>
concept finds_only = requires(Use use) {
  use.miss(std::size_t{0});
};

/// The buffers that a worker needs to look up one piece of at most piece_keys keys.
template <class Key>
struct lookup_scratch {
  std::array<Key, piece_keys> keys;
  std::array<std::uint64_t, piece_keys> hashes;
  std::array<std::uint32_t, piece_keys> indices;
  shard_groups groups;
};

/// Hashes the first `count` keys of a piece and calls turn(shard, keys) for every shard that has keys, beginning with `first_shard`; `keys`
/// are indices in the piece, at most keys_at_once. If `lock`, other workers do the same concurrently: the shard's lock is held during the
/// call, and workers should begin at different shards. A shard that another worker has locked is visited later, because waiting for a lock
/// puts the thread to sleep for longer than the other worker needs.
template <class Shard, class Key, class Turn>
void in_turn(std::array<Shard, shard_count>& shards, const seeded_hash& hash, lookup_scratch<Key>& piece, std::size_t count,
             unsigned first_shard, bool lock, Turn turn) {
  for (std::size_t i = 0; i < count; ++i) piece.hashes[i] = hash(piece.keys[i]);
  piece.groups.group({piece.hashes.data(), count});
  std::array<unsigned, shard_count> open;  // shards whose keys have not been looked up yet
  std::size_t open_count = 0;
  for (unsigned step = 0; step < shard_count; ++step) {
    const unsigned number = (first_shard + step) % shard_count;
    if (!piece.groups.of(number).empty()) open[open_count++] = number;
  }
  while (open_count != 0) {
    std::size_t busy = 0;
    for (std::size_t k = 0; k < open_count; ++k) {
      Shard& shard = shards[open[k]];
      std::unique_lock holding{shard.guard, std::defer_lock};
      if (lock && !holding.try_lock()) {
        const bool none_was_free = k + 1 == open_count && busy == k;
        if (!none_was_free) {
          open[busy++] = open[k];
          continue;
        }
        holding.lock();
      }
      const auto members = piece.groups.of(open[k]);
      for (std::size_t begin = 0; begin < members.size(); begin += keys_at_once) {
        turn(shard, members.subspan(begin, std::min(keys_at_once, members.size() - begin)));
      }
    }
    open_count = busy;
  }
}

}  // namespace copse::ids
