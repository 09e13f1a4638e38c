// How two partitions of the same records overlap. Groups of both are numbered from 0, and a record is a pair of numbers.
//
// Idea: sorted pairs are runs, and each run is a cell of the contingency table. A group needs its size and the sum of the squares of its
// cells; sums over groups of integers are exact and the same in any order. Cost: a radix sort, and a pass over the sorted pairs (a second
// one where broken groups of side 1 are listed). Memory: the pairs, and 16 bytes per group.
#pragma once
#include <copse/memory.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

namespace copse {

__extension__ using uint128 = unsigned __int128;

/// A record: its group on side 0 in the upper half, on side 1 in the lower.
struct group_pair {
  std::uint64_t both;

  group_pair() = default;
  group_pair(std::uint32_t first, std::uint32_t second) noexcept : both{std::uint64_t{first} << 32 | second} {}
  [[nodiscard]] std::uint32_t group(unsigned side) const noexcept { return static_cast<std::uint32_t>(side == 0 ? both >> 32 : both); }
};

/// A cell of a broken group: a group of the other side, and the records in both.
struct cell_share {
  std::uint32_t group = 0;
  std::uint64_t records = 0;
};

/// A group whose records are in several groups of the other side.
struct broken_cells {
  std::uint32_t group = 0;
  std::uint64_t records = 0;
  std::uint64_t pairs = 0;  ///< pairs of its records that are apart on the other side
  std::uint64_t parts = 0;
  std::vector<cell_share> largest;  ///< descending by records, ties by group
};

/// The counts of the groups of one side.
struct side_counts {
  std::uint64_t groups = 0;  ///< that have a record
  std::uint64_t pairs = 0;   ///< pairs of records in one group
  std::uint64_t broken = 0;  ///< groups
  /// The sum over groups of (the sum of squares of the cells) / (the size), times 2^64: each group is rounded down, and makes at least
  /// 2^64.
  uint128 mean_share = 0;
  std::vector<broken_cells> worst;  ///< descending by pairs, ties by group
};

struct contingency {
  std::array<side_counts, 2> sides;
  std::uint64_t common_pairs = 0;  ///< pairs of records that are together on both sides
};

struct contingency_request {
  std::array<std::uint64_t, 2> groups;  ///< numbers on each side are below
  std::size_t worst = 0;                ///< how many broken groups of each side are listed
  std::size_t shares = 0;               ///< how many cells of each of them are listed
  unsigned threads = 1;
  std::pmr::memory_resource* memory = host_memory();
};

/// Sorts `records`. Precondition: fewer than 2^32 of them, so that no sum of pairs or squares leaves 64 bits.
contingency count_overlaps(std::span<group_pair> records, const contingency_request& request);

}  // namespace copse
