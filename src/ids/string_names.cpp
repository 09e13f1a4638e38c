#include <core/parallel.hpp>
#include <core/short_bytes.hpp>
#include <ids/string_order.hpp>

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace copse::ids {
namespace {

constexpr std::size_t records_ahead = 24;

/// The different strings in ascending order, as references to their records (in an array that has room for the n + 1 offsets that replace
/// them later), and the blocks into which threads divide them: for each, the index of its first string, and the number of bytes of all
/// strings before that one.
struct string_list {
  struct block {
    std::uint64_t first_string = 0, first_byte = 0;
  };
  buffer<std::uint64_t> references;
  std::vector<block> blocks;  ///< the blocks, then the end of the last one
};

string_list one_of_each(const buffer<string_entry>& entries, const string_numbers& table, const string_ordering& how) {
  string_list list;
  list.blocks.resize((entries.size() + ids_per_block - 1) / ids_per_block + 1);
  parallel_blocks(how.threads, entries.size(), ids_per_block, [&](std::size_t begin, std::size_t end) {
    string_list::block& sum = list.blocks[begin / ids_per_block + 1];
    for (std::size_t i = begin; i < end; ++i) {
      if (entries[i].bytes_left == string_entry::repeats_previous) continue;
      ++sum.first_string;
      sum.first_byte +=
          entries[i].length < string_entry::long_string ? std::uint64_t{entries[i].length} : table.at(entries[i].where).bytes.size();
    }
  });
  for (std::size_t k = 1; k < list.blocks.size(); ++k) {
    list.blocks[k].first_string += list.blocks[k - 1].first_string;
    list.blocks[k].first_byte += list.blocks[k - 1].first_byte;
  }
  list.references = buffer<std::uint64_t>{list.blocks.back().first_string + 1, how.memory};
  parallel_blocks(how.threads, entries.size(), ids_per_block, [&](std::size_t begin, std::size_t end) {
    std::uint64_t next = list.blocks[begin / ids_per_block].first_string;
    for (std::size_t i = begin; i < end; ++i) {
      if (entries[i].bytes_left == string_entry::repeats_previous) {
        how.on_repeat(table.at(entries[i - 1].where).index, table.at(entries[i].where).index);
      } else {
        list.references[next++] = entries[i].where;
      }
    }
  });
  return list;
}

bool none_is_longer(std::span<const string_list::block> blocks, std::uint64_t bytes) {
  const auto longer = [=](const auto& block, const auto& next) { return next.first_byte - block.first_byte > bytes; };
  return std::adjacent_find(blocks.begin(), blocks.end(), longer) == blocks.end();
}

/// Packs a string's offset in its block (high bits) and its number (low bits) into a word.
constexpr std::uint64_t pack(std::uint64_t place, std::uint32_t index) noexcept { return place << 32 | index; }

/// Takes apart the words that pack() made: returns the numbers of the strings, and replaces each word by the offset of its string.
buffer<std::uint32_t> unpacked(string_list& list, const string_ordering& how) {
  buffer<std::uint32_t> numbers{list.blocks.back().first_string, how.memory};
  parallel_blocks(how.threads, list.blocks.size() - 1, 1, [&](std::size_t k, std::size_t) {
    for (std::uint64_t i = list.blocks[k].first_string; i < list.blocks[k + 1].first_string; ++i) {
      const std::uint64_t both = list.references[i];
      numbers[i] = static_cast<std::uint32_t>(both);
      list.references[i] = list.blocks[k].first_byte + (both >> 32);
    }
  });
  return numbers;
}

/// Orders the strings. A table that is not const is consumed.
template <class Table>
ordered_ids ordered(Table& table, const string_ordering& how) {
  constexpr bool used_up = !std::is_const_v<Table>;
  const auto sample = sampled_strings(table);
  if constexpr (used_up) table.drop_slots();
  string_list list = one_of_each(sorted_strings(table, sample, how.threads, how.memory), table, how);
  buffer<std::uint64_t>& offsets = list.references;
  const auto& blocks = list.blocks;
  const std::uint64_t count = blocks.back().first_string;
  buffer<char> bytes{blocks.back().first_byte, how.memory};
  // To save memory, the array of numbers is allocated only after the table has freed its copy of the strings, if the offsets of all strings
  // in their blocks fit in 32 bits: until then, one 64-bit word holds the number of a string and that offset (pack()).
  const bool packed = none_is_longer(blocks, how.most_packed_bytes);
  buffer<std::uint32_t> numbers;
  if (!packed) numbers = buffer<std::uint32_t>{count, how.memory};
  // Strings are visited in ascending order, but their records are stored in the order of arrival, so each record is prefetched. Once a
  // string is copied, the offset of the copy replaces the reference to its record.
  parallel_blocks(how.threads, blocks.size() - 1, 1, [&](std::size_t k, std::size_t) {
    const std::uint64_t end = blocks[k + 1].first_string;
    std::uint64_t at = blocks[k].first_byte;
    for (std::uint64_t i = blocks[k].first_string; i < end; ++i) {
      table.prefetch(offsets[std::min(i + records_ahead, end - 1)]);
      const string_numbers::record found = table.at(offsets[i]);
      copy_bytes(found.bytes, bytes.data() + at);
      if (packed) {
        offsets[i] = pack(at - blocks[k].first_byte, found.index);
      } else {
        offsets[i] = at;
        numbers[i] = found.index;
      }
      at += found.bytes.size();
    }
  });
  offsets[count] = blocks.back().first_byte;
  if constexpr (used_up) table.drop_records();
  if (packed) numbers = unpacked(list, how);
  return {vertex_names::strings(std::move(bytes), std::move(offsets)), std::move(numbers)};
}

}  // namespace

ordered_ids order_strings(const string_numbers& table, const string_ordering& how) { return ordered(table, how); }
ordered_ids order_strings(string_numbers&& table, const string_ordering& how) { return ordered(table, how); }

}  // namespace copse::ids
