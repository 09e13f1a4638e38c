// group_sink: a batch is checked as a whole; then its blocks go to the union-find forest of groups: first the records of a block, then the
// keys of one column after the other.
#include <api/check_view.hpp>
#include <copse/errors.hpp>
#include <copse/group_sink.hpp>
#include <core/hide.hpp>
#include <core/parallel.hpp>
#include <core/request.hpp>
#include <core/team.hpp>
#include <drivers/streaming/group_forest.hpp>
#include <drivers/streaming/inverted_parents.hpp>
#include <ids/id_signs.hpp>
#include <loops/meter.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <concepts>
#include <new>
#include <optional>
#include <utility>

namespace copse {
namespace {

using clock = std::chrono::steady_clock;
using streaming::group_forest;

constexpr std::size_t block_rows = group_forest::most_in_batch;

/// The kind of ids, or of the keys in a column. It must not change between batches, since -1 and 2^64 - 1 have the same bits.
enum class value_kind : std::uint8_t { signed_integers, unsigned_integers, strings };

template <class Value>
constexpr value_kind kind_of_type = std::same_as<Value, std::string_view>
                                        ? value_kind::strings
                                        : (std::signed_integral<Value> ? value_kind::signed_integers : value_kind::unsigned_integers);

value_kind kind_of(const id_column& column) {
  return std::visit([]<class Value>(const typed_ids<Value>&) { return kind_of_type<Value>; }, column.held());
}

std::string text_of(value_kind kind) {
  return kind == value_kind::strings ? "strings" : kind == value_kind::signed_integers ? "signed integers" : "unsigned integers";
}

/// The type in which the union-find structure stores a value: a string, or 64 bits.
template <class Value>
using stored = std::conditional_t<std::same_as<Value, std::string_view>, std::string_view, std::uint64_t>;

template <class Value>
stored<Value> as_stored(Value value) {
  if constexpr (std::same_as<Value, std::string_view>) {
    return value;
  } else {
    return static_cast<std::uint64_t>(value);
  }
}

std::string column_text(std::size_t column) { return "keys[" + std::to_string(column) + "]"; }

}  // namespace

struct group_sink::state {
  explicit state(const request<group_options>& asked)
      : options{asked},
        threads{usable_threads(options.threads)},
        kinds(options.columns),
        forest{{.workers = threads, .columns = options.one_namespace ? 1 : options.columns, .memory = options.memory}},
        progress{options.observer, 0, "unite", "keys"} {}

  [[nodiscard]] unsigned table_of(std::size_t column) const { return options.one_namespace ? 0u : static_cast<unsigned>(column); }

  void expect_shape(const id_column& records, std::span<const key_column> keys) const {
    if (keys.size() != options.columns) {
      throw usage_error{"group_sink: there must be " + std::to_string(options.columns) + " columns of keys, as in the options, not " +
                        std::to_string(keys.size())};
    }
    for (std::size_t c = 0; c < keys.size(); ++c) {
      if (keys[c].keys.size() != records.size()) {
        throw usage_error{"group_sink: " + column_text(c) + " must have one value for each of " + std::to_string(records.size()) +
                          " records, not " + std::to_string(keys[c].keys.size())};
      }
      if (!keys[c].present.empty() && keys[c].present.size() != records.size()) {
        throw usage_error{"group_sink: " + column_text(c) + ".present must be empty or have one flag for each of " +
                          std::to_string(records.size()) + " records, not " + std::to_string(keys[c].present.size())};
      }
    }
  }

  /// Returns, for each column, the kind of its keys as it is known after this batch. Throws if the kind of the ids, or of the keys in a
  /// column, differs from that of earlier batches.
  [[nodiscard]] std::vector<std::optional<value_kind>> kinds_with(const id_column& records, std::span<const key_column> keys) const {
    const bool strings = kind_of(records) == value_kind::strings;
    if (string_ids && *string_ids != strings) {
      throw usage_error{std::string{"group_sink: ids must be "} + (strings ? "integers" : "strings") + ", as in earlier batches, not " +
                        (strings ? "strings" : "integers")};
    }
    auto after = kinds;
    for (std::size_t c = 0; c < keys.size(); ++c) {
      std::optional<value_kind>& known = after[table_of(c)];
      const value_kind kind = kind_of(keys[c].keys);
      if (known && *known != kind) {
        throw usage_error{"group_sink: " + column_text(c) + " must hold " + text_of(*known) + ", as " +
                          (options.one_namespace ? "all columns share one namespace" : "in earlier batches") + ", not " + text_of(kind)};
      }
      known = kind;
    }
    return after;
  }

  template <class Id>
  void expect_ids(const typed_ids<Id>& ids) {
    if constexpr (!std::same_as<Id, std::string_view>) {
      if (signs.knows(std::signed_integral<Id>)) return;
      const std::size_t first =
          api::first_wrong(backend::threads{threads, nullptr}, ids.size(), [=](std::size_t i) { return has_sign_bit(as_stored(ids[i])); });
      if (first == ids.size()) return;
      signs.expect(as_stored(ids[first]), std::signed_integral<Id>, [&] { return "group_sink: records[" + std::to_string(first) + "]"; });
    }
  }

  [[nodiscard]] bool is_missing(std::string_view value) const {
    return std::find(options.missing.begin(), options.missing.end(), value) != options.missing.end();
  }

