#include <drivers/streaming/group_forest.hpp>

#include <copse/errors.hpp>
#include <drivers/streaming/compact_forest.hpp>
#include <drivers/streaming/inverted_parents.hpp>
#include <drivers/streaming/unite_batch.hpp>
#include <ids/integer_order.hpp>
#include <ids/string_order.hpp>
#include <io/fields.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace copse::streaming {
namespace {

constexpr std::size_t ids_per_chunk = std::size_t{1} << 15;

template <class T>
T& scratch_in(std::unique_ptr<T>& held) {
  if (held == nullptr) held = std::make_unique<T>();
  return *held;
}

/// Keeps one entry for each id in `entries`, which are sorted by id. An entry is an id and the number of a vertex (record) that stands for
/// it; the vertices of equal ids are united.
void keep_one_of_each(buffer<ids::numbered_id>& entries, const compact_forest& forest) {
  std::size_t count = 0;
  for (const ids::numbered_id entry : entries) {
    if (count != 0 && entries[count - 1].key() == entry.key()) {
      const parents_of<false, compact_forest::words_type> parents{forest.words()};
      unite_rule<false>{}(parents, entries[count - 1].index, entry.index);
    } else {
      entries[count++] = entry;
    }
  }
  entries.shrink(count);
}

}  // namespace

group_forest::group_forest(const settings& options)
    : options_{options},
      workers_(options.workers),
      forest_{std::make_unique<compact_forest>(options.memory)},
      string_ids_{options.memory},
      integer_ids_{options.memory},
      columns_(options.columns) {}

auto group_forest::numbering_for(worker_state& own) {
  const auto add = [forest = forest_.get()](std::uint32_t number) { forest->add(number); };
  return ids::numbering<decltype(add)>{numbers_, own.run, own.records.data(), add};
}

template <class Table, class Id>
void group_forest::look_up_ids(unsigned worker, Table& table, std::unique_ptr<ids::lookup_scratch<Id>>& piece, std::span<const Id> ids) {
  worker_state& own = workers_[worker];
  auto& scratch = scratch_in(piece);
  std::ranges::copy(ids, scratch.keys.begin());
  table.look_up(scratch, ids.size(), worker * 7, shared(), numbering_for(own));
}

void group_forest::append(unsigned worker, std::span<const std::uint64_t> ids) {
  worker_state& own = workers_[worker];
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (own.appended.empty() || own.filled == ids_per_chunk) {
      own.appended.reserve(own.appended.size() + 1);
      own.appended.emplace_back(ids_per_chunk, options_.memory);
      own.filled = 0;
    }
    own.records[i] = numbers_.next(own.run);
    forest_->add(own.records[i]);
    own.appended.back()[own.filled++] = {ids[i], {own.records[i]}};
  }
}

std::span<const std::uint32_t> group_forest::records(unsigned worker, std::span<const std::string_view> ids) {
  worker_state& own = workers_[worker];
  if (options_.ids == repeats::looked_up) {
    look_up_ids(worker, string_ids_, own.strings, ids);
  } else {
    string_ids_.append(ids, worker % ids::shard_count, shared(), numbering_for(own));
  }
  return std::span{own.records}.first(ids.size());
}

std::span<const std::uint32_t> group_forest::records(unsigned worker, std::span<const std::uint64_t> ids) {
  worker_state& own = workers_[worker];
  if (options_.ids == repeats::looked_up) {
    look_up_ids(worker, integer_ids_, own.integers, ids);
  } else {
    append(worker, ids);
  }
  return std::span{own.records}.first(ids.size());
}

void group_forest::open(unsigned column, bool strings) {
  if (strings) {
    columns_[column] = std::make_unique<string_holders>(options_.memory);
  } else {
    columns_[column] = std::make_unique<integer_holders>(options_.memory);
  }
}

template <class Table, class Value>
void group_forest::unite(unsigned worker, Table& table, std::unique_ptr<ids::lookup_scratch<Value>>& piece, std::span<const Value> values,
                         std::span<const std::uint32_t> owners, value_use use, std::uint32_t limit) {
  auto& scratch = scratch_in(piece);
  std::ranges::copy(values, scratch.keys.begin());
  std::ranges::copy(owners, scratch.indices.begin());
  table.look_up(scratch, values.size(), worker * 7, shared(), holding{use, limit, scratch.indices.data()});
  if (use == value_use::count) return;
  std::array<edge<std::uint32_t>, ids::piece_keys> edges;
  for (std::size_t i = 0; i < values.size(); ++i) edges[i] = {owners[i], scratch.indices[i]};
  const std::span<const edge<std::uint32_t>> batch{edges.data(), values.size()};
  const auto present = [](std::uint32_t) { return true; };
  if (shared()) {
    unite_batch<true>(forest_->words(), batch, present);
  } else {
    unite_batch<false>(forest_->words(), batch, present);
  }
}

void group_forest::values(unsigned worker, unsigned column, std::span<const std::string_view> values, std::span<const std::uint32_t> owners,
                          value_use use, std::uint32_t limit) {
  unite(worker, *std::get<std::unique_ptr<string_holders>>(columns_[column]), workers_[worker].strings, values, owners, use, limit);
}

