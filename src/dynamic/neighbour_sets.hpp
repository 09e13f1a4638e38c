// Sets of neighbours, one per vertex, in shared memory.
//
// Up to 16 neighbours are an unordered array in one cache line; more are a hash table with linear probing, with a power of two of slots, at
// most 3/4 full. Tables shrink when they are less than 1/4 full. The first slot of a table holds its size, as a number that no vertex has,
// so a vertex stores only 8 bytes for its set: its block, and the number of neighbours.
//
// Cost: O(1) expected for insert, erase and contains; 4 to 12 bytes per neighbour, 7 on average.
#pragma once
#include <core/new_pages.hpp>
#include <core/seeded_hash.hpp>
#include <dynamic/block_pool.hpp>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <span>

namespace copse::dynamics {

/// Numbers of vertices are below this one: a table of neighbours uses larger ones for its size and for empty elements.
inline constexpr std::uint32_t vertex_limit = none - 64;

/// Loads a cache line before it is needed. This is a load and not a prefetch, because processors may drop a prefetch whose page is not in
/// their TLB: with loads, inserting took two thirds of the time that it took with prefetches.
inline void fetch(const void* at) noexcept { static_cast<void>(*static_cast<const volatile char*>(at)); }

/// The part of a set that its vertex stores. Empty when value-initialised.
struct neighbour_set {
  std::uint32_t block = none;
  std::uint32_t count = 0;
};

class neighbour_sets {
public:
  explicit neighbour_sets(std::pmr::memory_resource* memory)
      : pool_{memory}, multiplier_{static_cast<std::uint32_t>(seeded_hash{}(1)) | 1u} {}

