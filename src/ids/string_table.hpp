// A concurrent map from strings to values. Works like integer_table, but a slot holds a reference to a record in the arena of its shard,
// and 16 bits of the hash. Takes 8 bytes per slot, and for each record its value, the string's length in 1 or 2 bytes, and the bytes of the
// string.
#pragma once
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <core/seeded_hash.hpp>
#include <core/short_bytes.hpp>
#include <ids/shard_groups.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace copse::ids {

/// Stores records one after the other. A record is the value `Kept`, the length of the string in 7 bits per byte, and the bytes of the
/// string. Records are in chunks, which grow up to 256 KiB and are never moved; a longer record has a chunk of its own.
template <class Kept>
requires std::is_trivially_copyable_v<Kept>
class string_arena {
public:
  /// The address of a record, in 48 bits. (Linux gives a process addresses above 2^48 only if it asks for them.)
  using reference = std::uint64_t;
  static constexpr unsigned reference_bits = 48;
  static_assert(sizeof(void*) == sizeof(reference));

  struct record : Kept {
    std::string_view bytes;
  };

  [[nodiscard]] static record at(reference where) noexcept {
    const char* from = address(where);
    record found;
    std::memcpy(static_cast<Kept*>(&found), from, sizeof(Kept));
    from += sizeof(Kept);
    std::uint64_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(*from++);
      length |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) break;
    }
    found.bytes = {from, length};
    return found;
  }
  static void keep(reference where, const Kept& kept) noexcept { std::memcpy(address(where), &kept, sizeof(Kept)); }
  /// Prefetches the first bytes of a record, and the last ones if its string has `length` bytes: most records lie in one cache line or two.
  static void prefetch(reference where, std::size_t length = 0) noexcept {
    __builtin_prefetch(address(where));
    __builtin_prefetch(address(where) + sizeof(Kept) + length);
  }

  /// The total size of the chunks for `record_bytes` bytes of records.
  static constexpr std::uint64_t bytes_of_chunks(std::uint64_t record_bytes) noexcept {
    std::uint64_t bytes = 0;
    for (std::uint64_t chunk = smallest_chunk_bytes; chunk < largest_chunk_bytes && bytes < record_bytes; chunk *= 2) bytes += chunk;
    return bytes < record_bytes ? bytes + (record_bytes - bytes + largest_chunk_bytes - 1) / largest_chunk_bytes * largest_chunk_bytes
                                : bytes;
  }

  reference add(const Kept& kept, std::string_view bytes, std::pmr::memory_resource* memory) {
    std::array<char, 10> length;
    std::size_t length_bytes = 0;
    for (std::uint64_t left = bytes.size();; left >>= 7) {
      length[length_bytes++] = static_cast<char>(left < 0x80 ? left : (left & 0x7f) | 0x80);
      if (left < 0x80) break;
    }
    char* const to = room_for(sizeof(Kept) + length_bytes + bytes.size(), memory);
    std::memcpy(to, &kept, sizeof(Kept));
    for (std::size_t i = 0; i < length_bytes; ++i) to[sizeof(Kept) + i] = length[i];
    copy_bytes(bytes, to + sizeof(Kept) + length_bytes);
    return reinterpret_cast<reference>(to);
  }

  /// Calls visit(reference, record) for all records, or the first `most`, in the order of arrival.
  template <class Visit>
  void for_each(Visit visit, std::size_t most = SIZE_MAX) const {
    for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
      const char* at_record = chunks_[chunk].data();
      const char* const end = at_record + (chunk + 1 == chunks_.size() ? filled_ : chunks_[chunk].size());
      for (; at_record != end && most != 0; --most) {
        const auto where = reinterpret_cast<reference>(at_record);
        const record found = at(where);
        visit(where, found);
        at_record = found.bytes.data() + found.bytes.size();
      }
    }
  }

private:
  static constexpr std::size_t smallest_chunk_bytes = 4096, doublings = 6, largest_chunk_bytes = smallest_chunk_bytes << doublings;

  static char* address(reference where) noexcept { return reinterpret_cast<char*>(where); }
  char* room_for(std::size_t bytes, std::pmr::memory_resource* memory) {
    if (chunks_.empty() || filled_ + bytes > chunks_.back().size()) {
      const std::size_t doubled = smallest_chunk_bytes << std::min(chunks_.size(), doublings);
      buffer<char> fresh{std::max(doubled, bytes), memory};
      if (reinterpret_cast<reference>(fresh.data() + fresh.size()) >> reference_bits != 0) {
        throw resource_error{"string ids: found memory at an address above 2^48, expected addresses of 48 bits"};
      }
      if (chunks_.size() == chunks_.capacity()) chunks_.reserve(std::max<std::size_t>(8, 2 * chunks_.size()));
      if (!chunks_.empty()) chunks_.back().shrink(filled_);
      chunks_.push_back(std::move(fresh));
      filled_ = 0;
    }
    char* const room = chunks_.back().data() + filled_;
    filled_ += bytes;
    return room;
  }

  std::vector<buffer<char>> chunks_;  ///< all except the last are shrunk to the size of their records
  std::size_t filled_ = 0;            ///< number of bytes used in the last chunk
};

