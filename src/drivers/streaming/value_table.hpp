// From a value of a key column to a record that has it, and how many have it: open addressing in shards, as id_table. A string of up to 23
// bytes stands in its slot of 32 bytes, so that a look-up touches one cache line, whose address is known from the hash; a longer one is
// behind a pointer. An integer has a slot of 16 bytes.
#pragma once
#include <copse/memory.hpp>
#include <core/seeded_hash.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

#include "shard_groups.hpp"

namespace copse::streaming {

/// What becomes of a value that a record has.
enum class value_use : std::uint8_t {
  unite,          ///< it is counted, and its records are united
  count,          ///< it is counted: the first of two passes
  unite_counted,  ///< its records are united unless the first pass counted more than the limit
};

struct integer_slot {
  using key = std::uint64_t;

  std::uint64_t value;
  std::uint32_t holder;  ///< the first record that was united by the value
  std::uint32_t count;   ///< how often it came, up to 2^32 - 1; 0: the slot is free
};

struct string_slot {
  using key = std::string_view;
  static constexpr std::size_t inline_bytes = 23;

  /// The string, zeros behind it and its length in the last byte; or hash, address, length and `is_long` there.
  struct text {
    std::array<std::uint64_t, 3> words;
    friend bool operator==(const text&, const text&) = default;
  };
  static constexpr std::uint64_t is_long = 0xff;

  text value;
  std::uint32_t holder;
  std::uint32_t count;
};

template <class Slot>
class value_table {
public:
  using key = typename Slot::key;
  static constexpr std::size_t most_keys = 4096;  ///< in a piece: 64 per shard, so that a lock and a first miss are paid seldom
  using scratch = lookup_scratch<key, most_keys>;

  explicit value_table(std::pmr::memory_resource* memory) noexcept : memory_{memory} {}

  /// On entry the first `count` indices of the piece are records and its keys their values; on return each index is a record to unite with:
  /// another that has the value, or itself. `lock`: other workers may call it at the same time; they should begin at different shards.
  void look_up(scratch& piece, std::size_t count, unsigned first_shard, bool lock, value_use use, std::uint32_t limit);

  /// Different values so far.
  [[nodiscard]] std::uint64_t size() const noexcept;
  /// Calls visit(value, count) for the values that came more than `limit` times, unordered.
  template <class Visit>
  void for_each_above(std::uint32_t limit, Visit visit) const {
    for (const shard& s : shards_) {
      for (const Slot& slot : s.slots) {
        if (slot.count > limit) visit(value_of(slot), slot.count);
      }
    }
  }

private:
  struct alignas(64) shard {
    std::mutex guard;
    buffer<Slot> slots;
    std::uint64_t used = 0;
    std::vector<buffer<char>> chunks;  ///< of long strings
    std::size_t filled = 0;            ///< of the last chunk
  };

  static key value_of(const Slot& slot) noexcept;
  void make_room(shard& s);
  Slot& find(shard& s, const key& value, std::uint64_t hash) const noexcept;
  void fill(shard& s, Slot& slot, const key& value, std::uint64_t hash);

  std::pmr::memory_resource* memory_;
  seeded_hash hash_;
  std::array<shard, shard_count> shards_;
};

}  // namespace copse::streaming