  [[nodiscard]] bool contains(const neighbour_set& set, std::uint32_t x) const noexcept {
    if (set.count == 0) return false;
    const std::uint32_t* const slots = pool_.at(set.block);
    if (set.count <= small) return find_small(slots, set.count, x) != set.count;
    return slots[slot_of(slots, x)] == x;
  }
  /// Precondition: x is not in the set.
  void insert(neighbour_set& set, std::uint32_t x) { insert(set, x, pool_); }
  template <class Blocks>
  void insert(neighbour_set& set, std::uint32_t x, Blocks& blocks) {
    const std::uint32_t count = set.count;
    if (count < small) {
      if (count % 4 == 0) {
        const std::uint32_t larger = blocks.allocate(count / 4 + 1);
        if (count != 0) {
          std::memcpy(pool_.at(larger), pool_.at(set.block), count * sizeof x);
          blocks.free(set.block, count / 4);
        }
        set.block = larger;
      }
      pool_.at(set.block)[count] = x;
    } else {
      if (count == small) {
        rehash(set, 5, blocks);
      } else if (const unsigned bits = bits_of(pool_.at(set.block)); count + std::uint64_t{1} > (std::uint64_t{3} << bits) / 4) {
        rehash(set, bits + 1, blocks);
      }
      std::uint32_t* const slots = pool_.at(set.block);
      slots[slot_of(slots, x)] = x;
    }
    ++set.count;
  }
  /// The units of memory that a new set of `count` neighbours takes.
  static std::uint32_t units_for(std::uint32_t count) noexcept { return count <= small ? (count + 3) / 4 : table_units(least_bits(count)); }
  /// Returns the first of `units` adjacent units, for sets that make() puts there. Their pages are touched by several threads.
  [[nodiscard]] std::uint32_t allocate_adjacent(std::uint64_t units, unsigned threads) {
    if (units == 0) return none;
    const std::uint32_t first = pool_.allocate_adjacent(units);
    touch_pages(threads, std::span{pool_.at(first), static_cast<std::size_t>(units) * 4});
    return first;
  }
  /// Makes the set of these different neighbours in the units from `block` on. Calls for different sets may overlap.
  void make(neighbour_set& set, std::uint32_t block, std::span<const std::uint32_t> neighbours) const noexcept {
    if (neighbours.empty()) return;
    set = {block, static_cast<std::uint32_t>(neighbours.size())};
    std::uint32_t* const slots = pool_.at(block);
    if (neighbours.size() <= small) {
      std::copy(neighbours.begin(), neighbours.end(), slots);
      return;
    }
    clear_table(slots, least_bits(set.count));
    for (const std::uint32_t x : neighbours) slots[slot_of(slots, x)] = x;
  }
  /// What a worker passes to insert() and erase() while others change other sets: its element of shares(workers).
  using share = block_pool::share;
  [[nodiscard]] std::span<share> shares(unsigned workers) { return pool_.shares(workers); }
  /// Returns false if x was not in the set.
  bool erase(neighbour_set& set, std::uint32_t x) { return erase(set, x, pool_); }
  template <class Blocks>
  bool erase(neighbour_set& set, std::uint32_t x, Blocks& blocks) {
    if (set.count == 0) return false;
    std::uint32_t* const slots = pool_.at(set.block);
    if (set.count <= small) {
      const std::uint32_t i = find_small(slots, set.count, x);
      if (i == set.count) return false;
      slots[i] = slots[set.count - 1];
      shrink_small(set, blocks);
      return true;
    }
    std::uint32_t hole = slot_of(slots, x);
    if (slots[hole] != x) return false;
    const unsigned bits = bits_of(slots);
    const std::uint32_t mask = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
    for (std::uint32_t i = (hole + 1) & mask; slots[i] != none; i = (i + 1) & mask) {
      if (i == 0) continue;
      if (((i - home(slots[i], bits)) & mask) < ((i - hole) & mask)) continue;
      slots[hole] = slots[i];
      hole = i;
    }
    slots[hole] = none;
    if (--set.count == small) {
      to_array(set, blocks);
    } else if (set.count < (std::uint64_t{1} << bits) / 4) {
      rehash(set, bits - 1, blocks);
    }
    return true;
  }
  /// Calls visit(neighbour) until a call returns true, and returns whether one did. The calls must not change the set.
  template <class Visit>
  bool any_of(const neighbour_set& set, Visit visit) const {
    if (set.count == 0) return false;
    const std::uint32_t* const slots = pool_.at(set.block);
    if (set.count <= small) {
      for (std::uint32_t i = 0; i < set.count; ++i)
        if (visit(slots[i])) return true;
      return false;
    }
    const std::uint64_t size = std::uint64_t{1} << bits_of(slots);
    for (std::uint64_t i = 1; i < size; ++i)
      if (slots[i] != none && visit(slots[i])) return true;
    return false;
  }
  /// Copies as many neighbours to `to` as it has room for, and returns how many; fewer if no more are left. The first call needs 0 in
  /// `place`, and each call goes on where the last one ended.
  std::size_t copy(const neighbour_set& set, std::uint32_t& place, std::span<std::uint32_t> to) const noexcept {
    if (set.count == 0) return 0;
    const std::uint32_t* const slots = pool_.at(set.block);
    std::size_t copied = 0;
    if (set.count <= small) {
      while (copied < to.size() && place < set.count) to[copied++] = slots[place++];
      return copied;
    }
    const std::uint64_t size = std::uint64_t{1} << bits_of(slots);
    while (copied < to.size() && place + std::uint64_t{1} < size)
      if (const std::uint32_t x = slots[++place]; x != none) to[copied++] = x;
    return copied;
  }
  void clear(neighbour_set& set) noexcept {
    if (set.count != 0) pool_.free(set.block, units_of(set));
    set = {};
  }
  /// Begins to load the neighbours, or the first of many.
  void prefetch(const neighbour_set& set) const noexcept {
    if (set.count == 0) return;
    const std::uint32_t* const slots = pool_.at(set.block);
    __builtin_prefetch(slots);
    __builtin_prefetch(slots + std::min(set.count, small) - 1);
  }
  /// Loads what a call with x needs: the first cache line of the set, and in a table the two most likely slots of x.
  void prefetch(const neighbour_set& set, std::uint32_t x) const noexcept {
    if (set.count == 0) return;
    const std::uint32_t* const slots = pool_.at(set.block);
    fetch(slots);
    if (set.count <= small) return fetch(slots + set.count - 1);  // the array may end in a second cache line
    const unsigned bits = least_bits(set.count);
    fetch(slots + home(x, bits));
    __builtin_prefetch(slots + home(x, bits + 1));  // not a load, as the table may end before
  }

private:
  static constexpr std::uint32_t small = 16;

