// Groups of records by keys, from a caller's arrays: whatever ids and keys are, the size of the batches and the threads, the answer is the
// reference's.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/group_sink.hpp>

#include <array>
#include <memory>
#include <random>

#include "drive.hpp"
#include "group_reference.hpp"
#include "support/failing_memory.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using numbered_rows = keyed_rows<std::uint64_t, std::uint64_t>;

/// Some ids come again, a third of the values are missing, columns share values.
numbered_rows random_rows(std::size_t rows, std::size_t columns, std::uint64_t values, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  numbered_rows result;
  for (std::size_t i = 0; i < rows; ++i) result.ids.push_back(random() % (2 * rows));
  for (std::size_t c = 0; c < columns; ++c) {
    auto& column = result.columns.emplace_back();
    for (std::size_t i = 0; i < rows; ++i) {
      const std::uint64_t value = random() % values;
      column.push_back(random() % 3 == 0 ? std::nullopt : std::optional{value});
    }
  }
  return result;
}

/// The rows as `Id` and `Key`, handed over in batches.
template <class Id, class Key>
struct typed_rows {
  std::vector<Id> ids;
  std::vector<std::vector<Key>> keys;
  std::vector<std::unique_ptr<bool[]>> present;

  template <class ToId, class ToKey>
  typed_rows(const numbered_rows& rows, ToId to_id, ToKey to_key) {
    for (const auto id : rows.ids) ids.push_back(to_id(id));
    for (const auto& column : rows.columns) {
      auto& values = keys.emplace_back();
      auto& flags = present.emplace_back(std::make_unique<bool[]>(column.size()));
      for (std::size_t i = 0; i < column.size(); ++i) {
        flags[i] = column[i].has_value();
        values.push_back(to_key(column[i].value_or(0)));
      }
    }
  }

  components_result solve(std::size_t batch, group_options options, const execution& on) const {
    options.columns = static_cast<unsigned>(keys.size());
    group_sink sink{options, on};
    for (std::size_t at = 0; at < ids.size(); at += batch) {
      const std::size_t count = std::min(batch, ids.size() - at);
      std::vector<key_column> columns;
      for (std::size_t c = 0; c < keys.size(); ++c) {
        columns.emplace_back(id_column{std::span{keys[c]}.subspan(at, count)}, std::span<const bool>{present[c].get() + at, count});
      }
      sink.add(id_column{std::span{ids}.subspan(at, count)}, columns);
    }
    return sink.finish();
  }
};

constexpr std::size_t everything = std::size_t{1} << 40;

/// Strings that live as long as this.
class names {
public:
  std::string_view operator()(std::uint64_t number, std::string_view pattern = "{}") {
    return *held_.insert(fmt::format(fmt::runtime(pattern), number)).first;
  }

private:
  std::set<std::string> held_;
};

