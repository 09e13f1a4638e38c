// A concurrent map from 64-bit integers to values: open addressing with linear probing in shards, each at most 3/4 full and grown by half
// on its own. is_free() of a value tells that its slot has no key, and must hold for a value-initialised value.
#pragma once
#include <copse/memory.hpp>
#include <core/seeded_hash.hpp>
#include <ids/shard_groups.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>

namespace copse::ids {

/// An entry of the hash table: a 64-bit key and its value, `Kept`. The key is stored as two 32-bit words, so that an entry with a 32-bit
/// value takes 12 bytes, not 16.
template <class Kept>
struct integer_entry : Kept {
  std::uint32_t key_low;
  std::uint32_t key_high;

  integer_entry() = default;
  integer_entry(std::uint64_t key, const Kept& kept) noexcept
      : Kept{kept}, key_low{static_cast<std::uint32_t>(key)}, key_high{static_cast<std::uint32_t>(key >> 32)} {}
  [[nodiscard]] std::uint64_t key() const noexcept { return std::uint64_t{key_high} << 32 | key_low; }
};

template <class Kept>
class integer_table {
public:
  using key = std::uint64_t;
  using entry = integer_entry<Kept>;

  explicit integer_table(std::pmr::memory_resource* memory) noexcept : memory_{memory} {}

  /// Looks up the first `count` keys of a piece. For key i, `use.fresh(i)` must return the value of a new key, and `use.meet(i, kept)` may
  /// read and change the value. Returns the number of new keys. Shards are visited from `first_shard` on, and locked if `lock`. If `use`
  /// only finds keys (finds_only), no key is added: use.miss(i) is called for keys that are not in the table, and any number of such
  /// look-ups may run concurrently without locks.
  template <class Use>
  std::uint64_t look_up(lookup_scratch<key>& piece, std::size_t count, unsigned first_shard, bool lock, Use use) {
    std::uint64_t added = 0;
    in_turn(shards_, hash_, piece, count, first_shard, lock, [&](shard& s, std::span<const std::uint16_t> members) {
      if constexpr (finds_only<Use>) {
        if (s.used == 0) {
          for (const std::uint16_t i : members) use.miss(i);
          return;
        }
      } else {
        make_room(s, s.used + members.size());
      }
      const std::uint64_t capacity = s.slots.size();
      for (const std::uint16_t i : members) {
        const std::uint64_t first = first_slot(piece.hashes[i], capacity);
        __builtin_prefetch(s.slots.data() + first, 1);
        __builtin_prefetch(s.slots.data() + std::min(first + 2, capacity - 1), 1);  // probing may go on in the next cache line
      }
      for (const std::uint16_t i : members) {
        entry& found = find(s, piece.keys[i], piece.hashes[i]);
        if constexpr (finds_only<Use>) {
          if (found.is_free()) {
            use.miss(i);
            continue;
          }
        } else if (found.is_free()) {
          found = {piece.keys[i], use.fresh(i)};
          ++s.used;
          ++added;
        }
        use.meet(i, static_cast<Kept&>(found));
      }
    });
    return added;
  }

  /// Allocates memory for `keys` keys, which suffices unless the hash distributes them badly.
  void reserve(std::uint64_t keys) {
    for (shard& s : shards_) {
      const std::uint64_t capacity = keys / shard_count * 4 / 3 * 51 / 50 + smallest_capacity;
      if (s.slots.size() < capacity) grow(s, capacity);
    }
  }
  [[nodiscard]] std::uint64_t size() const noexcept {
    std::uint64_t keys = 0;
    for (const shard& s : shards_) keys += s.used;
    return keys;
  }
  /// Calls visit(key, value) for all keys, with the value stored for each, in no particular order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const shard& s : shards_) {
      for (const entry& slot : s.slots) {
        if (!slot.is_free()) visit(slot.key(), static_cast<const Kept&>(slot));
      }
    }
  }
  /// A copy of the entries of a shard, in no particular order and without free slots.
  [[nodiscard]] buffer<entry> entries(unsigned number) const {
    const shard& s = shards_[number];
    buffer<entry> entries{s.used, memory_};
    std::copy_if(s.slots.begin(), s.slots.end(), entries.begin(), [](const entry& slot) { return !slot.is_free(); });
    return entries;
  }
  /// Frees a shard. Different shards may be dropped by different threads.
  void drop(unsigned number) noexcept {
    shards_[number].slots = {};
    shards_[number].used = 0;
  }

private:
  struct alignas(64) shard {
    std::mutex guard;
    buffer<entry> slots;
    std::uint64_t used = 0;
  };

  // The slot of the key, or the free slot where it belongs. There is always a free slot.
  entry& find(shard& s, key wanted, std::uint64_t hash) const noexcept {
    entry* const slots = s.slots.data();
    const std::uint64_t capacity = s.slots.size();
    for (std::uint64_t at = first_slot(hash, capacity);; at = at + 1 == capacity ? 0 : at + 1) {
      if (slots[at].is_free() || slots[at].key() == wanted) return slots[at];
    }
  }
  void make_room(shard& s, std::uint64_t keys) {
    if (const std::uint64_t capacity = capacity_for(keys, s.slots.size()); capacity != s.slots.size()) grow(s, capacity);
  }
  void grow(shard& s, std::uint64_t capacity) {
    buffer<entry> old{capacity, memory_};
    std::fill(old.begin(), old.end(), entry{0, Kept{}});
    std::swap(old, s.slots);
    for (const entry& moved : old) {
      if (!moved.is_free()) find(s, moved.key(), hash_(moved.key())) = moved;
    }
  }

  std::pmr::memory_resource* memory_;
  seeded_hash hash_;
  std::array<shard, shard_count> shards_;
};

}  // namespace copse::ids