template <class Kept>
class string_table {
public:
  using key = std::string_view;
  using arena = string_arena<Kept>;
  using record = typename arena::record;
  using reference = typename arena::reference;

  explicit string_table(std::pmr::memory_resource* memory, const seeded_hash& hash = {}) noexcept : memory_{memory}, hash_{hash} {}

  /// The approximate size in bytes of the hash slots of a table with `strings` strings.
  static constexpr std::uint64_t bytes_of_slots(std::uint64_t strings) noexcept {
    const std::uint64_t shards = shards_for(strings);
    return shards == 0 ? 0 : shards * sizeof(std::uint64_t) * capacity_for(strings / shards);
  }
  /// The approximate size in bytes of the records that hold the strings, which have `string_bytes` bytes together.
  static constexpr std::uint64_t bytes_of_records(std::uint64_t strings, std::uint64_t string_bytes) noexcept {
    const std::uint64_t shards = shards_for(strings), length_bytes = string_bytes < 128 * strings ? 1 : 2;
    return shards == 0 ? 0 : shards * arena::bytes_of_chunks(((sizeof(Kept) + length_bytes) * strings + string_bytes) / shards);
  }

  /// Works like integer_table::look_up(), and stores copies of new strings. If memory ran out while an earlier call enlarged the table, it
  /// has no slots: a call that only finds strings then throws resource_error, and one that adds strings allocates the slots again.
  template <class Use>
  std::uint64_t look_up(lookup_scratch<key>& piece, std::size_t count, unsigned first_shard, bool lock, Use use) {
    std::uint64_t added = 0;
    in_turn(shards_, hash_, piece, count, first_shard, lock, [&](shard& s, std::span<const std::uint16_t> members) {
      if constexpr (finds_only<Use>) {
        if (s.used == 0) {
          for (const std::uint16_t i : members) use.miss(i);
          return;
        }
        if (s.slots.empty()) throw resource_error{"string ids cannot be looked up: memory ran out while their table grew"};
      } else {
        make_room(s, s.used + members.size());
      }
      // There are three passes: they prefetch slots, then records, and then compare, because waiting for each cache miss on its own would
      // be slow.
      for (const std::uint16_t i : members) __builtin_prefetch(s.slots.data() + first_slot(piece.hashes[i], s.slots.size()));
      std::array<std::uint64_t, keys_at_once> places;
      for (std::size_t k = 0; k < members.size(); ++k) {
        const std::uint64_t hash = piece.hashes[members[k]];
        places[k] = next_with_tag(s, first_slot(hash, s.slots.size()), hash);
        if (const std::uint64_t slot = s.slots[places[k]]; slot != free_slot)
          arena::prefetch(slot & where_mask, piece.keys[members[k]].size());
      }
      for (std::size_t k = 0; k < members.size(); ++k) {
        const std::uint16_t i = members[k];
        std::uint64_t& slot = find(s, places[k], piece.keys[i], piece.hashes[i]);
        if (slot == free_slot) {
          if constexpr (finds_only<Use>) {
            use.miss(i);
          } else {
            Kept kept = use.fresh(i);
            use.meet(i, kept);
            slot = tag_of(piece.hashes[i]) | s.records.add(kept, piece.keys[i], memory_);
            ++s.used;
            ++added;
          }
        } else {
          const Kept before = arena::at(slot & where_mask);
          Kept kept = before;
          use.meet(i, kept);
          if (kept != before) arena::keep(slot & where_mask, kept);
        }
      }
    });
    return added;
  }