  // Returns log2 of the size of a table, whose first slot holds none - 1 - bits; vertices are smaller.
  static unsigned bits_of(const std::uint32_t* slots) noexcept { return none - 1 - slots[0]; }
  // Returns log2 of the smallest size that a table of `count` neighbours can have; most tables have this size.
  static unsigned least_bits(std::uint32_t count) noexcept {
    return static_cast<unsigned>(std::bit_width((std::uint64_t{count} * 4 + 2) / 3 - 1));
  }
  [[nodiscard]] std::uint32_t home(std::uint32_t x, unsigned bits) const noexcept { return (x * multiplier_) >> (32 - bits); }
  [[nodiscard]] std::uint32_t slot_of(const std::uint32_t* slots, std::uint32_t x) const noexcept {
    const unsigned bits = bits_of(slots);
    const std::uint32_t mask = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
    std::uint32_t i = home(x, bits);
    while (slots[i] != x && slots[i] != none) i = (i + 1) & mask;
    return i;
  }
  // Returns a bit for each of four slots: whether it holds x.
  static std::uint32_t equal_of_four(const std::uint32_t* slots, std::uint32_t x) noexcept {
#if defined(__SSE2__)
    const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(slots));
    return static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(four, _mm_set1_epi32(static_cast<int>(x))))));
#else
    std::uint32_t equal = 0;
    for (std::uint32_t i = 0; i < 4; ++i) equal |= static_cast<std::uint32_t>(slots[i] == x) << i;
    return equal;
#endif
  }
  // Returns the index of x, or count. Has no branches, as processors cannot predict where x is: it looks at 16 slots, at the last four of a
  // shorter array several times. Precondition: 0 < count <= small.
  static std::uint32_t find_small(const std::uint32_t* slots, std::uint32_t count, std::uint32_t x) noexcept {
    const std::uint32_t last = (count - 1) / 4 * 4;
    std::uint32_t equal = 0;
    for (std::uint32_t i = 0; i < small; i += 4) {
      const std::uint32_t at = std::min(i, last);
      equal |= equal_of_four(slots + at, x) << at;
    }
    // slots from `count` on may hold neighbours that were removed: a match there is none
    return std::min(count, static_cast<std::uint32_t>(std::countr_zero(equal)));
  }
  static std::uint32_t table_units(unsigned bits) noexcept { return 1u << (bits - 2); }
  [[nodiscard]] std::uint32_t units_of(const neighbour_set& set) const noexcept {
    return set.count <= small ? (set.count + 3) / 4 : table_units(bits_of(pool_.at(set.block)));
  }

  template <class Blocks>
  void shrink_small(neighbour_set& set, Blocks& blocks) {
    if (--set.count % 4 != 0) return;
    const std::uint32_t units = set.count / 4;
    const std::uint32_t before = set.block;
    if (units == 0) {
      set.block = none;
    } else {
      set.block = blocks.allocate(units);
      std::memcpy(pool_.at(set.block), pool_.at(before), set.count * sizeof(std::uint32_t));
    }
    blocks.free(before, units + 1);
  }
  template <class Blocks>
  void to_array(neighbour_set& set, Blocks& blocks) {
    const std::uint32_t block = blocks.allocate(small / 4);
    const std::uint32_t* const slots = pool_.at(set.block);
    const unsigned bits = bits_of(slots);
    std::uint32_t* to = pool_.at(block);
    for (std::uint64_t i = 1; i < std::uint64_t{1} << bits; ++i)
      if (slots[i] != none) *to++ = slots[i];
    blocks.free(set.block, table_units(bits));
    set.block = block;
  }
  template <class Blocks>
  [[nodiscard]] std::uint32_t empty_table(unsigned bits, Blocks& blocks) {
    const std::uint32_t block = blocks.allocate(table_units(bits));
    clear_table(pool_.at(block), bits);
    return block;
  }
  static void clear_table(std::uint32_t* slots, unsigned bits) noexcept {
    std::memset(slots, 0xff, sizeof(std::uint32_t) << bits);
    slots[0] = none - 1 - bits;
  }
  // Moves the neighbours of a table, or of a full array, to a table of 2^bits slots.
  template <class Blocks>
  void rehash(neighbour_set& set, unsigned bits, Blocks& blocks) {
    const std::uint32_t block = empty_table(bits, blocks);
    std::uint32_t* const to = pool_.at(block);
    any_of(set, [&](std::uint32_t x) {
      to[slot_of(to, x)] = x;
      return false;
    });
    blocks.free(set.block, units_of(set));
    set.block = block;
  }

  block_pool pool_;
  std::uint32_t multiplier_;
};

}  // namespace copse::dynamics
