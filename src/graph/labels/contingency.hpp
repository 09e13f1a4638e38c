// Counts how two partitions of the same records overlap. The groups of both partitions are numbered from 0, and a record is a pair of group
// numbers. Idea: in the sorted pairs, each run of equal pairs is a cell of the contingency table. For each group, only its size and the sum
// of its squared cells are needed; sums over groups are integers, so they are exact and do not depend on the order. Cost: a radix sort and
// a pass over the sorted pairs (two if broken groups of side 1 are listed). Memory: the pairs, and 16 bytes per group.
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

/// A record: its group on side 0 in the upper 32 bits, its group on side 1 in the lower ones.
struct group_pair {
  std::uint64_t both;

  group_pair() = default;
  group_pair(std::uint32_t first, std::uint32_t second) noexcept : both{std::uint64_t{first} << 32 | second} {}
  [[nodiscard]] std::uint32_t group(unsigned side) const noexcept { return static_cast<std::uint32_t>(side == 0 ? both >> 32 : both); }
};

/// A cell of a broken group: a group of the other side, and the number of records in both groups.
struct cell_share {
  std::uint32_t group = 0;
  std::uint64_t records = 0;
};

/// A broken group: one whose records are in several groups of the other side.
struct broken_cells {
  std::uint32_t group = 0;
  std::uint64_t records = 0;
  std::uint64_t pairs = 0;  ///< number of pairs of its records that are in different groups of the other side
  std::uint64_t parts = 0;
  std::vector<cell_share> largest;  ///< its largest cells, descending by records, then ascending by group
};

/// The counts of all groups of one side.
struct side_counts {
  std::uint64_t groups = 0;  ///< number of groups with a record
  std::uint64_t pairs = 0;   ///< number of pairs of records in the same group
  std::uint64_t broken = 0;  ///< number of broken groups
  /// The sum over groups of (sum of its squared cells) / (its size), times 2^64. The term of each group is rounded down, and is at least
  /// 2^64.
  uint128 mean_share = 0;
  std::vector<broken_cells> worst;  ///< the worst broken groups, descending by pairs, then ascending by group
};

struct contingency {
  std::array<side_counts, 2> sides;
  std::uint64_t common_pairs = 0;  ///< number of pairs of records that are in the same group on both sides
};

struct contingency_request {
  std::array<std::uint64_t, 2> groups;  ///< upper bounds of the group numbers on each side
  std::size_t worst = 0;                ///< number of broken groups to list for each side
  std::size_t shares = 0;               ///< number of cells to list for each of these groups
  unsigned threads = 1;
  std::pmr::memory_resource* memory = host_memory();
};

/// Counts overlaps, and sorts `records`. Precondition: fewer than 2^32 records, so that sums of pairs and squares fit in 64 bits.
contingency count_overlaps(std::span<group_pair> records, const contingency_request& request);

}  // namespace copse
