// Counts how two partitions of the same records overlap. The groups of both partitions are numbered from 0, and a record is a pair of
// group numbers. Idea: in the sorted pairs, each run of equal pairs is a cell of the contingency table. For each group, only its size and
// the sum of its squared cells are needed; sums over groups are integers, so they are exact and do not depend on the order. Cost: a radix
// sort and a pass over the sorted pairs (two if broken groups of side 1 are listed). Memory: the pairs, and 16 bytes per group.
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

/// A record (a thing that each of two partitions puts in one of its groups): the number of its group in the first partition (side 0) in the
/// upper 32 bits, in the second one (side 1) in the lower ones.
struct group_pair {
  std::uint64_t both;

  group_pair() = default;
  group_pair(std::uint32_t first, std::uint32_t second) noexcept : both{std::uint64_t{first} << 32 | second} {}
  [[nodiscard]] std::uint32_t group(unsigned side) const noexcept { return static_cast<std::uint32_t>(side == 0 ? both >> 32 : both); }
};

/// What a given group has in common with one group of the other partition: the number of the latter, and how many records are in both.
struct cell_share {
  std::uint32_t group = 0;
  std::uint64_t records = 0;
};

/// A broken group: one whose records are in several groups of the other partition.
struct broken_cells {
  std::uint32_t group = 0;
  std::uint64_t records = 0;
  std::uint64_t pairs = 0;  ///< number of pairs of its records that are in different groups of the other partition
  std::uint64_t parts = 0;
  /// the groups of the other partition that share the most records with it, descending by records, then ascending by group
  std::vector<cell_share> largest;
};

/// Counts over all groups of one partition.
struct side_counts {
  std::uint64_t groups = 0;  ///< number of groups that have at least one record
  std::uint64_t pairs = 0;   ///< number of pairs of records in the same group
  std::uint64_t broken = 0;  ///< number of groups whose records are in several groups of the other partition
  /// The sum of 2^64 * s / n over all groups, where n is the size of the group, and s is the sum of the squared sizes of the parts into
  /// which the other partition divides the group. Each term is rounded down, and is at least 2^64.
  uint128 mean_share = 0;
  /// the groups with the most pairs of records that are in different groups of the other partition; descending by the number of such
  /// pairs, then ascending by group
  std::vector<broken_cells> worst;
};

struct contingency {
  std::array<side_counts, 2> sides;
  std::uint64_t common_pairs = 0;  ///< number of pairs of records that are in the same group on both sides
};

struct contingency_request {
  std::array<std::uint64_t, 2> groups;  ///< for each partition, a number above all of its group numbers
  std::size_t worst = 0;                ///< how many of the broken groups of each partition to list in side_counts::worst
  std::size_t shares = 0;  ///< for each group in `worst`, how many groups of the other partition to list in broken_cells::largest
  unsigned threads = 1;
  std::pmr::memory_resource* memory = host_memory();
};

/// Counts how many records each group of one partition has in common with each group of the other, and sorts `records`. Precondition:
/// fewer than 2^32 records, so that numbers of pairs of records, and sums of squared group sizes, fit in 64 bits.
contingency count_overlaps(std::span<group_pair> records, const contingency_request& request);

}  // namespace copse
