#include "string_labels.hpp"

#include <algorithm>
#include <array>

#include "flatten.hpp"
#include "ranks.hpp"
#include "rules.hpp"
#include "string_order.hpp"

namespace copse::streaming {
namespace {

using words = compact_forest::words_type;

constexpr std::size_t records_ahead = 16;

/// All records in the order of their strings.
buffer<string_entry> ordered(const string_numbers& table, unsigned threads, std::pmr::memory_resource* memory) {
  std::array<std::uint64_t, shard_count + 1> starts{};
  for (unsigned shard = 0; shard < shard_count; ++shard) starts[shard + 1] = starts[shard] + table.size(shard);
  buffer<string_entry> entries{starts.back(), memory};
  parallel_blocks(threads, shard_count, 1, [&](std::size_t shard, std::size_t) {
    std::uint64_t next = starts[shard];
    table.for_each_record(static_cast<unsigned>(shard), [&](string_numbers::reference where, const string_numbers::record&) {
      entries[next++].where = where & string_entry::where_mask;
    });
  });
  sort_strings(entries.span(), table, threads);
  return entries;
}

/// One reference for each string. Its other records are united with it.
buffer<string_numbers::reference> one_of_each(const buffer<string_entry>& entries, const string_numbers& table,
                                              const compact_forest& forest, std::pmr::memory_resource* memory) {
  buffer<string_numbers::reference> order{entries.size(), memory};
  std::size_t count = 0;
  for (const string_entry& entry : entries) {
    if (entry.bytes_left == string_entry::repeats_previous) {
      unite_rule<false>{}(parents_of<false, words>{forest.words()}, table.at(order[count - 1]).index, table.at(entry.where).index);
    } else {
      order[count++] = entry.where;
    }
  }
  order.shrink(count);
  return order;
}

}  // namespace

labelling take_string_labels(string_numbers& table, compact_forest& forest, unsigned threads, std::pmr::memory_resource* memory,
                             buffer<std::uint32_t>* positions) {
  table.drop_slots();
  const auto order = one_of_each(ordered(table, threads, memory), table, forest, memory);
  const std::uint64_t count = order.size();
  point_at_roots(forest.words(), forest.slots(), threads);
  const auto for_each_record = [&](auto visit) {
    parallel_blocks(threads, count, flatten_block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        table.prefetch(order[std::min(i + records_ahead, end - 1)]);  // records lie in the order in which they came
        visit(i, table.at(order[i]));
      }
    });
  };

  buffer<std::uint32_t> labels{count, memory};
  if (positions != nullptr) *positions = buffer<std::uint32_t>{forest.slots(), memory};
  buffer<std::uint64_t> offsets{count + 1, memory};
  offsets[0] = 0;
  for_each_record([&](std::size_t i, const string_numbers::record& found) {
    labels[i] = found.index;
    if (positions != nullptr) (*positions)[found.index] = static_cast<std::uint32_t>(i);
    offsets[i + 1] = found.bytes.size();
  });
  rank_labels(labels.span(), forest, threads, memory);
  for (std::size_t i = 0; i < count; ++i) offsets[i + 1] += offsets[i];
  buffer<char> bytes{offsets[count], memory};
  for_each_record([&](std::size_t i, const string_numbers::record& found) {
    std::copy(found.bytes.begin(), found.bytes.end(), bytes.data() + offsets[i]);
  });
  return {std::move(labels), vertex_names::strings(std::move(bytes), std::move(offsets))};
}

}  // namespace copse::streaming
