// Edges and questions in memory, with ids of any kind: dense, sparse, signed, strings, in columns and in pairs, against the definition.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/live_stream.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {
namespace ids_of_any_kind {  // tests of a folder are compiled together

enum class kind { dense, sparse, is_signed, strings };
constexpr kind kinds[]{kind::dense, kind::sparse, kind::is_signed, kind::strings};

/// What vertex i is called: the order of the names is that of i.
std::int64_t number_of(kind k, std::uint64_t i) {
  const auto n = static_cast<std::int64_t>(i);
  return k == kind::dense ? n : k == kind::sparse ? n * 1'000'000'007 + 3 : (n - 40) * 123'456'789'123;
}
std::string name_of(std::uint64_t i) { return {static_cast<char>('a' + i / 26), static_cast<char>('a' + i % 26)}; }
constexpr std::uint64_t most_vertices = 200;

using index_pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// Components by their definition.
class reference {
public:
  reference() : label_(most_vertices) { std::iota(label_.begin(), label_.end(), std::uint64_t{0}); }
  void insert(const index_pairs& pairs) {
    for (const auto& [u, v] : pairs) {
      exists_.insert({u, v});
      const std::uint64_t from = std::max(label_[u], label_[v]), to = std::min(label_[u], label_[v]);
      std::ranges::replace(label_, from, to);
    }
  }
  void merge(const reference& other) {
    for (const std::uint64_t v : other.exists_) insert({{v, other.label_[v]}});
  }
  [[nodiscard]] bool connected(std::uint64_t u, std::uint64_t v) const { return label_[u] == label_[v]; }
  [[nodiscard]] const std::set<std::uint64_t>& vertices() const { return exists_; }
  [[nodiscard]] std::uint64_t label(std::uint64_t v) const { return label_[v]; }
  [[nodiscard]] std::uint64_t size_of(std::uint64_t v) const {
    return exists_.contains(v) ? static_cast<std::uint64_t>(std::ranges::count(label_, label_[v])) : 0;
  }

private:
  std::vector<std::uint64_t> label_;
  std::set<std::uint64_t> exists_;
};

/// work(arguments...) with the pairs in one of the ways in which insert() and connected() take them.
template <class Work>
auto with_pairs(kind k, unsigned way, const index_pairs& pairs, Work work) {
  if (k == kind::strings) {
    std::vector<std::string> texts;
    for (const auto& [u, v] : pairs) texts.insert(texts.end(), {name_of(u), name_of(v)});
    std::vector<std::string_view> sources, targets;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      sources.push_back(texts[2 * i]);
      targets.push_back(texts[2 * i + 1]);
    }
    return work(std::span<const std::string_view>{sources}, std::span<const std::string_view>{targets});
  }
  const auto in_columns = [&]<class Id>(Id) {
    std::vector<Id> sources, targets;
    for (const auto& [u, v] : pairs) {
      sources.push_back(static_cast<Id>(number_of(k, u)));
      targets.push_back(static_cast<Id>(number_of(k, v)));
    }
    return work(pair_columns{sources, targets});
  };
  const auto side_by_side = [&]<class Word>(Word, bool are_signed) {
    std::vector<edge<Word>> edges;
    for (const auto& [u, v] : pairs) edges.push_back({static_cast<Word>(number_of(k, u)), static_cast<Word>(number_of(k, v))});
    return work(std::span<const edge<Word>>{edges}, are_signed);
  };
  const bool narrow = k == kind::dense, negative = k == kind::is_signed;
  switch (way % 8) {
    case 0:
      return in_columns(std::int64_t{});
    case 1:
      return side_by_side(std::uint64_t{}, true);
    case 2:
      if (narrow) return in_columns(std::int32_t{});
      break;
    case 3:
      if (narrow) return in_columns(std::uint32_t{});
      break;
    case 4:
      if (narrow) return side_by_side(std::uint32_t{}, false);
      break;
    case 5:
      if (narrow) return side_by_side(std::uint32_t{}, true);
      break;
    case 6:
      if (!negative) return in_columns(std::uint64_t{});
      break;
    default:
      if (!negative) return side_by_side(std::uint64_t{}, false);
  }
  return in_columns(std::int64_t{});
}