  /// Stores strings without looking them up, so they may be repeated, and cannot be found. May be called by any thread for any shard.
  template <class Use>
  void append(std::span<const key> keys, unsigned number, bool lock, Use use) {
    shard& s = shards_[number];
    std::unique_lock holding{s.guard, std::defer_lock};
    if (lock) holding.lock();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      Kept kept = use.fresh(i);
      use.meet(i, kept);
      s.records.add(kept, keys[i], memory_);
      ++s.used;
    }
  }

  [[nodiscard]] std::uint64_t size() const noexcept {
    std::uint64_t strings = 0;
    for (const shard& s : shards_) strings += s.used;
    return strings;
  }
  [[nodiscard]] std::uint64_t size(unsigned number) const noexcept { return shards_[number].used; }
  /// Calls visit(string) for at most `most` strings of a shard: random ones, or the first ones if the slots were freed.
  template <class Visit>
  void sample(unsigned number, std::size_t most, Visit visit) const {
    const shard& s = shards_[number];
    std::size_t left = most;
    for (std::size_t i = 0; i < s.slots.size() && left != 0; ++i) {
      if (s.slots[i] == free_slot) continue;
      visit(arena::at(s.slots[i] & where_mask).bytes);
      --left;
    }
    if (s.slots.empty()) s.records.for_each([&](reference, const record& found) { visit(found.bytes); }, most);
  }
  [[nodiscard]] static record at(reference where) noexcept { return arena::at(where); }
  static void prefetch(reference where) noexcept { arena::prefetch(where); }
  /// Frees the slots, which only look-ups need.
  void drop_slots() noexcept {
    for (shard& s : shards_) s.slots = {};
  }
  /// Frees all strings; after that, only the destructor may be called.
  void drop_records() noexcept {
    for (shard& s : shards_) s.records = {};
  }
  /// Calls `visit(reference, record)` for all records of a shard, in the order of arrival.
  template <class Visit>
  void for_each_record(unsigned number, Visit visit) const {
    shards_[number].records.for_each(visit);
  }
  /// Calls visit(string, kept) for all strings, in no particular order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const shard& s : shards_) {
      s.records.for_each([&](reference, const record& found) { visit(found.bytes, static_cast<const Kept&>(found)); });
    }
  }

private:
  static constexpr std::uint64_t free_slot = UINT64_MAX;
  // A shard with more than `most_small_slots` slots gets at least `pages_of_slots`: a buffer of that size has pages of its own (see
  // host_memory()), which return to the system when the shard replaces it by a larger one. Smaller buffers (7 MB in all shards together)
  // would stay in the heap.
  static constexpr std::uint64_t most_small_slots = 2048, pages_of_slots = (std::uint64_t{128} << 10) / sizeof(std::uint64_t);
  static constexpr std::uint64_t where_mask = (std::uint64_t{1} << arena::reference_bits) - 1;

  struct alignas(64) shard {
    std::mutex guard;
    buffer<std::uint64_t> slots;
    std::uint64_t used = 0;
    arena records;
  };

  /// 16 bits of the hash that determine neither shard nor slot, at their position in a slot.
  static constexpr std::uint64_t tag_of(std::uint64_t hash) noexcept { return (hash >> 32 & 0xffffu) << arena::reference_bits; }

  /// The first slot from `at` on that is free or has the tag of the hash. There is always a free slot.
  static std::uint64_t next_with_tag(const shard& s, std::uint64_t at, std::uint64_t hash) noexcept {
    const std::uint64_t* const slots = s.slots.data();
    const std::uint64_t capacity = s.slots.size();
    while (slots[at] != free_slot && (slots[at] & ~where_mask) != tag_of(hash)) at = at + 1 == capacity ? 0 : at + 1;
    return at;
  }
  /// The slot of the string, or the free slot where it belongs. Precondition: no slot before `at` is that slot.
  static std::uint64_t& find(shard& s, std::uint64_t at, key wanted, std::uint64_t hash) noexcept {
    for (;; at = at + 1 == s.slots.size() ? 0 : at + 1) {
      at = next_with_tag(s, at, hash);
      if (s.slots[at] == free_slot || same_bytes(arena::at(s.slots[at] & where_mask).bytes, wanted)) return s.slots[at];
    }
  }
  static constexpr std::uint64_t shards_for(std::uint64_t strings) noexcept { return std::min<std::uint64_t>(strings, shard_count); }
  static constexpr std::uint64_t capacity_for(std::uint64_t keys) noexcept {
    const std::uint64_t capacity = std::max(smallest_capacity, std::bit_ceil(keys + keys / 3 + 1));
    return capacity > most_small_slots ? std::max(capacity, pages_of_slots) : capacity;
  }
  // Makes room for `keys` strings in a shard, such that at most 3/4 of the slots are in use. The number of slots grows to the next power of
  // two that suffices, not in smaller steps: these would save memory, but every growth hashes all strings again. The new slots are filled
  // from the records, which are read in the order in which they lie in memory, and not from the old slots, which are freed before the
  // allocation. If that fails, the next call allocates the slots again.
  void make_room(shard& s, std::uint64_t keys) {
    if (keys * 4 <= s.slots.size() * 3) return;
    const std::uint64_t capacity = capacity_for(keys);
    s.slots = {};
    buffer<std::uint64_t> slots{capacity, memory_};
    std::fill(slots.begin(), slots.end(), free_slot);
    s.slots = std::move(slots);
    s.records.for_each([&](reference where, const record& found) {
      const std::uint64_t hash = hash_(found.bytes);
      std::uint64_t at = first_slot(hash, capacity);
      while (s.slots[at] != free_slot) at = at + 1 == capacity ? 0 : at + 1;
      s.slots[at] = tag_of(hash) | where;
    });
  }

  std::pmr::memory_resource* memory_;
  seeded_hash hash_;
  std::array<shard, shard_count> shards_;
};

}  // namespace copse::ids