TEST(group_sink, answers_as_the_reference_for_all_kinds_of_ids_and_keys) {
  names held;
  const auto as_string = [&](std::uint64_t id) { return held(id); };
  const auto as_long_string = [&](std::uint64_t key) { return held(key, "a value of more than twenty-three bytes {}"); };
  const auto as_negative = [](std::uint64_t key) { return -static_cast<std::int64_t>(key) * 1'000'003; };
  const auto same = [](std::uint64_t id) { return id; };
  const auto as_int = [](std::uint64_t id) { return static_cast<std::int32_t>(id); };
  for (const std::size_t columns : {1u, 3u}) {
    const auto rows = random_rows(5000, columns, 3000, 7 + columns);
    for (const bool one_namespace : {false, true}) {
      const auto expected = groups_of(rows, one_namespace);
      numbered_rows unused;
      std::map<std::string, std::string> expected_names;  // labels are the smallest by bytes there
      {
        keyed_rows<std::string, std::uint64_t> named;
        for (const auto id : rows.ids) named.ids.push_back(std::to_string(id));
        named.columns = rows.columns;
        expected_names = groups_of(named, one_namespace);
      }
      for (const unsigned threads : {1u, 3u}) {
        for (const std::size_t batch : {std::size_t{1}, std::size_t{999}, everything}) {
          const group_options options{.one_namespace = one_namespace};
          const execution on{.threads = threads};
          const auto at = fmt::format("{} columns, one namespace {}, {} threads, batches of {}", columns, one_namespace, threads, batch);
          EXPECT_EQ(integer_answer(typed_rows<std::uint64_t, std::uint64_t>{rows, same, same}.solve(batch, options, on).labels), expected)
              << at;
          EXPECT_EQ(integer_answer(typed_rows<std::int32_t, std::int64_t>{rows, as_int, as_negative}.solve(batch, options, on).labels),
                    expected)
              << at;
          EXPECT_EQ(integer_answer(typed_rows<std::int32_t, std::string_view>{rows, as_int, as_string}.solve(batch, options, on).labels),
                    expected)
              << at;
          EXPECT_EQ(string_answer(typed_rows<std::string_view, std::int32_t>{rows, as_string, as_int}.solve(batch, options, on).labels),
                    expected_names)
              << at;
          EXPECT_EQ(string_answer(
                        typed_rows<std::string_view, std::string_view>{rows, as_string, as_long_string}.solve(batch, options, on).labels),
                    expected_names)
              << at;
        }
      }
    }
  }
}

TEST(group_sink, shares_large_batches_among_threads) {
  const auto rows = random_rows(20'000, 3, 14'000, 11);
  const typed_rows<std::uint64_t, std::uint64_t> typed{rows, [](auto id) { return id; }, [](auto key) { return key << 40; }};
  const auto expected = groups_of(rows);
  for (const unsigned threads : {1u, 2u, 7u}) {
    const auto result = typed.solve(everything, {}, {.threads = threads});
    EXPECT_EQ(integer_answer(result.labels), expected) << threads;
    EXPECT_EQ(result.report.threads, threads);
  }
}

using texts = std::vector<std::string_view>;

std::map<std::string, std::string> grouped(const texts& ids, const std::vector<texts>& columns, group_options options = {}) {
  options.columns = static_cast<unsigned>(columns.size());
  group_sink sink{options};
  std::vector<key_column> keys;
  for (const texts& column : columns) keys.emplace_back(column);
  sink.add(ids, keys);
  return string_answer(sink.finish().labels);
}

using answer = std::map<std::string, std::string>;

TEST(group_sink, keeps_columns_apart_unless_they_are_one_namespace) {
  const texts ids{"a", "b", "c"};
  const std::vector<texts> columns{{"x", "y", "z"}, {"w", "x", "z"}};
  EXPECT_EQ(grouped(ids, columns), (answer{{"a", "a"}, {"b", "b"}, {"c", "c"}}));
  EXPECT_EQ(grouped(ids, columns, {.one_namespace = true}), (answer{{"a", "a"}, {"b", "a"}, {"c", "c"}}));
}

TEST(group_sink, joins_no_missing_values) {
  const texts ids{"a", "b", "c", "d"};
  const std::vector<texts> columns{{"", "", "NULL", "NULL"}};
  EXPECT_EQ(grouped(ids, columns), (answer{{"a", "a"}, {"b", "b"}, {"c", "c"}, {"d", "c"}}));
  EXPECT_EQ(grouped(ids, columns, {.missing = {"", "NULL"}}), (answer{{"a", "a"}, {"b", "b"}, {"c", "c"}, {"d", "d"}}));
  EXPECT_EQ(grouped(ids, columns, {.missing = {}}), (answer{{"a", "a"}, {"b", "a"}, {"c", "c"}, {"d", "c"}}));
}

