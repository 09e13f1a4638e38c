// Edges and questions in memory, with ids of any kind: dense, sparse, signed, strings, in columns and in pairs, against the definition.
#include <gtest/gtest.h>
#include <api/dense_incremental.hpp>
#include <copse/errors.hpp>
#include <copse/incremental.hpp>

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

#include "support/recorded_edges.hpp"
#include "support/sweep_length.hpp"
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
    if (way % 2 == 0) return work(id_pairs{sources, targets});
    std::vector<std::string> own_sources(sources.begin(), sources.end()), own_targets(targets.begin(), targets.end());
    if (way % 3 == 0) return work(id_pairs{own_sources, own_targets});
    std::vector<io::named_edge> named;
    for (std::size_t i = 0; i < pairs.size(); ++i) named.push_back({own_sources[i], targets[i]});
    return work(id_pairs{named});
  }
  const auto in_columns = [&]<class Id>(Id) {
    std::vector<Id> sources, targets;
    for (const auto& [u, v] : pairs) {
      sources.push_back(static_cast<Id>(number_of(k, u)));
      targets.push_back(static_cast<Id>(number_of(k, v)));
    }
    return work(id_pairs{sources, targets});
  };
  const auto side_by_side = [&]<class Word>(Word, bool are_signed) {
    std::vector<edge<Word>> edges;
    for (const auto& [u, v] : pairs) edges.push_back({static_cast<Word>(number_of(k, u)), static_cast<Word>(number_of(k, v))});
    return work(id_pairs{edges, are_signed});
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

void insert(incremental& live, kind k, unsigned way, const index_pairs& pairs) {
  with_pairs(k, way, pairs, [&](const id_pairs& edges) { live.insert(edges); });
}

void expect_equal(incremental& live, const reference& right, kind k, const std::string& what) {
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
  incremental live{{}, on};
  reference right;
  temporary_folder folder;
  for (unsigned step = 0; step < 12; ++step) {
    const auto pairs = some_pairs();
    const auto way = static_cast<unsigned>(random());
    switch (random() % 7) {
      case 6: {
        std::vector<operation> kinds;
        index_pairs inserts;
        for (const auto& pair : pairs) {
          kinds.push_back(random() % 2 == 0 ? operation::insert : operation::query);
          if (kinds.back() == operation::insert) inserts.push_back(pair);
        }
        right.insert(inserts);
        const query_answers answers = with_pairs(k, way, pairs, [&](const id_pairs& batch) { return live.apply(batch, kinds); });
        for (std::size_t i = 0; i < pairs.size(); ++i) {
          ASSERT_EQ(answers[i], kinds[i] == operation::query && right.connected(pairs[i].first, pairs[i].second)) << what;
        }
        break;
      }
      case 0: {
        const query_answers answers = with_pairs(k, way, pairs, [&](const id_pairs& queries) { return live.connected(queries); });
        ASSERT_EQ(answers.size(), pairs.size()) << what;
        for (std::size_t i = 0; i < pairs.size(); ++i) ASSERT_EQ(answers[i], right.connected(pairs[i].first, pairs[i].second)) << what;
        break;
      }
      case 1: {
        const std::uint64_t v = random() % n;
        const std::int64_t number = number_of(k, v);
        const std::string name = name_of(v);
        const vertex_id vertex = k == kind::strings ? vertex_id{name} : vertex_id{number};
        ASSERT_EQ(live.size_of(vertex), right.size_of(v)) << what;
        ASSERT_EQ(live.contains(vertex), right.vertices().contains(v)) << what;
        const std::uint64_t other = random() % n;
        const std::string other_name = name_of(other);
        ASSERT_EQ(live.connected(vertex, k == kind::strings ? vertex_id{other_name} : vertex_id{number_of(k, other)}),
                  right.connected(v, other))
            << what;
        break;
      }
      case 2: {
        live.save(folder / "live.copse");
        live = incremental::open(folder / "live.copse", {}, on);
        break;
      }
      case 3: {
        incremental elsewhere{{}, on};
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
  const std::uint64_t cases = all_graphs() ? 1'000'000 : 400;
  for (std::uint64_t seed = 1; seed <= cases && !HasFatalFailure(); ++seed) expect_random_case(seed);
}

// Small arrays become a map only where ids are far apart, so that the whole history of changes is short of inserts.
TEST(any_ids, integers_that_turn_sparse_and_negative_keep_their_components) {
  for (const unsigned threads : {1u, 3u}) {
    incremental live{{.vertices = 5}, {.threads = threads}};
    live.insert(id_pairs{std::vector<std::int32_t>{1}, std::vector<std::int32_t>{2}});
    EXPECT_EQ(live.id_kind(), vertex_ids::integers);
    live.insert(id_pairs{std::vector<std::int64_t>{2, -9}, std::vector<std::int64_t>{INT64_MAX, 4}});
    EXPECT_EQ(live.id_kind(), vertex_ids::sparse);
    EXPECT_EQ(live.vertices(), 7u);
    EXPECT_EQ(live.count(), 4u);
    EXPECT_EQ(live.size_of(INT64_MAX), 3u);
    EXPECT_EQ(live.size_of(-9), 2u);
    EXPECT_EQ(live.size_of(static_cast<std::uint64_t>(-9)), 0u);
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
  incremental numbers;
  numbers.insert(id_pairs{negative, one});
  EXPECT_EQ(thrown<input_error>([&] {
              numbers.insert(id_pairs{small, large});
            }),
            "insert: targets[0]: found the id 18446744073709551615, expected ids up to 9223372036854775807, as insert: sources[0] has -1");
  EXPECT_THROW(static_cast<void>(numbers.connected(id_pairs{small, large})), input_error);
  EXPECT_EQ(thrown<usage_error>([&] { numbers.insert({a, b}); }), "insert: ids must be sparse, as before, not strings");
  EXPECT_EQ(thrown<usage_error>([&] {
              numbers.insert(id_pairs{one, none});
            }),
            "insert: there must be as many targets as sources, not 0 and 1");
  EXPECT_EQ(numbers.vertices(), 2u);

  incremental strings;
  EXPECT_TRUE(strings.connected(id_pairs{one, one})[0]) << "questions do not say what ids are";
  strings.insert({a, b});
  EXPECT_EQ(thrown<usage_error>([&] { strings.insert(id_pairs{one, one}); }), "insert: ids must be string, as before, not integers");
  EXPECT_THROW(strings.merge(numbers), usage_error);

  incremental recorded{{.record_forest = true}};
  EXPECT_EQ(thrown<input_error>([&] {
              recorded.insert(id_pairs{one, negative});
            }),
            "insert: targets[0]: found the id -1, expected ids from 0 to 4294967294 (use sparse ids for others)");
  recorded.insert(id_pairs{one, std::vector<std::int64_t>{3}});
  EXPECT_EQ(recorded_edges(recorded.forest()).size(), 1u);
  EXPECT_THROW(recorded.merge(strings), usage_error);
  EXPECT_THROW(static_cast<void>(strings.forest()), usage_error);

  incremental stream{{.batch = 2}};
  io::operation_batch half;
  half.add(operation::insert, edge<std::uint64_t>{1, 2});
  static_cast<void>(stream.apply(half));
  EXPECT_EQ(thrown<usage_error>([&] {
              stream.insert(id_pairs{one, one});
            }),
            "insert cannot be used while a batch of the stream is incomplete; apply all of its 2 records first");
}

TEST(any_ids, columns_of_every_type_of_integers_and_strings_fit) {
  incremental numbers, strings;
  numbers.insert({std::vector<int>{1, 2}, std::vector<int>{2, -3}});
  numbers.insert({std::vector<long long>{-3}, std::vector<long>{1LL << 40}});
  numbers.insert({std::vector<unsigned>{7}, std::vector<std::uint32_t>{8}});
  numbers.insert({std::vector<unsigned long long>{8}, std::vector<unsigned long>{9}});
  EXPECT_TRUE(numbers.connected(1, 1LL << 40));
  EXPECT_TRUE(numbers.connected(7u, 9ull));
  EXPECT_FALSE(numbers.connected(short{1}, 7));
  EXPECT_FALSE(numbers.connected("1", "2")) << "ids are integers";
  EXPECT_TRUE(numbers.connected("1", "1"));
  strings.insert({std::vector<std::string>{"a", "b"}, std::vector<std::string_view>{"b", "c"}});
  EXPECT_TRUE(strings.connected("a", std::string{"c"}));
  EXPECT_EQ(strings.size_of(std::string_view{"b"}), 3u);
  EXPECT_FALSE(strings.contains(1));
  const std::vector<operation> one{operation::insert};
  EXPECT_EQ(thrown<usage_error>([&] {
              static_cast<void>(strings.apply({std::vector<int>{}, std::vector<int>{}}, one));
            }),
            "apply: there must be one kind for each of 0 pairs, not 1 kinds");
}

TEST(any_ids, wide_integers_index_an_array_in_files_and_graphs) {
  temporary_folder folder;
  api::dense_incremental<std::uint64_t> saved;
  saved.insert(std::vector<edge<std::uint64_t>>{{1, 2}, {5, 5}});
  saved.save(folder / "wide.copse");
  incremental live = incremental::open(folder / "wide.copse");
  live.insert({std::vector<int>{2}, std::vector<int>{9}});
  live.insert(std::vector<edge<std::uint64_t>>{{9, 7}});
  EXPECT_EQ(live.size_of(1), 4u);
  EXPECT_EQ(live.slots(), 10u);
  EXPECT_FALSE(live.contains(-1));
  EXPECT_EQ(live.id_kind(), vertex_ids::integers);
  EXPECT_THROW(live.insert({std::vector<int>{-1}, std::vector<int>{9}}), input_error);
  EXPECT_THROW(live.insert(std::vector<edge<std::uint64_t>>{{UINT64_MAX, 7}}), input_error);
  EXPECT_THROW(live.insert({std::vector<std::string>{"a"}, std::vector<std::string>{"b"}}), usage_error);
  const std::vector<operation> kinds{operation::insert, operation::query};
  EXPECT_TRUE(live.apply({std::vector<long>{5, 1}, std::vector<long>{1, 5}}, kinds)[1]);
  io::operation_batch records;
  records.add(operation::query, edge<std::uint64_t>{5, 7});
  EXPECT_TRUE(live.apply(records)[0]);
  live.checkpoint(folder / "wide.ck");
  EXPECT_EQ(incremental::resume(folder / "wide.ck").position().records, 1u);
  incremental narrow;
  narrow.merge(live);
  EXPECT_EQ(narrow.count(), live.count());
  live.merge(incremental::from(narrow.labels()));
  EXPECT_EQ(live.vertices(), 5u);
  std::vector<std::uint64_t> labels(live.slots());
  live.labels(labels);
  EXPECT_EQ(labels[9], 1u);
  std::vector<std::uint32_t> half(live.slots());
  EXPECT_THROW(live.labels(half), usage_error);
}

TEST(any_ids, recorded_forests_are_merged_and_saved) {
  temporary_folder folder;
  const incremental_options recording{.record_forest = true};
  incremental one{recording}, two{recording};
  one.insert(id_pairs{std::vector<int>{1, 1, 2}, std::vector<int>{2, 3, 3}});
  two.insert(id_pairs{std::vector<int>{3, 8}, std::vector<int>{4, 9}});
  one.merge(two);
  EXPECT_EQ(recorded_edges(one.forest()).size(), 4u);
  EXPECT_EQ(one.count(), 2u);
  one.save(folder / "forest.copse");
  EXPECT_EQ(recorded_edges(incremental::open(folder / "forest.copse", recording).forest()).size(), 4u);
  EXPECT_EQ(incremental::open(folder / "forest.copse").count(), 2u);
}

}  // namespace ids_of_any_kind
}  // namespace
}  // namespace copse::test
