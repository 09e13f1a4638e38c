// The strings of a table in the order of their bytes.
#pragma once
#include <copse/memory.hpp>
#include <ids/arrival_numbers.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace copse::ids {

// Strings are ordered by eight bytes at a time, which are kept next to the reference, so that most comparisons follow no pointer;
// strings that agree in these are sorted by the next eight. A prefix that all strings share is skipped.

struct string_entry {
  static constexpr string_numbers::reference where_mask = (string_numbers::reference{1} << 54) - 1;

  std::uint64_t key;  ///< eight bytes of the string, the first in the highest byte, zeros behind its end; bits that all share may be gone
  string_numbers::reference where : 54;
  std::uint64_t bytes_left : 4;  ///< bytes of the string from these eight on; 9: more than eight
  std::uint64_t length : 6;      ///< length of the whole string; long_string: that many or more

  static constexpr unsigned repeats_previous = 15;
  static constexpr unsigned long_string = 63;
};

/// Some strings of each shard, by which all are cut into ranges. Random ones where the table has its slots still.
std::vector<std::string_view> sampled_strings(const string_numbers& table);

/// All records of the table in the order of their strings. Of equal strings, all but one have `bytes_left` repeats_previous.
buffer<string_entry> sorted_strings(const string_numbers& table, std::span<const std::string_view> sample, unsigned threads,
                                    std::pmr::memory_resource* memory);

struct string_ordering {
  unsigned threads = 1;
  std::pmr::memory_resource* memory = host_memory();
  /// Called by any thread for two records of one string. Only the first record of a string is listed.
  std::function<void(std::uint32_t, std::uint32_t)> on_repeat = {};
  /// The largest distance from the first string of a block to the others for which the way with least memory is used; tests make it small.
  std::uint64_t most_packed_bytes = UINT32_MAX;
};

/// The names in ascending order of their bytes.
ordered_ids order_strings(const string_numbers& table, const string_ordering& how);
/// The names in ascending order of their bytes; the table is freed while its strings are copied.
ordered_ids order_strings(string_numbers&& table, const string_ordering& how);

}  // namespace copse::ids