TEST(group_sink, links_by_chains_and_by_ids_that_come_again) {
  EXPECT_EQ(grouped({"d", "c", "b", "a", "e"}, {{"1", "1", "2", "2", "9"}, {"u", "v", "v", "w", "x"}}),
            (answer{{"a", "a"}, {"b", "a"}, {"c", "a"}, {"d", "a"}, {"e", "e"}}));
  EXPECT_EQ(grouped({"a", "b", "b", "c"}, {{"1", "1", "2", "2"}}), (answer{{"a", "a"}, {"b", "a"}, {"c", "a"}}));
}

TEST(group_sink, tells_apart_values_that_are_alike) {
  const std::string zeros(24, '\0'), text(100, 'x');
  texts ids, values;
  names held;
  for (std::size_t length = 1; length < 24; ++length) values.push_back(std::string_view{zeros}.substr(0, length));
  for (std::size_t length = 20; length < 27; ++length) values.push_back(std::string_view{text}.substr(0, length));
  for (std::size_t i = 0; i < values.size(); ++i) ids.push_back(held(i));
  for (const auto& [id, label] : grouped(ids, {values})) EXPECT_EQ(id, label);
  texts twice = values;
  twice.insert(twice.end(), values.begin(), values.end());
  for (std::size_t i = 0; i < values.size(); ++i) ids.push_back(held(i, "later {}"));
  const auto found = grouped(ids, {twice});
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(found.at(fmt::format("later {}", i)), std::to_string(i));
}

TEST(group_sink, counts_and_reports) {
  group_sink sink{{.columns = 2}, {.threads = 1}};
  sink.add(std::array{1, 2, 3}, {std::array{7, 7, 8}, std::array<std::string_view, 3>{"x", "", "y"}});
  const group_counts counts = sink.counts();
  EXPECT_EQ(counts.rows, 3u);
  EXPECT_EQ(counts.keys, 5u);
  EXPECT_EQ(counts.missing, 1u);
  EXPECT_EQ(counts.values, 4u);
  const auto result = sink.finish();
  EXPECT_EQ(result.count(), 2u);
  EXPECT_EQ(result.report.variant, "serial.none.rem");
  EXPECT_EQ(result.report.edges, 5u);
  EXPECT_GT(result.report.solve_seconds, 0);
  EXPECT_EQ(sink.counts().rows, 0u);
}

TEST(group_sink, answers_without_any_row) {
  group_sink sink;
  sink.add(std::vector<std::int64_t>{}, std::vector<std::string_view>{});
  EXPECT_EQ(sink.finish().labels.slots(), 0u);
}

TEST(group_sink, refuses_values_that_too_many_records_have) {
  const std::vector<std::int32_t> ids{1, 2, 3, 4, 5, 6};
  const texts emails{"a", "a", "a", "b\n", "b\n", "c"};
  const std::vector<std::int64_t> phones{-5, -5, -5, -5, 2, 2};
  const auto limited = [&](std::uint64_t limit) {
    auto sink = std::make_unique<group_sink>(group_options{.columns = 2, .max_group = limit});
    sink->add(ids, {emails, phones});
    return sink;
  };
  EXPECT_EQ(limited(4)->finish().count(), 1u);
  EXPECT_EQ(thrown<input_error>([&] { static_cast<void>(limited(3)->finish()); }),
            "found 1 value that more than 3 records have: keys[1] \"-5\" (4); expected none");
  try {
    static_cast<void>(limited(1)->finish());
    FAIL();
  } catch (const large_value_error& e) {
    EXPECT_EQ(std::string{e.what()},
              "found 4 values that more than 1 record has: keys[1] \"-5\" (4), keys[0] \"a\" (3), keys[0] \"b\\x0A\" (2), "
              "keys[1] \"2\" (2); expected none");
    const std::vector<large_value> expected{{1, "-5", 4}, {0, "a", 3}, {0, "b\n", 2}, {1, "2", 2}};
    EXPECT_EQ(e.values(), expected);
  }
}

