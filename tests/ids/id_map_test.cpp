// The map from ids to numbers: every id has one, however many workers meet it, and the order of ids says nothing of their arrival.
#include <gtest/gtest.h>
#include <ids/id_map.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <core/team.hpp>

namespace copse::test {
namespace {

using ids::id_map;

template <class Id>
using held_id = std::conditional_t<std::is_same_v<Id, std::string_view>, std::string, std::uint64_t>;

template <class Id>
std::vector<held_id<Id>> random_ids(std::size_t count, std::uint64_t different) {
  std::mt19937_64 random{3};
  std::vector<held_id<Id>> all;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t id = random() % different * 0x9E3779B97F4A7C15u;
    if constexpr (std::is_same_v<Id, std::string_view>) {
      all.push_back("id-" + std::to_string(id) + std::string(id % 50, 'x'));
    } else {
      all.push_back(id);
    }
  }
  return all;
}

/// The number of each id, in pieces that the workers take in turns.
template <class Id>
std::vector<std::uint32_t> number_all(id_map<Id>& map, const std::vector<held_id<Id>>& all, unsigned workers) {
  constexpr std::size_t piece = 1000;
  std::vector<std::uint32_t> numbers(all.size());
  on_workers(workers, [&](unsigned worker) {
    for (std::size_t begin = worker * piece; begin < all.size(); begin += workers * piece) {
      const std::size_t count = std::min(piece, all.size() - begin);
      std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(begin), count, map.room(worker).begin());
      std::ranges::copy(map.number(worker, count, workers > 1), numbers.begin() + static_cast<std::ptrdiff_t>(begin));
    }
  });
  return numbers;
}

template <class Id>
class id_map_of : public ::testing::Test {};
using kinds_of_ids = ::testing::Types<std::uint64_t, std::string_view>;
TYPED_TEST_SUITE(id_map_of, kinds_of_ids);

TYPED_TEST(id_map_of, gives_every_id_one_number) {
  const auto all = random_ids<TypeParam>(60'000, 20'000);
  for (const unsigned workers : {1u, 2u, 7u}) {
    id_map<TypeParam> map{workers, host_memory()};
    const auto numbers = number_all(map, all, workers);
    std::map<held_id<TypeParam>, std::uint32_t> known;
    std::set<std::uint32_t> used;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto [at, is_new] = known.emplace(all[i], numbers[i]);
      ASSERT_TRUE(!is_new || used.insert(numbers[i]).second) << "a number of two ids";
      ASSERT_EQ(at->second, numbers[i]) << "a second number of an id";
      ASSERT_LT(numbers[i], map.bound());
    }
    EXPECT_EQ(map.size(), known.size());
    EXPECT_LE(map.bound(), known.size() + std::uint64_t{1024} * workers);
    EXPECT_EQ(number_all(map, all, workers), numbers) << "known ids keep theirs";
    if constexpr (!id_map<TypeParam>::of_strings) {
      EXPECT_EQ(map.largest(), known.rbegin()->first);
    }
  }
}

TYPED_TEST(id_map_of, finds_what_has_a_number_and_adds_nothing) {
  id_map<TypeParam> map{2, host_memory()};
  const auto all = random_ids<TypeParam>(4'000, 3'000);
  std::copy_n(all.begin(), 2'000, map.room(1).begin());
  for (const std::uint32_t number : map.find(1, 2'000)) ASSERT_EQ(number, no_vertex<std::uint32_t>) << "of an empty map";
  std::copy_n(all.begin(), 2'000, map.room(0).begin());
  const auto given = map.number(0, 2'000, false);
  std::map<held_id<TypeParam>, std::uint32_t> known;
  for (std::size_t i = 0; i < given.size(); ++i) known.emplace(all[i], given[i]);
  const std::uint64_t size = map.size(), bound = map.bound();
  std::copy_n(all.begin(), 4'000, map.room(1).begin());
  const auto found = map.find(1, 4'000);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto at = known.find(all[i]);
    ASSERT_EQ(found[i], at == known.end() ? no_vertex<std::uint32_t> : at->second);
  }
  EXPECT_EQ(map.size(), size);
  EXPECT_EQ(map.bound(), bound);
}

TYPED_TEST(id_map_of, orders_ids_by_themselves) {
  const auto all = random_ids<TypeParam>(150'000, 90'000);
  std::vector<held_id<TypeParam>> sorted = all;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (const unsigned workers : {1u, 5u}) {
    id_map<TypeParam> map{workers, host_memory()};
    const auto numbers = number_all(map, all, workers);
    const std::uint64_t bound = map.bound();
    const auto expect_order = [&](const ids::ordered_ids& ordered) {
      ASSERT_EQ(ordered.names.size(), sorted.size());
      const auto positions = ids::positions_of(ordered, bound, workers, host_memory());
      auto next = sorted.begin();
      for (std::uint64_t i = 0; i < sorted.size(); ++i, ++next) {
        if constexpr (id_map<TypeParam>::of_strings) {
          ASSERT_EQ(ordered.names.string(i), *next);
        } else {
          ASSERT_EQ(ordered.names.integer(i), *next);
        }
        ASSERT_EQ(positions[ordered.numbers[i]], i);
      }
      for (std::size_t i = 0; i < all.size(); i += 97) {
        ASSERT_EQ(positions[numbers[i]], static_cast<std::size_t>(std::ranges::lower_bound(sorted, all[i]) - sorted.begin()));
      }
    };
    expect_order(map.ordered(workers));
    expect_order(map.ordered(workers));
    expect_order(map.take_ordered(workers));
  }
}

TYPED_TEST(id_map_of, adopts_ids_in_their_order_and_none_twice) {
  const auto all = random_ids<TypeParam>(9'000, std::uint64_t{1} << 60);
  id_map<TypeParam> map{1, host_memory()};
  for (std::size_t begin = 0; begin < all.size(); begin += 3'000) {
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(begin), 3'000, map.room(0).begin());
    ASSERT_TRUE(map.adopt(3'000));
  }
  EXPECT_EQ(map.bound(), all.size());
  const auto numbers = number_all(map, all, 1);
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(numbers[i], i);
  map.room(0)[0] = all[5];
  EXPECT_FALSE(map.adopt(1));
}

TEST(arrival_numbers, end_with_an_error_that_names_them) {
  ids::arrival_numbers numbers;
  const auto most = numbers.reserve(UINT32_MAX - 5);
  EXPECT_EQ(most.end, UINT32_MAX - 5);
  ids::arrival_numbers::run run;
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(numbers.next(run), UINT32_MAX - 5 + i);
  EXPECT_THROW(numbers.next(run), resource_error);
}

TEST(integer_order, ids_of_all_widths_and_of_empty_parts) {
  for (const std::uint64_t scale : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40}) {
    std::vector<buffer<ids::numbered_id>> parts(3);
    std::vector<std::uint64_t> expected;
    for (const std::size_t part : {std::size_t{0}, std::size_t{2}}) {
      parts[part] = buffer<ids::numbered_id>{5'000};
      for (std::size_t i = 0; i < 5'000; ++i) {
        const std::uint64_t id = UINT64_MAX - (i * 7919 % 5'000) * scale;
        parts[part][i] = {id, {static_cast<std::uint32_t>(i)}};
        expected.push_back(id);
      }
    }
    std::sort(expected.begin(), expected.end());
    const auto entries = ids::order_integers(parts, false, 3, host_memory());
    ASSERT_EQ(entries.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(entries[i].key(), expected[i]);
  }
}

}  // namespace
}  // namespace copse::test
