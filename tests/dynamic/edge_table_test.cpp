// The table of what edges carry, compared with a map: random operations, pairs with many parallel edges, and states that are saved and
// loaded.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <dynamic/edge_table.hpp>
#include <dynamic/pair_code.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory_resource>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/thrown.hpp"

namespace copse::test {
namespace {

using dynamics::edge_name;
using dynamics::edge_state;
using dynamics::edge_table;

/// A table, and a map of the same edges.
class twins {
public:
  explicit twins(const dynamics::carried_values& carried) : carried_{carried}, table{carried, std::pmr::new_delete_resource()} {}

  dynamics::carried_values carried_;
  edge_table table;
  std::map<edge_name, edge_state> edges;

  [[nodiscard]] bool has_pair(const edge_name& pair) const {
    const auto at = edges.lower_bound({pair.u, pair.v, 0});
    return at != edges.end() && at->first.u == pair.u && at->first.v == pair.v;
  }
  void set(edge_name name, double weight, std::int64_t time, std::uint64_t sequence) {
    if (!carried_.keys) name.key = 0;
    const edge_state state{carried_.weights ? weight : 1, carried_.times ? time : 0, carried_.sequences ? sequence : 0, true};
    table.set(name, state, has_pair(name));
    edges[name] = state;
  }
  void erase(edge_name name) {
    if (!carried_.keys) name.key = 0;
    table.set(name, {}, has_pair(name));
    edges.erase(name);
  }
  void expect_same() const {
    ASSERT_EQ(table.size(), edges.size());
    expect_same(table);
    for (const auto& [name, state] : edges) ASSERT_EQ(table.find(name), state) << name.u << ' ' << name.v << ' ' << name.key;
  }
  void expect_same(const edge_table& other) const {
    std::map<edge_name, edge_state> found;
    other.for_each([&](const edge_name& name, const edge_state& state) { ASSERT_TRUE(found.emplace(name, state).second); });
    ASSERT_TRUE(found == edges);
  }
  void expect_pair(std::uint32_t u, std::uint32_t v) const {
    const edge_name pair{u, v, 0};
    ASSERT_EQ(table.has_pair(u, v), has_pair(pair));
    std::map<edge_name, edge_state> found, expected;
    table.for_each_of(v, u, [&](const edge_name& name, const edge_state& state) { ASSERT_TRUE(found.emplace(name, state).second); });
    for (auto at = edges.lower_bound(pair); at != edges.end() && at->first.u == pair.u && at->first.v == pair.v; ++at) expected.insert(*at);
    ASSERT_TRUE(found == expected) << u << ' ' << v;
  }
};

constexpr dynamics::carried_values all_values{true, true, true, true};

TEST(dynamic_edge_table, equals_a_map_after_random_operations) {
  std::mt19937_64 random{1};
  for (unsigned bits = 1; bits < 16; ++bits) {
    twins both{{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0}};
    for (const std::uint32_t vertices : {3u, 30u, 300u}) {
      for (int i = 0; i < 6000; ++i) {
        const edge_name name{static_cast<std::uint32_t>(random() % vertices), static_cast<std::uint32_t>(random() % vertices),
                             vertices == 3 ? random() % 200 : random() % 3};
        both.table.prefetch(name.u, name.v);
        both.table.prefetch_row(name.v, name.u);
        random() % 3 == 0 ? both.erase(name) : both.set(name, static_cast<double>(random() % 9), i, random());
        if (i % 50 == 0) {
          ASSERT_NO_FATAL_FAILURE(both.expect_pair(name.u, name.v));
        }
      }
      ASSERT_NO_FATAL_FAILURE(both.expect_same());
    }
    while (!both.edges.empty()) both.erase(both.edges.begin()->first);
    ASSERT_NO_FATAL_FAILURE(both.expect_same());
    both.set({7, 5, 2}, 3, 4, 5);
    ASSERT_NO_FATAL_FAILURE(both.expect_same());
  }
}

TEST(dynamic_edge_table, pairs_with_many_parallel_edges_come_and_go) {
  twins both{all_values};
  std::mt19937_64 random{2};
  std::vector<edge_name> names;
  for (std::uint32_t pair = 0; pair < 60; ++pair)
    for (std::uint64_t i = 0; i < (pair == 0 ? 20'000 : pair); ++i) names.push_back({pair, pair * 2, i << 40 | random() % 100});
  names.push_back({0, 0, UINT64_MAX});
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (int round = 0; round < 2; ++round) {
    std::shuffle(names.begin(), names.end(), random);
    for (const edge_name& name : names) both.set(name, 1, static_cast<std::int64_t>(random()), random());
    ASSERT_NO_FATAL_FAILURE(both.expect_same());
    std::shuffle(names.begin(), names.end(), random);
    for (std::size_t i = 0; i < names.size(); ++i) {
      both.erase(names[i]);
      if (i % 1000 == 0) {
        ASSERT_NO_FATAL_FAILURE(both.expect_pair(names[i].u, names[i].v));
      }
      if (i % 10'000 == 0) {
        ASSERT_NO_FATAL_FAILURE(both.expect_same());
      }
    }
    ASSERT_NO_FATAL_FAILURE(both.expect_same());
    for (std::uint32_t pair = 0; pair < 60; ++pair) ASSERT_FALSE(both.table.has_pair(pair, pair * 2));
  }
}

std::string saved(const edge_table& table) {
  std::string bytes;
  dynamics::byte_sink to{[&](std::string_view piece) { bytes += piece; }};
  table.save(to, {});
  to.finish();
  return bytes;
}

void load(edge_table& table, std::string_view bytes) {
  dynamics::byte_source from{[&] { return std::exchange(bytes, {}); }};
  table.load(from);
  from.expect_end();
}

TEST(dynamic_edge_table, saved_states_are_columns_and_are_loaded) {
  twins both{all_values};
  std::mt19937_64 random{3};
  for (int i = 0; i < 50'000; ++i)
    both.set({static_cast<std::uint32_t>(random() % 100), i % 3 == 0 ? 1u : static_cast<std::uint32_t>(random()), random()}, i, -i,
             random());
  const std::string bytes = saved(both.table);
  EXPECT_EQ(bytes.size(), 8 + both.edges.size() * (8 + 4 * 8));
  edge_table loaded{all_values, std::pmr::new_delete_resource()};
  load(loaded, bytes);
  ASSERT_EQ(loaded.size(), both.edges.size());
  ASSERT_NO_FATAL_FAILURE(both.expect_same(loaded));
}

TEST(dynamic_edge_table, states_with_wrong_numbers_of_edges_are_refused) {
  twins both{{true, false, false, false}};
  constexpr std::uint32_t count = 1000;
  for (std::uint32_t v = 0; v < count; ++v) both.set({1, v, 0}, v, 0, 0);
  std::string bytes = saved(both.table);
  const std::uint64_t wrong = std::uint64_t{1} << 60;
  std::string more = bytes;
  std::memcpy(more.data(), &wrong, sizeof wrong);
  edge_table first{both.carried_, std::pmr::new_delete_resource()};
  EXPECT_NE(thrown<input_error>([&] { load(first, more); }).find("ends too early"), std::string::npos);
  std::fill_n(bytes.begin() + 8, count * 8, '\1');  // all edges now have the same ends
  edge_table second{both.carried_, std::pmr::new_delete_resource()};
  EXPECT_NE(thrown<input_error>([&] { load(second, bytes); }).find("an edge repeatedly"), std::string::npos);
}

TEST(dynamic_edge_table, codes_of_regular_pairs_are_spread_evenly_and_lead_back) {
  const dynamics::pair_code code;
  constexpr std::uint32_t count = 1 << 16;
  for (const auto& [u_step, v_step] :
       {std::pair{0u, 1u}, {1u, 0u}, {1u, 1u}, {1u << 16, 1u}, {1u, 1u << 16}, {65'536u, 65'536u}, {3u, 1000u}}) {
    std::vector<unsigned> by_first(1024), by_last(1024), by_middle(1024);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t u = i * u_step, v = i * v_step + 1;
      const std::uint64_t its = code(u, v);
      ASSERT_EQ(code.pair_of(its), std::pair(u, v));
      ++by_first[its >> 54], ++by_last[its & 1023], ++by_middle[its >> 27 & 1023];
    }
    // 64 are expected; a standard deviation is 8
    for (const auto* counts : {&by_first, &by_last, &by_middle}) EXPECT_LT(*std::max_element(counts->begin(), counts->end()), 160u);
  }
}

}  // namespace
}  // namespace copse::test
