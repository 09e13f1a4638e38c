// From a string to its index, for many workers: as id_table, but a slot points at a record (index, length, bytes) in the arena of its
// shard and keeps 16 bits of the hash with it. 8 bytes per slot, 5 or 6 per record, and the bytes of the string once.
#pragma once
#include <copse/memory.hpp>

#include <array>
#include <cstdint>
#include <mutex>
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

  static std::uint64_t hash(std::string_view key) noexcept;

  /// As id_table::look_up; new strings are copied.
  void look_up(lookup_scratch<std::string_view>& piece, std::size_t count, unsigned first_shard, bool lock, compact_forest& forest,
               compact_forest::run_of_indices& run);

  [[nodiscard]] std::uint64_t size() const noexcept;
  [[nodiscard]] record at(reference where) const noexcept {
    return read(shards_[where >> place_bits].arena, where & ((reference{1} << place_bits) - 1));
  }
  /// Calls `visit(reference)` for every string, unordered, and frees each shard's slots behind it; the records stay.
  template <class Visit>
  void take_slots(Visit visit) {
    for (unsigned number = 0; number < shard_count; ++number) {
      const buffer<std::uint64_t> slots = std::move(shards_[number].slots);
      for (const std::uint64_t slot : slots) {
        if (slot != free_slot) visit(reference{number} << place_bits | (slot & ((reference{1} << place_bits) - 1)));
      }
    }
  }

private:
  static constexpr std::uint64_t free_slot = UINT64_MAX;
  static constexpr unsigned chunk_bits = 18;  ///< 256 KiB; a longer record has a chunk to itself
  static constexpr unsigned place_bits = 48;

  struct arena_type {
    std::vector<buffer<char>> chunks;
    std::size_t filled = 0;  ///< of the last chunk
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
  std::array<shard, shard_count> shards_;
};

}  // namespace copse::streaming
