// The forest behind groups by key, where a caller of the library does not see it: ids that are sorted out at the end, and two passes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <copse/errors.hpp>

#include <algorithm>
#include <random>

#include "drive.hpp"
#include "drivers/streaming/group_forest.hpp"
#include "group_reference.hpp"

namespace copse::test {
namespace {

using streaming::group_forest;
using streaming::value_use;

constexpr std::size_t row_count = 30'000;

/// Rows whose ids come three times on average.
template <class Id, class Make>
keyed_rows<Id, std::uint64_t> repeated_rows(Make make_id) {
  std::mt19937_64 random{21};
  keyed_rows<Id, std::uint64_t> rows;
  rows.columns.resize(1);
  for (std::size_t i = 0; i < row_count; ++i) {
    rows.ids.push_back(make_id(random() % (row_count / 3)));
    rows.columns[0].push_back(random() % (row_count / 2));
  }
  return rows;
}

/// Feeds batches of rows to a forest from `workers` threads.
template <class Stored, class Id>
labelling solved(const keyed_rows<Id, std::uint64_t>& rows, unsigned workers, group_forest::repeats ids) {
  constexpr std::size_t batch = 1000;
  group_forest forest{{.workers = workers, .columns = 1, .ids = ids}};
  forest.open(0, false);
  std::atomic<std::size_t> next{0};
  on_workers(workers, [&](unsigned worker) {
    for (std::size_t at = next.fetch_add(batch); at < rows.ids.size(); at = next.fetch_add(batch)) {
      const std::vector<Stored> block(rows.ids.begin() + static_cast<std::ptrdiff_t>(at),
                                      rows.ids.begin() + static_cast<std::ptrdiff_t>(std::min(at + batch, rows.ids.size())));
      std::vector<std::uint64_t> values;
      for (std::size_t i = 0; i < block.size(); ++i) values.push_back(*rows.columns[0][at + i]);
      forest.values(worker, 0, values, forest.records(worker, std::span{block}));
    }
  });
  return forest.take_labels(workers, false);
}

TEST(group_forest, sorts_out_integers_that_come_again) {
  const auto rows = repeated_rows<std::uint64_t>([](std::uint64_t id) { return id * 0x1'0000'0001; });
  const auto expected = groups_of(rows);
  for (const unsigned workers : {1u, 4u}) {
    for (const auto ids : {group_forest::repeats::sorted_out, group_forest::repeats::looked_up}) {
      EXPECT_EQ(integer_answer(solved<std::uint64_t>(rows, workers, ids)), expected) << workers;
    }
  }
}

// Of all lengths around the eight bytes that are compared at once, with a common beginning and without one.
TEST(group_forest, sorts_out_strings_that_come_again) {
  for (const std::string prefix : {"", "customer-", "a beginning that all of them have "}) {
    const auto rows = repeated_rows<std::string>([&](std::uint64_t id) {
      return prefix + std::string(id % 19, static_cast<char>('a' + id % 3)) + (id % 2 == 0 ? "" : std::to_string(id));
    });
    const auto expected = groups_of(rows);
    for (const unsigned workers : {1u, 4u}) {
      for (const auto ids : {group_forest::repeats::sorted_out, group_forest::repeats::looked_up}) {
        EXPECT_EQ(string_answer(solved<std::string_view>(rows, workers, ids)), expected) << prefix << ' ' << workers;
      }
    }
  }
}

// A sample sees a common beginning that one string does not have.
TEST(group_forest, orders_strings_of_which_few_lack_the_common_beginning) {
  keyed_rows<std::string, std::uint64_t> rows;
  rows.columns.resize(1);
  for (std::size_t i = 0; i < 200'000; ++i) {
    rows.ids.push_back(i == 777 ? "b" : i == 150'001 ? "" : fmt::format("begin {:07}", i * 7919 % 200'000));
    rows.columns[0].push_back(i / 2);
  }
  const auto labels = solved<std::string_view>(rows, 2, group_forest::repeats::sorted_out);
  ASSERT_EQ(labels.slots(), rows.ids.size());
  for (std::uint64_t i = 1; i < labels.slots(); ++i) ASSERT_LT(labels.names().string(i - 1), labels.names().string(i));
  EXPECT_EQ(string_answer(labels), groups_of(rows));
}

TEST(group_forest, leaves_out_the_values_that_a_first_pass_counted_too_often) {
  const std::vector<std::uint64_t> ids{1, 2, 3, 4, 5}, values{7, 7, 7, 9, 9};
  const std::vector<std::uint32_t> nobody(ids.size());
  group_forest forest{{.workers = 1, .columns = 1}};
  forest.open(0, false);
  forest.values(0, 0, values, nobody, value_use::count);
  const auto large = forest.values_above(2, [](unsigned, std::uint64_t value) { return std::to_string(value); });
  EXPECT_EQ(large, (std::vector<large_value>{{0, "7", 3}}));
  forest.values(0, 0, values, forest.records(0, std::span{ids}), value_use::unite_counted, 2);
  const std::vector<std::uint64_t> other{8};
  EXPECT_THROW(forest.values(0, 0, other, std::span{nobody}.first(1), value_use::unite_counted, 2), input_error);
  EXPECT_EQ(integer_answer(forest.take_labels(1, false)), (std::map<std::uint64_t, std::uint64_t>{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 4}}));
}

}  // namespace
}  // namespace copse::test
