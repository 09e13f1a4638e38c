// Sorts the strings of a table by their bytes.
#pragma once
#include <copse/memory.hpp>
#include <ids/arrival_numbers.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace copse::ids {

// Strings are sorted by eight bytes at a time, which are stored next to the reference, so that most comparisons do not follow a pointer;
// strings that agree in them are sorted by the next eight bytes. A prefix that all strings have in common is skipped.

struct string_entry {
  static constexpr unsigned where_bits = string_numbers::arena::reference_bits;
  static constexpr string_numbers::reference where_mask = (string_numbers::reference{1} << where_bits) - 1;

  /// eight bytes of the string as a big-endian number, zeros after its end; bits that are equal in all keys may be removed
  std::uint64_t key;
  string_numbers::reference where : where_bits;
  std::uint64_t bytes_left : 4;  ///< number of bytes of the string from the first one in `key` to its end; 9 if there are more than eight
  std::uint64_t length : 6;      ///< length of the whole string, or long_string if it is at least that

  static constexpr unsigned repeats_previous = 15;
  static constexpr unsigned long_string = 63;
};

/// A sample of the strings of each shard, used to divide all strings into ranges. It consists of random strings, or of the first ones if
/// the slots of the table were freed.
std::vector<std::string_view> sampled_strings(const string_numbers& table);

/// All records of the table, sorted by their strings. Among equal strings, all except one have repeats_previous as `bytes_left`.
buffer<string_entry> sorted_strings(const string_numbers& table, std::span<const std::string_view> sample, unsigned threads,
                                    std::pmr::memory_resource* memory);

struct string_ordering {
  unsigned threads = 1;
  std::pmr::memory_resource* memory = host_memory();
  /// Called by any thread with the numbers of two records of the same string, of which only the first is in the result.
  std::function<void(std::uint32_t, std::uint32_t)> on_repeat = {};
  /// If no block of ids_per_block strings has more bytes than this, the number of a string and its offset are packed into one 64-bit word
  /// until the table of the strings is freed, which lowers the peak memory. Tests set a small value.
  std::uint64_t most_packed_bytes = UINT32_MAX;
};

/// The names in ascending order of their bytes, with their numbers.
ordered_ids order_strings(const string_numbers& table, const string_ordering& how);
/// The names in ascending order of their bytes, with their numbers; the table is consumed, and freed before the numbers are allocated if
/// possible.
ordered_ids order_strings(string_numbers&& table, const string_ordering& how);

}  // namespace copse::ids
