// From a table of strings and the forest over their numbers to the answer: the strings in order, and labels by them.
#pragma once
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <drivers/streaming/compact_forest.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace copse::streaming {

// Strings in the order of their bytes: eight bytes at a time are kept next to the reference, so that most comparisons follow no pointer;
// strings that agree in these are sorted by the next eight. What all strings begin with is passed over.

struct string_entry {
  static constexpr string_numbers::reference where_mask = (string_numbers::reference{1} << 54) - 1;

  std::uint64_t key;  ///< eight bytes of the string, the first in the highest byte, zeros behind its end; bits that all share may be gone
  string_numbers::reference where : 54;
  std::uint64_t bytes_left : 4;  ///< of the string at these eight; 9: more than eight
  std::uint64_t length : 6;      ///< of the whole string; long_string: that many or more

  static constexpr unsigned repeats_previous = 15;
  static constexpr unsigned long_string = 63;
};

/// Some strings of each shard, by which all are cut into ranges. Random ones where the table has its slots still.
std::vector<std::string_view> sampled_strings(const string_numbers& table);

/// All records of the table in the order of their strings. Of strings that are equal all but one have `bytes_left` repeats_previous.
buffer<string_entry> sorted_strings(const string_numbers& table, std::span<const std::string_view> sample, unsigned threads,
                                    std::pmr::memory_resource* memory);

/// Names ascending by bytes, labels their indices. Records of the table that have the same string are united, and are one vertex. The table
/// is used up, and the forest is flattened. `positions`: of the strings among the names, by the numbers of their records,
/// unless it is null; for tables without repeated strings. `most_packed_bytes`: how far from the first string of a block others may lie for
/// the way that takes least memory; tests make it small.
labelling take_string_labels(string_numbers& table, compact_forest& forest, unsigned threads, std::pmr::memory_resource* memory,
                             buffer<std::uint32_t>* positions = nullptr, std::uint64_t most_packed_bytes = UINT32_MAX);

}  // namespace copse::streaming