void insert(live_stream& live, kind k, unsigned way, const index_pairs& pairs) {
  with_pairs(k, way, pairs, [&](const auto&... arguments) { live.insert(arguments...); });
}

void expect_equal(live_stream& live, const reference& right, kind k, const std::string& what) {
  std::map<std::string, std::string> expected, found;
  const auto text = [k](std::uint64_t v) { return k == kind::strings ? name_of(v) : std::to_string(number_of(k, v)); };
  for (const std::uint64_t v : right.vertices()) expected[text(v)] = text(right.label(v));
  const labelling labels = live.labels();
  const auto& names = labels.names();
  const auto name = [&](std::uint64_t v) {
    return names.what() == vertex_names::kind::strings ? std::string{names.string(v)} : id_text(names.integer(v), names.is_signed());
  };
  std::set<std::string> different;
  for (std::uint64_t v = 0; v < labels.slots(); ++v) {
    if (!labels.present(v)) continue;
    found[name(v)] = name(labels.label(v));
    different.insert(name(labels.label(v)));
  }
  ASSERT_EQ(found, expected) << what;
  ASSERT_EQ(live.vertices(), expected.size()) << what;
  ASSERT_EQ(live.count(), different.size()) << what;
}

void expect_random_case(std::uint64_t seed) {
  std::mt19937_64 random{seed};
  const kind k = kinds[random() % 4];
  const auto threads = static_cast<unsigned>(1 + random() % 3);
  const std::uint64_t n = 2 + random() % (most_vertices - 2);
  const std::string what = "seed " + std::to_string(seed);
  const auto some_pairs = [&] {
    index_pairs pairs(random() % 30);
    for (auto& [u, v] : pairs) u = random() % n, v = random() % n;
    return pairs;
  };
  const execution on{.threads = threads};
  live_stream live{{}, on};
  reference right;
  temporary_folder folder;
  for (unsigned step = 0; step < 12; ++step) {
    const auto pairs = some_pairs();
    const auto way = static_cast<unsigned>(random());
    switch (random() % 6) {
      case 0: {
        const query_answers answers = with_pairs(k, way, pairs, [&](const auto&... arguments) { return live.connected(arguments...); });
        ASSERT_EQ(answers.size(), pairs.size()) << what;
        for (std::size_t i = 0; i < pairs.size(); ++i) ASSERT_EQ(answers[i], right.connected(pairs[i].first, pairs[i].second)) << what;
        break;
      }
      case 1: {
        const std::uint64_t v = random() % n;
        const std::int64_t number = number_of(k, v);
        const std::uint64_t size =
            k == kind::strings ? live.size_of(name_of(v)) : live.size_of(static_cast<std::uint64_t>(number), number < 0);
        ASSERT_EQ(size, right.size_of(v)) << what;
        break;
      }
      case 2: {
        live.save(folder / "live.copse");
        live = live_stream::open(folder / "live.copse", {}, on);
        break;
      }
      case 3: {
        live_stream elsewhere{{}, on};
        reference right_elsewhere;
        insert(elsewhere, k, way, pairs);
        right_elsewhere.insert(pairs);
        live.merge(elsewhere);
        right.merge(right_elsewhere);
        break;
      }
      default:
        insert(live, k, way, pairs);
        right.insert(pairs);
    }
  }
  expect_equal(live, right, k, what);
}

TEST(any_ids, random_batches_are_as_defined) {
  for (std::uint64_t seed = 1; seed <= 400 && !HasFatalFailure(); ++seed) expect_random_case(seed);
}

