// From a string to its index, for many workers: as id_table, but a slot points at a record (index, length, bytes) in the arena of its
// shard and keeps 16 bits of the hash with it. 8 bytes per slot, 5 or 6 per record, and the bytes of the string once.
#pragma once
#include <copse/memory.hpp>
#include <core/seeded_hash.hpp>

#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "compact_forest.hpp"
#include "shard_groups.hpp"

namespace copse::streaming {

class string_table {
public:
  /// Where a record lies: shard, chunk and place in the chunk in 54 bits.
  using reference = std::uint64_t;
  struct record {
    std::uint32_t index;
    std::string_view bytes;
  };

  explicit string_table(std::pmr::memory_resource* memory) noexcept : memory_{memory} {}

  /// As id_table::look_up; new strings are copied.
  void look_up(lookup_scratch<std::string_view>& piece, std::size_t count, unsigned first_shard, bool lock, compact_forest& forest,
               compact_forest::run_of_indices& run);

  /// Keeps strings without looking whether they are there, so that they may repeat and cannot be looked up. By any thread, into any shard.
  void append(std::span<const std::string_view> keys, unsigned number, bool lock, compact_forest& forest,
              compact_forest::run_of_indices& run, std::uint32_t* indices);

  [[nodiscard]] std::uint64_t size() const noexcept;
  [[nodiscard]] std::uint64_t size(unsigned number) const noexcept { return shards_[number].used; }
  [[nodiscard]] record at(reference where) const noexcept {
    return read(shards_[where >> place_bits].arena, where & ((reference{1} << place_bits) - 1));
  }
  /// Asks for the first bytes of a record.
  void prefetch(reference where) const noexcept {
    const reference place = where & ((reference{1} << place_bits) - 1);
    __builtin_prefetch(shards_[where >> place_bits].arena.chunks[place >> chunk_bits].data() + (place & ((1u << chunk_bits) - 1)));
  }
  /// Frees what only look-ups need.
  void drop_slots() noexcept {
    for (shard& s : shards_) s.slots = {};
  }
  /// Calls `visit(reference)` for every record of a shard in the order in which they came.
  template <class Visit>
  void for_each_record(unsigned number, Visit visit) const {
    const arena_type& arena = shards_[number].arena;
    for (std::size_t chunk = 0; chunk < arena.chunks.size(); ++chunk) {
      const char* const begin = arena.chunks[chunk].data();
      const std::size_t end = chunk + 1 == arena.chunks.size() ? arena.filled : arena.chunks[chunk].size();
      for (std::size_t at = 0; at < end;) {
        const reference place = reference{chunk} << chunk_bits | at;
        const std::string_view bytes = read(arena, place).bytes;
        visit(reference{number} << place_bits | place);
        at = static_cast<std::size_t>(bytes.data() + bytes.size() - begin);
      }
    }
  }

private:
  static constexpr std::uint64_t free_slot = UINT64_MAX;
  static constexpr unsigned chunk_bits = 18;  ///< 256 KiB; a longer record has a chunk to itself
  static constexpr unsigned place_bits = 48;

  struct arena_type {
    std::vector<buffer<char>> chunks;  ///< all but the last hold records up to their size
    std::size_t filled = 0;            ///< of the last chunk
  };
  struct alignas(64) shard {
    std::mutex guard;
    buffer<std::uint64_t> slots;
    std::uint64_t used = 0;
    arena_type arena;
  };

  static record read(const arena_type& arena, std::uint64_t place) noexcept;
  std::uint64_t write(arena_type& arena, std::string_view key, std::uint32_t index);
  std::uint64_t& find(shard& s, std::string_view key, std::uint64_t hash) const noexcept;
  void make_room(shard& s);

  std::pmr::memory_resource* memory_;
  seeded_hash hash_;
  std::array<shard, shard_count> shards_;
};

}  // namespace copse::streaming