  /// Unites the values of one column in rows begin .. begin + owners.size() - 1 with the records `owners`; returns how many rows have a
  /// value.
  template <class Value>
  std::size_t unite_column(unsigned worker, std::size_t column, const typed_ids<Value>& values, std::span<const bool> present,
                           std::size_t begin, std::span<const std::uint32_t> owners) {
    std::array<stored<Value>, block_rows> kept;
    std::array<std::uint32_t, block_rows> kept_owners;
    std::size_t count = 0;
    for (std::size_t i = 0; i < owners.size(); ++i) {
      if (!present.empty() && !present[begin + i]) continue;
      if constexpr (std::same_as<Value, std::string_view>) {
        if (is_missing(values[begin + i])) continue;
      }
      kept[count] = as_stored(values[begin + i]);
      kept_owners[count++] = owners[i];
    }
    forest.values(worker, table_of(column), std::span<const stored<Value>>{kept.data(), count}, std::span{kept_owners}.first(count));
    return count;
  }

  template <class Id>
  void unite(const typed_ids<Id>& ids, std::span<const key_column> keys) {
    std::atomic<std::uint64_t> found{0};
    parallel_blocks(threads, ids.size(), block_rows, [&](std::size_t begin, std::size_t end) {
      if (!progress.advance((end - begin) * keys.size())) throw cancelled{};
      const unsigned worker = worker_number();
      std::array<stored<Id>, block_rows> block;
      for (std::size_t i = begin; i < end; ++i) block[i - begin] = as_stored(ids[i]);
      const auto owners = forest.records(worker, std::span<const stored<Id>>{block.data(), end - begin});
      for (std::size_t c = 0; c < keys.size(); ++c) {
        found += std::visit([&](const auto& values) { return unite_column(worker, c, values, keys[c].present, begin, owners); },
                            keys[c].keys.held());
      }
    });
    counts.rows += ids.size();
    counts.keys += found;
    counts.missing += ids.size() * keys.size() - found;
  }

  request<group_options> options;
  unsigned threads;
  std::optional<bool> string_ids;                ///< not set before the first batch that is not empty
  std::vector<std::optional<value_kind>> kinds;  ///< the kind of the keys in each column
  ids::id_signs signs;
  group_forest forest;
  backend::meter progress;
  group_counts counts;
  bool failed = false;  ///< set when an exception ended a batch early
  clock::duration time_inside{};
};

namespace {

const group_options& expect_possible(const group_options& options) {
  if (options.columns == 0) throw usage_error{"group_sink: columns must be 1 or more, not 0"};
  if (options.max_group == 0)
    throw usage_error{"group_sink: max_group must be 1 or more, not 0, as every value belongs to at least one record"};
  return options;
}

}  // namespace

group_sink::group_sink(const group_options& options, const execution& on)
    : state_{hide(std::make_unique<state>(request<group_options>{expect_possible(options), on}))} {}

group_sink::state& group_sink::open_state() {
  if (state_ == nullptr) throw usage_error{"group_sink: cannot be used after finish(); make a new sink"};
  if (state_->failed) throw usage_error{"group_sink: cannot be used after a batch that failed midway; make a new sink"};
  return *state_;
}

void group_sink::add(id_column records, std::span<const key_column> keys) {
  state& s = open_state();
  s.expect_shape(records, keys);
  if (records.size() == 0) return;
  const auto start = clock::now();
  auto kinds = s.kinds_with(records, keys);
  std::visit([&](const auto& ids) { s.expect_ids(ids); }, records.held());
  try {
    s.failed = true;
    for (unsigned table = 0; table < kinds.size(); ++table) {
      if (kinds[table] && !s.kinds[table]) s.forest.open(table, kinds[table] == value_kind::strings);
    }
    s.kinds = std::move(kinds);
    s.string_ids = kind_of(records) == value_kind::strings;
    std::visit([&](const auto& ids) { s.unite(ids, keys); }, records.held());
    s.failed = false;
  } catch (const std::bad_alloc&) {
    throw resource_error{"group_sink: out of memory after " + std::to_string(s.counts.rows) + " rows"};
  }
  s.time_inside += clock::now() - start;
}

group_counts group_sink::counts() const noexcept {
  if (state_ == nullptr) return {};
  group_counts counts = state_->counts;
  for (unsigned table = 0; table < state_->forest.columns(); ++table) counts.values += state_->forest.value_count(table);
  return counts;
}

components_result group_sink::finish() {
  const auto start = clock::now();
  state& open = open_state();
  const auto large = open.forest.values_above(open.options.max_group, [&](unsigned table, std::uint64_t bits) {
    return open.kinds[table] == value_kind::signed_integers ? std::to_string(static_cast<std::int64_t>(bits)) : std::to_string(bits);
  });
  if (!large.empty()) {
    throw large_value_error{large, open.options.one_namespace ? std::vector<std::string>{"keys"} : std::vector<std::string>{},
                            open.options.max_group};
  }
  const auto s = std::move(state_);
  components_result result;
  try {
    result.labels = s->forest.take_labels(s->threads, s->signs.any_negative());
  } catch (const std::bad_alloc&) {
    throw resource_error{"group_sink: out of memory while the labels of " + std::to_string(s->counts.rows) + " rows were put in order"};
  }
  const bool several = s->threads > 1;
  result.report.variant = several ? streaming::shared_variant : streaming::serial_variant;
  result.report.explanation = "the keys arrive in batches: records united by values on arrival (" + std::to_string(s->threads) +
                              (several ? " workers" : " worker") + "), no pair made";
  result.report.threads = s->threads;
  result.report.edges = s->counts.keys;
  result.report.solve_seconds = std::chrono::duration<double>(s->time_inside + (clock::now() - start)).count();
  return result;
}

}  // namespace copse