void group_forest::values(unsigned worker, unsigned column, std::span<const std::uint64_t> values, std::span<const std::uint32_t> owners,
                          value_use use, std::uint32_t limit) {
  unite(worker, *std::get<std::unique_ptr<integer_holders>>(columns_[column]), workers_[worker].integers, values, owners, use, limit);
}

std::uint64_t group_forest::value_count(unsigned column) const noexcept {
  if (const auto* strings = std::get_if<std::unique_ptr<string_holders>>(&columns_[column])) return (*strings)->size();
  if (const auto* integers = std::get_if<std::unique_ptr<integer_holders>>(&columns_[column])) return (*integers)->size();
  return 0;
}

/// Moves all integer ids, each with the number of its vertex in the forest (its record), into one array in ascending order of ids. With
/// repeats::sorted_out, where ids are not looked up in a hash table, an id is in the array as many times as it came; otherwise once.
buffer<ids::numbered_id> group_forest::take_integers(unsigned threads, bool are_signed) {
  std::vector<buffer<ids::numbered_id>> parts(ids::shard_count);
  parallel_blocks(threads, ids::shard_count, 1, [&](std::size_t shard, std::size_t) {
    parts[shard] = integer_ids_.entries(static_cast<unsigned>(shard));
    integer_ids_.drop(static_cast<unsigned>(shard));
  });
  for (worker_state& own : workers_) {
    if (!own.appended.empty()) own.appended.back().shrink(own.filled);
    std::ranges::move(own.appended, std::back_inserter(parts));
    own.appended.clear();
  }
  return ids::order_integers(parts, are_signed, threads, options_.memory);
}

labelling group_forest::take_labels(unsigned threads, bool are_signed, const std::function<void(std::span<std::uint64_t>)>& integer_names) {
  columns_.clear();
  ids::ordered_ids ordered;
  if (string_ids_.size() != 0) {
    const auto unite = [parents = parents_of<true, compact_forest::words_type>{forest_->words()}](std::uint32_t a, std::uint32_t b) {
      unite_rule<true>{}(parents, a, b);
    };
    ordered = ids::order_strings(std::move(string_ids_), {.threads = threads, .memory = options_.memory, .on_repeat = unite});
  } else {
    buffer<ids::numbered_id> entries = take_integers(threads, are_signed);
    keep_one_of_each(entries, *forest_);
    ordered = ids::apart(entries, are_signed, threads, options_.memory, integer_names);
  }
  labelling labels = forest_->labels(std::move(ordered), numbers_.bound(), threads);
  forest_.reset();
  return labels;
}

std::vector<large_value> group_forest::values_above(std::uint64_t limit,
                                                    const std::function<std::string(unsigned, std::uint64_t)>& text_of) const {
  std::vector<large_value> found;
  if (limit >= UINT32_MAX) return found;  // counts end at 2^32 - 1
  const auto least = static_cast<std::uint32_t>(limit);
  for (unsigned column = 0; column < columns_.size(); ++column) {
    if (const auto* strings = std::get_if<std::unique_ptr<string_holders>>(&columns_[column])) {
      (*strings)->for_each([&](std::string_view value, const value_holder& held) {
        if (held.count > least) found.push_back({column, std::string{value}, held.count});
      });
    } else if (const auto* integers = std::get_if<std::unique_ptr<integer_holders>>(&columns_[column])) {
      (*integers)->for_each([&](std::uint64_t value, const value_holder& held) {
        if (held.count > least) found.push_back({column, text_of(column, value), held.count});
      });
    }
  }
  std::sort(found.begin(), found.end(), [](const large_value& a, const large_value& b) {
    return std::tie(b.count, a.column, a.value) < std::tie(a.count, b.column, b.value);
  });
  return found;
}

}  // namespace copse::streaming

namespace copse {
namespace {

std::string text_of(const std::vector<large_value>& found, const std::vector<std::string>& column_names, std::uint64_t max_group) {
  constexpr std::size_t shown = 5;
  std::string text = "found " + std::to_string(found.size()) + (found.size() == 1 ? " value" : " values") + " that more than " +
                     std::to_string(max_group) + (max_group == 1 ? " record has: " : " records have: ");
  for (std::size_t i = 0; i < std::min(shown, found.size()); ++i) {
    const auto& [column, value, count] = found[i];
    const std::string name = column < column_names.size() ? column_names[column] : "keys[" + std::to_string(column) + "]";
    text.append(i == 0 ? "" : ", ")
        .append(name)
        .append(" ")
        .append(io::quoted(value))
        .append(" (")
        .append(std::to_string(count))
        .append(")");
  }
  return text.append(found.size() > shown ? ", ..." : "").append("; expected none");
}

}  // namespace

large_value_error::large_value_error(std::vector<large_value> found, const std::vector<std::string>& column_names, std::uint64_t max_group)
    : input_error{text_of(found, column_names, max_group)}, values_{std::move(found)} {}

}  // namespace copse