TEST(group_sink, refuses_what_does_not_fit) {
  const std::array ids{1, 2};
  const std::array<std::string_view, 2> text{"x", "y"};
  const bool flags[1] = {true};
  EXPECT_EQ(thrown<usage_error>([] { group_sink{{.columns = 0}}; }), "group_sink: columns must be 1 or more, not 0");
  EXPECT_EQ(thrown<usage_error>([] { group_sink{{.max_group = 0}}; }),
            "group_sink: max_group must be 1 or more, not 0, as every value belongs to at least one record");
  group_sink sink;
  EXPECT_EQ(thrown<usage_error>([&] {
              sink.add(ids, {ids, ids});
            }),
            "group_sink: there must be 1 columns of keys, as in the options, not 2");
  EXPECT_EQ(thrown<usage_error>([&] {
              sink.add(ids, std::array{1, 2, 3});
            }),
            "group_sink: keys[0] must have one value for each of 2 records, not 3");
  EXPECT_EQ(thrown<usage_error>([&] {
              sink.add(ids, key_column{ids, flags});
            }),
            "group_sink: keys[0].present must be empty or have one flag for each of 2 records, not 1");
  EXPECT_EQ(sink.counts().rows, 0u);
  sink.add(ids, ids);
  EXPECT_EQ(thrown<usage_error>([&] { sink.add(text, ids); }), "group_sink: ids must be integers, as in earlier batches, not strings");
  EXPECT_EQ(thrown<usage_error>([&] { sink.add(ids, text); }),
            "group_sink: keys[0] must hold signed integers, as in earlier batches, not strings");
  EXPECT_EQ(thrown<usage_error>([&] {
              sink.add(ids, std::array{1u, 2u});
            }),
            "group_sink: keys[0] must hold signed integers, as in earlier batches, not unsigned integers");
  EXPECT_EQ(sink.finish().count(), 2u);
  EXPECT_THROW(sink.add(ids, ids), usage_error);
  EXPECT_THROW(static_cast<void>(sink.finish()), usage_error);
}

TEST(group_sink, is_of_no_use_after_memory_ended_in_a_batch) {
  const auto rows = random_rows(20'000, 2, 10'000, 3);
  const typed_rows<std::uint64_t, std::uint64_t> typed{rows, [](auto id) { return id; }, [](auto key) { return key; }};
  std::size_t failed = 0;
  for (std::uint64_t after = 0; after < 200; after += 7) {
    failing_memory source;
    tracked_memory memory{UINT64_MAX, &source};
    {
      group_sink sink{{.columns = 2}, {.threads = 2, .memory = &memory}};
      source.fail_after(after);
      try {
        sink.add(typed.ids, {typed.keys[0], typed.keys[1]});
      } catch (const resource_error&) {
        ++failed;
        EXPECT_THROW(sink.add(typed.ids, {typed.keys[0], typed.keys[1]}), usage_error);
      }
    }
    EXPECT_EQ(memory.current_bytes(), 0u) << after;
  }
  EXPECT_GT(failed, 20u);
}

// Ten and more rows per record; memory follows records and different values.
TEST(group_sink, holds_memory_for_records_and_values_only) {
  constexpr std::uint64_t n = 100'000;
  const auto peak = [&](unsigned batches) {
    tracked_memory memory;
    {
      group_sink sink{{}, {.threads = 2, .memory = &memory}};
      std::mt19937_64 random{8};
      for (unsigned k = 0; k < batches; ++k) {
        std::vector<std::uint64_t> ids, keys;
        for (std::uint64_t v = 0; v < n; ++v) {
          ids.push_back(v << 20);
          keys.push_back(random() % n << 30);
        }
        sink.add(ids, keys);
      }
      EXPECT_EQ(sink.finish().labels.names().size(), n);
    }
    return memory.peak_bytes();
  };
  constexpr std::uint64_t slack = 5u << 20;  // a piece of parents
  EXPECT_LE(peak(12), 28 * n + 32 * n + slack);
  EXPECT_LT(peak(12), 2 * peak(1));
}

}  // namespace
}  // namespace copse::test
