// String ids: interned once, united by number, ordered by bytes at the end.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <drivers/streaming/inverted_parents.hpp>
#include "core/radix_sort.hpp"
#include "drive.hpp"
#include "drivers/streaming/compact_forest.hpp"
#include "ids/id_map.hpp"

namespace copse::test {
namespace {

using streaming::streaming_sink;

class streaming_strings : public ::testing::TestWithParam<unsigned> {
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

// What the first strings begin with is only a guess for the others; ends, zero bytes and lengths that an entry has no room for lie between.
TEST(string_order, a_prefix_that_few_do_not_have) {
  string_edges edges;
  std::mt19937_64 random{6};
  for (int i = 0; i < 140'000; ++i) {
    std::string name = "customer-" + std::to_string(random() % 500'000);
    if (i % 20 == 0) name.append(random() % 90, static_cast<char>(random() % 3));
    edges.emplace_back(name, name);
  }
  edges.emplace_back("custom", "customer-");
  edges.emplace_back("", "zebra");
  for (const unsigned threads : {1u, 3u, 6u}) {
    streaming_sink sink{threads, host_memory()};
    feed(sink, edges, threads, 1000);
    const labelling labels = sink.take_labelling();
    EXPECT_EQ(string_answer(labels), smallest_names<std::string>(edges));
    for (std::uint64_t i = 1; i < labels.slots(); ++i) ASSERT_LT(labels.names().string(i - 1), labels.names().string(i));
  }
}

// Most strings share the eight bytes by which they are cut into ranges, so that one range is for all threads; some come several times.
TEST(string_order, a_range_that_is_longer_than_all_others) {
  string_edges edges;
  std::mt19937_64 random{8};
  for (int i = 0; i < 160'000; ++i) {
    const auto number = std::to_string(random() % 400'000);
    edges.emplace_back(i % 4 == 0 ? number : "of the same " + number, i % 4 == 0 ? "x" + number : "of the same " + number + "/0");
  }
  streaming_sink sink{4, host_memory()};
  feed(sink, edges, 4, 1000);
  const labelling labels = sink.take_labelling();
  EXPECT_EQ(string_answer(labels), smallest_names<std::string>(edges));
  for (std::uint64_t i = 1; i < labels.slots(); ++i) ASSERT_LT(labels.names().string(i - 1), labels.names().string(i));
}

// Vertices are kept with the places of their strings until these are copied, or apart, where a block of strings is too long for that.
TEST(string_labels, blocks_of_any_length_have_the_same_answer) {
  using namespace streaming;
  constexpr std::uint32_t count = 140'000, trees = 10;  // three blocks
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < count; ++i)
    names.push_back(std::to_string(i * 7919u % count) + std::string(i % 1000 == 0 ? i / 100 : 0, '-'));
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::uint32_t> place(count), first(trees, count);
  for (std::uint32_t i = 0; i < count; ++i) {
    place[i] = static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), names[i]) - sorted.begin());
    first[i % trees] = std::min(first[i % trees], place[i]);
  }
  for (const std::uint64_t most_packed_bytes : {std::uint64_t{UINT32_MAX}, std::uint64_t{400'000}, std::uint64_t{0}}) {
    ids::string_numbers table{host_memory()};
    ids::arrival_numbers arrivals;
    ids::arrival_numbers::run run;
    compact_forest forest{host_memory()};
    const auto piece = std::make_unique<ids::lookup_scratch<std::string_view>>();
    const auto add = [&](std::uint32_t number) { forest.add(number); };
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t begin = 0; begin < count; begin += 1000) {
      std::copy_n(names.begin() + begin, 1000, piece->keys.begin());
      table.look_up(*piece, 1000, 0, false, ids::numbering<decltype(add)>{arrivals, run, piece->indices.data(), add});
      numbers.insert(numbers.end(), piece->indices.begin(), piece->indices.begin() + 1000);
    }
    for (std::uint32_t i = trees; i < count; ++i) unite_rule<false>{}(plain_inverted{forest.words()}, numbers[i - trees], numbers[i]);
    ids::ordered_ids ordered = ids::order_strings(std::move(table), {.threads = 3, .most_packed_bytes = most_packed_bytes});
    const auto positions = ids::positions_of(ordered, arrivals.bound(), 3, host_memory());
    const labelling labels = forest.labels(std::move(ordered), arrivals.bound(), 3);
    ASSERT_EQ(labels.slots(), count);
    for (std::uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(labels.names().string(place[i]), names[i]);
      ASSERT_EQ(labels.label(place[i]), first[i % trees]);
      ASSERT_EQ(positions[numbers[i]], place[i]);
    }
  }
}

struct keyed {
  std::uint64_t key, number;
  friend bool operator==(const keyed&, const keyed&) = default;
};
bool by_key_and_number(const keyed& a, const keyed& b) { return a.key != b.key ? a.key < b.key : a.number < b.number; }

std::vector<std::vector<keyed>> keys_of_all_kinds() {
  std::vector<std::vector<keyed>> all(1);
  std::mt19937_64 random{7};
  const auto add = [&](std::size_t count, auto key) {
    auto& some = all.emplace_back();
    for (std::size_t i = 0; i < count; ++i) some.push_back({key(random()), random() % 1000});
  };
  for (const std::size_t count : {1u, 2u, 191u, 5'000u, 100'000u}) {
    add(count, [](std::uint64_t r) { return r; });
    add(count, [](std::uint64_t) { return std::uint64_t{42}; });
    add(count, [](std::uint64_t r) { return (r % 2 << 63) | r % 7; });
    add(count, [](std::uint64_t r) { return (r & 0x0f0f'0f0f'0f0f'0f0fu) | 0x3030'3030'3030'3030u; });
    add(count, [](std::uint64_t r) { return r % 5 == 0 ? (r % 256) << 56 : r % 100; });
    add(count, [](std::uint64_t r) { return r & 0xaaaa'aaaa'aaaa'aaaau; });
  }
  return all;
}

TEST(radix_sort, agrees_with_comparisons) {
  for (const auto& some : keys_of_all_kinds()) {
    auto expected = some;
    std::sort(expected.begin(), expected.end(), by_key_and_number);
    for (const unsigned threads : {1u, 4u}) {
      auto sorted = some;
      radix_sort(std::span{sorted}, &keyed::key, by_key_and_number, threads);
      ASSERT_EQ(sorted, expected) << some.size() << " keys, " << threads << " threads";
    }
  }
}

TEST(radix_sort, keys_without_their_common_bits_keep_their_order) {
  for (const auto& some : keys_of_all_kinds()) {
    if (some.empty()) continue;
    auto squeezed = some;
    squeeze_keys(std::span{squeezed}, &keyed::key, 2);
    for (std::size_t i = 1; i < some.size(); ++i) ASSERT_EQ(some[i - 1].key <=> some[i].key, squeezed[i - 1].key <=> squeezed[i].key);
  }
  std::vector<keyed> digits{{'1' << 8 | '7', 0}, {'0' << 8 | '8', 1}};  // one bit differs in the first, four in the second
  squeeze_keys(std::span{digits}, &keyed::key, 1);
  EXPECT_EQ(digits[0].key >> 59, 0b1'0111u);
  EXPECT_EQ(digits[1].key >> 59, 0b0'1000u);
}

}  // namespace
}  // namespace copse::test
