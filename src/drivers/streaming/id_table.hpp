// From any 64-bit id to its index, for many workers: open addressing with linear probing in shards, 12 bytes per slot, filled to 3/4 at
// most and grown by half, one shard at a time (16 to 24 bytes per id, and 1/64 of that on top while a shard grows).
#pragma once
#include <copse/memory.hpp>
#include <core/seeded_hash.hpp>

#include <array>
#include <cstdint>
#include <mutex>

#include "compact_forest.hpp"
#include "shard_groups.hpp"

namespace copse::streaming {

/// An id and its index in 12 bytes.
struct id_entry {
  std::uint32_t id_low;
  std::uint32_t id_high;
  std::uint32_t index;
  [[nodiscard]] std::uint64_t id() const noexcept { return std::uint64_t{id_high} << 32 | id_low; }
};

class id_table {
public:
  explicit id_table(std::pmr::memory_resource* memory) noexcept : memory_{memory} {}

  /// Fills in the indices of the first `count` keys; an id that is new is added to `forest` with an index of `run`. Returns how many were
  /// new. `lock`: other workers may call it at the same time; they should begin at different shards.
  std::uint64_t look_up(lookup_scratch<std::uint64_t>& piece, std::size_t count, unsigned first_shard, bool lock, compact_forest& forest,
                        compact_forest::run_of_indices& run);

  /// Room for `ids` ids without growing, unless the hash is unlucky.
  void reserve(std::uint64_t ids);
  /// Adds an id that is not in the table yet. By one thread.
  void add(std::uint64_t id, std::uint32_t index);

  /// Moves the entries of a shard out, unordered, into memory of just their size; the shard is empty then. By one thread per shard.
  buffer<id_entry> take(unsigned number);

private:
  static constexpr std::uint32_t free_index = 0xffffffffu;

  struct alignas(64) shard {
    std::mutex guard;
    buffer<id_entry> slots;
    std::uint64_t used = 0;
  };

  static bool is_free(const id_entry& slot) noexcept { return slot.index == free_index; }
  id_entry& find(shard& s, std::uint64_t id, std::uint64_t hash) const noexcept;
  void grow(shard& s, std::uint64_t capacity);
  void make_room(shard& s);

  std::pmr::memory_resource* memory_;
  seeded_hash hash_;
  std::array<shard, shard_count> shards_;
};

}  // namespace copse::streaming