// Small arrays become a map only where ids are far apart, so that the whole history of changes is short of inserts.
TEST(any_ids, integers_that_turn_sparse_and_negative_keep_their_components) {
  for (const unsigned threads : {1u, 3u}) {
    live_stream live{{.declared = 5}, {.threads = threads}};
    live.insert(pair_columns{std::vector<std::int32_t>{1}, std::vector<std::int32_t>{2}});
    EXPECT_EQ(live.vertex_kind(), stream_vertices::integers);
    live.insert(pair_columns{std::vector<std::int64_t>{2, -9}, std::vector<std::int64_t>{INT64_MAX, 4}});
    EXPECT_EQ(live.vertex_kind(), stream_vertices::sparse);
    EXPECT_EQ(live.vertices(), 7u);
    EXPECT_EQ(live.count(), 4u);
    EXPECT_EQ(live.size_of(INT64_MAX), 3u);
    EXPECT_EQ(live.size_of(static_cast<std::uint64_t>(-9), true), 2u);
    EXPECT_EQ(live.size_of(static_cast<std::uint64_t>(-9), false), 0u);
    EXPECT_EQ(live.size_of("2"), 0u);
    const labelling labels = live.labels();
    EXPECT_TRUE(labels.names().is_signed());
    EXPECT_EQ(static_cast<std::int64_t>(labels.names().integer(0)), -9);
  }
}

TEST(any_ids, what_does_not_go_together_is_refused) {
  const std::vector<std::int64_t> negative{-1}, one{1}, none;
  const std::vector<std::uint64_t> large{UINT64_MAX}, small{7};
  const std::vector<std::string_view> a{"a"}, b{"b"};
  live_stream numbers;
  numbers.insert(pair_columns{negative, one});
  EXPECT_EQ(thrown<input_error>([&] {
              numbers.insert(pair_columns{small, large});
            }),
            "insert: targets[0]: found the id 18446744073709551615, expected ids up to 9223372036854775807, as insert: sources[0] has -1");
  EXPECT_THROW(static_cast<void>(numbers.connected(pair_columns{small, large})), input_error);
  EXPECT_EQ(thrown<usage_error>([&] { numbers.insert(a, b); }), "insert: found strings, expected ids as before: sparse");
  EXPECT_EQ(thrown<usage_error>([&] {
              numbers.insert(pair_columns{one, none});
            }),
            "insert: found 1 sources and 0 targets, expected as many of each");
  EXPECT_EQ(numbers.vertices(), 2u);

  live_stream strings;
  EXPECT_TRUE(strings.connected(pair_columns{one, one})[0]) << "questions do not say what ids are";
  strings.insert(a, b);
  EXPECT_EQ(thrown<usage_error>([&] { strings.insert(pair_columns{one, one}); }), "insert: found integers, expected ids as before: string");
  EXPECT_THROW(strings.merge(numbers), usage_error);

  live_stream recorded{{.live = {.record_forest = true}}};
  EXPECT_EQ(thrown<input_error>([&] {
              recorded.insert(pair_columns{one, negative});
            }),
            "insert: targets[0]: found the id -1, expected ids from 0 to 4294967294 (sparse ids may be others)");
  recorded.insert(pair_columns{one, std::vector<std::int64_t>{3}});
  EXPECT_EQ(recorded.forest().edges.size(), 1u);
  EXPECT_THROW(recorded.merge(strings), usage_error);
  EXPECT_THROW(static_cast<void>(strings.forest()), usage_error);

  live_stream stream{{.batch = 2}};
  io::operation_batch half;
  half.add(operation::insert, edge<std::uint64_t>{1, 2});
  static_cast<void>(stream.apply(half));
  EXPECT_EQ(thrown<usage_error>([&] {
              stream.insert(pair_columns{one, one});
            }),
            "insert: found a batch of the stream that is incomplete, expected 2 records of it first");
}

TEST(any_ids, recorded_forests_are_merged_and_saved) {
  temporary_folder folder;
  const live_stream_options recording{.live = {.record_forest = true}};
  live_stream one{recording}, two{recording};
  one.insert(pair_columns{std::vector<int>{1, 1, 2}, std::vector<int>{2, 3, 3}});
  two.insert(pair_columns{std::vector<int>{3, 8}, std::vector<int>{4, 9}});
  one.merge(two);
  EXPECT_EQ(one.forest().edges.size(), 4u);
  EXPECT_EQ(one.count(), 2u);
  one.save(folder / "forest.copse");
  EXPECT_EQ(live_stream::open(folder / "forest.copse", recording).forest().edges.size(), 4u);
  EXPECT_EQ(live_stream::open(folder / "forest.copse").count(), 2u);
}

}  // namespace ids_of_any_kind
}  // namespace
}  // namespace copse::test
