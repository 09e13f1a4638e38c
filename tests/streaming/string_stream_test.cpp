// String ids: interned once, united by number, ordered by bytes at the end.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "drive.hpp"
#include "drivers/streaming/string_order.hpp"

namespace copse::test {
namespace {

using streaming::streaming_sink;

class streaming_strings : public testing::TestWithParam<unsigned> {
protected:
  static void expect_right(const string_edges& edges, std::size_t batch = 500) {
    streaming_sink sink{GetParam(), host_memory()};
    feed(sink, edges, GetParam(), batch);
    EXPECT_EQ(sink.edge_count(), edges.size());
    const labelling labels = sink.take_labelling();
    ASSERT_EQ(labels.names().what(), vertex_names::kind::strings);
    EXPECT_EQ(string_answer(labels), smallest_names<std::string>(edges));
    for (std::uint64_t i = 1; i < labels.slots(); ++i) ASSERT_LT(labels.names().string(i - 1), labels.names().string(i));
  }
  template <class Name>
  static string_edges random_strings(std::size_t count, std::uint64_t seed, Name name) {
    std::mt19937_64 random{seed};
    string_edges edges;
    for (std::size_t i = 0; i < count; ++i) {
      auto u = name(random());
      edges.emplace_back(std::move(u), name(random()));
    }
    return edges;
  }
};

TEST_P(streaming_strings, none) { expect_right({}); }

TEST_P(streaming_strings, loops_and_the_empty_string) { expect_right({{"b", "b"}, {"", "a"}, {"a", "a"}}); }

TEST_P(streaming_strings, ends_come_before_zero_bytes) {
  using namespace std::string_literals;
  expect_right({{"a\0"s, "a"s}, {"a\0\0"s, "x"s}, {"12345678"s, "12345678\0"s}, {"1234567\0"s, "1234567"s}, {"\xff"s, "\x7f"s}});
}

TEST_P(streaming_strings, short_ones) {
  expect_right(random_strings(20000, 1, [](std::uint64_t r) { return std::to_string(r % 15000); }), 50);
}

TEST_P(streaming_strings, long_common_prefixes) {
  const std::string prefix(100, 'p');
  expect_right(random_strings(8000, 2, [&](std::uint64_t r) { return prefix + std::to_string(r % 5000) + prefix; }));
}

TEST_P(streaming_strings, prefixes_of_each_other) {
  expect_right(random_strings(2000, 3, [](std::uint64_t r) { return std::string(r % 1500, 'a'); }));
}

TEST_P(streaming_strings, longer_than_a_piece_of_the_arena) {
  expect_right(
      random_strings(40, 4, [](std::uint64_t r) { return std::string(200'000 + r % 20 * 50'000, static_cast<char>('a' + r % 3)); }), 3);
}

INSTANTIATE_TEST_SUITE_P(workers, streaming_strings, testing::Values(1u, 2u, 7u), testing::PrintToStringParamName());

// Large enough for several threads to sort, with few distinct leading bytes.
TEST(string_order, many_strings_by_several_threads) {
  string_edges edges;
  std::mt19937_64 random{5};
  for (int i = 0; i < 150'000; ++i) {
    auto name = fmt::format("user/{}", random() % 1'000'000);
    edges.emplace_back(name, name);
  }
  streaming_sink sink{4, host_memory()};
  feed(sink, edges, 4, 1000);
  const labelling labels = sink.take_labelling();
  EXPECT_EQ(string_answer(labels), smallest_names<std::string>(edges));
  for (std::uint64_t i = 1; i < labels.slots(); ++i) ASSERT_LT(labels.names().string(i - 1), labels.names().string(i));
}

}  // namespace
}  // namespace copse::test
