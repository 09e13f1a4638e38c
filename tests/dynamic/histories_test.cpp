// Random histories of batches, windows and reverts: everything equals what the definitions say.
#include <gtest/gtest.h>
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>

#include <algorithm>
#include <deque>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dynamic/oracle.hpp"
#include "support/sweep_length.hpp"

namespace copse::test {
namespace {

unsigned histories() { return quick() ? 20 : all_graphs() ? 20000 : 150; }

template <class Id>
struct naming {
  using stored = Id;
  static stored name(unsigned v) { return static_cast<Id>(v); }
};
template <>
struct naming<std::int64_t> {
  using stored = std::int64_t;
  static stored name(unsigned v) { return (static_cast<std::int64_t>(v) - 7) * 1000000007; }
};
template <>
struct naming<std::uint64_t> {
  using stored = std::uint64_t;
  static stored name(unsigned v) { return v * 0x9E3779B97F4A7C15u; }
};
template <>
struct naming<std::string_view> {
  using stored = std::string;
  static stored name(unsigned v) { return (v % 3 == 0 ? "a vertex with a name that is long " : "\xff") + std::to_string(v); }
};

template <class Id>
void expect_equal(const basic_dynamic<Id>& graph, const dynamic_oracle<typename naming<Id>::stored>& oracle) {
  using stored = typename naming<Id>::stored;
  ASSERT_EQ(graph.last_batch(), oracle.last());
  ASSERT_EQ(graph.vertices(), oracle.ids().size());
  ASSERT_EQ(graph.edge_count(), oracle.edges().size());
  std::map<std::uint64_t, std::uint64_t> sizes;
  for (const auto& [v, id] : oracle.ids()) ++sizes[id];
  ASSERT_EQ(graph.count(), sizes.size());
  for (const auto& [v, id] : oracle.ids()) {
    ASSERT_EQ(graph.component_of(Id{v}), id) << v;
    ASSERT_EQ(graph.size_of(Id{v}), sizes[id]) << v;
    ASSERT_EQ(graph.members(Id{v}).size(), sizes[id]) << v;
  }
  const std::map<stored, stored> labels = oracle.labels();
  std::map<stored, stored> found;
  for (const auto& [v, label] : graph.labels()) {
    found[stored{v}] = stored{label};
    ASSERT_EQ(graph.label(v), label);
    ASSERT_TRUE(graph.connected(v, label));
  }
  ASSERT_EQ(found, labels);
  auto next = oracle.edges().begin();
  for (const auto& e : graph.edges()) {
    ASSERT_NE(next, oracle.edges().end());
    const auto& [edge, carried] = *next++;
    ASSERT_EQ(edge, (typename dynamic_oracle<stored>::edge_key{stored{e.u}, stored{e.v}, e.key})) << "edges are in order";
    ASSERT_EQ(carried.weight, e.weight);
    ASSERT_EQ(carried.time, e.time);
    ASSERT_TRUE(graph.contains(e.u, e.v));
  }
  ASSERT_EQ(next, oracle.edges().end());
  if (graph.last_batch() < graph.oldest_batch()) return;
  ASSERT_EQ(graph.events(graph.last_batch()), oracle.events());
}

template <class Id>
void expect_changes(const basic_dynamic<Id>& graph, const dynamic_oracle<typename naming<Id>::stored>& oracle, std::uint64_t since) {
  using stored = typename naming<Id>::stored;
  auto ids = oracle.after(since).ids;
  const stored* last = nullptr;
  std::deque<stored> seen;
  for (const auto& [v, before, after] : graph.changes(since)) {
    const stored name{v};
    if (last != nullptr) {
      ASSERT_LT(*last, name) << "sorted by vertex";
    }
    last = &seen.emplace_back(name);
    ASSERT_NE(before, after);
    const auto at = ids.find(name);
    ASSERT_EQ(before, at == ids.end() ? no_component : at->second);
    if (after == no_component) {
      ids.erase(at);
    } else {
      ids[name] = after;
    }
  }
  ASSERT_EQ(ids, oracle.ids());
}

// The ids that are in use follow from the events.
void replay(const std::vector<component_event>& events, std::set<std::uint64_t>& live) {
  for (const component_event& event : events) {
    if (event.kind == component_event_kind::created || event.kind == component_event_kind::revived) {
      ASSERT_TRUE(live.insert(event.into).second);
    } else if (event.kind != component_event_kind::split) {
      ASSERT_EQ(live.erase(event.from), 1u);
    }
  }
}

template <class Id>
void run_history(unsigned seed) {
  using stored = typename naming<Id>::stored;
  using oracle_type = dynamic_oracle<stored>;
  std::mt19937 random{seed};
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  dynamic_options options{
      .weights = below(2) == 0, .times = below(2) == 0, .keys = below(3) == 0, .keep_vertices = below(3) == 0, .history = 1000};
  if (below(4) == 0) options.count_window = 3 + below(20);
  basic_dynamic<Id> graph{options};
  oracle_type oracle{options};
  std::set<std::uint64_t> live;
  const unsigned vertices = 3 + below(20), dense = 1 + below(4);
  std::int64_t clock = 0;
  std::deque<stored> names;
  std::uint64_t purged = 0;  // the batch of the last purge: the history begins behind it
  for (unsigned batch = 0; batch < 30; ++batch) {
    const unsigned what = below(10);
    const std::uint64_t last = graph.last_batch();
    if (what == 0 && options.times) {
      const std::int64_t before = clock - static_cast<std::int64_t>(below(12));
      graph.expire(before);
      oracle.expire(before);
    } else if (what == 9 && below(4) == 0) {
      const stored gone = naming<Id>::name(below(vertices));
      oracle.apply({{dynamic_operation_kind::erase_vertex, gone, gone, 1, 0, 0}});
      purged = graph.purge_vertices(std::vector<Id>{Id{gone}}).number;
      ASSERT_EQ(graph.oldest_batch(), purged + 1);
      if (last != 0) {
        ASSERT_THROW(graph.revert(1 + below(static_cast<unsigned>(last))), usage_error);
      }
    } else if (what <= 2 && last != purged) {
      const std::uint64_t undone = below(2) == 0 ? last : purged + 1 + below(static_cast<unsigned>(last - purged));
      if (oracle.expired_in(undone)) {
        ASSERT_THROW(graph.revert(undone), usage_error);
        continue;
      }
      const std::size_t conflicts = oracle.conflicts(undone).size();
      ASSERT_EQ(graph.conflicts(undone).size(), conflicts);
      if (conflicts != 0) {
        ASSERT_THROW(graph.revert(undone), usage_error);
      }
      oracle.revert(undone);
      const dynamic_batch done = graph.revert(undone, revert_conflicts::skip);
      ASSERT_EQ(done.skipped, conflicts);
      ASSERT_EQ(done.dropped, oracle.dropped());
      if (undone == last) {
        ASSERT_EQ(oracle.ids(), oracle.after(undone - 1).ids);
        ASSERT_EQ(oracle.edges(), oracle.after(undone - 1).edges);
      }
    } else {
      std::vector<typename oracle_type::operation> operations;
      std::vector<dynamic_operation<Id>> same;
      for (unsigned i = below(4 * dense); i-- > 0;) {
        const unsigned kind = below(10);
        typename oracle_type::operation op{dynamic_operation_kind::insert,
                                           naming<Id>::name(below(vertices)),
                                           naming<Id>::name(below(vertices)),
                                           below(8) * .5,
                                           ++clock - below(6),
                                           below(3)};
        if (kind >= 5) op.kind = dynamic_operation_kind::erase;
        if (kind == 8 && options.keys) op.kind = dynamic_operation_kind::erase_key;
        if (kind == 9) op.kind = dynamic_operation_kind::erase_vertex;
        if (op.kind != dynamic_operation_kind::insert && op.kind != dynamic_operation_kind::erase_vertex && !oracle.edges().empty()) {
          auto chosen = oracle.edges().begin();
          std::advance(chosen, below(static_cast<unsigned>(oracle.edges().size())));
          std::tie(op.u, op.v, op.key) = chosen->first;
        }
        operations.push_back(op);
        same.push_back({op.kind, {Id{names.emplace_back(op.u)}, Id{names.emplace_back(op.v)}, op.weight, op.time, op.key}});
      }
      oracle.apply(operations);
      ASSERT_EQ(graph.apply(same).dropped, oracle.dropped());
    }
    ASSERT_NO_FATAL_FAILURE(expect_equal(graph, oracle)) << "batch " << graph.last_batch();
    ASSERT_NO_FATAL_FAILURE(replay(oracle.events(), live));
    std::set<std::uint64_t> in_use;
    for (const auto& [v, id] : oracle.ids()) in_use.insert(id);
    ASSERT_EQ(live, in_use);
    const std::uint64_t since = purged + below(static_cast<unsigned>(graph.last_batch() - purged) + 1);
    ASSERT_NO_FATAL_FAILURE(expect_changes(graph, oracle, since));
  }
}

using pair_list = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

pair_list pairs_of(unsigned shape, std::mt19937& random) {
  constexpr std::uint32_t side = 20, vertices = side * side;
  pair_list pairs;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    const auto at_random = [&] { return static_cast<std::uint32_t>(random() % vertices); };
    if (shape == 0 && v % side != 0) pairs.emplace_back(v - 1, v);  // a grid
    if (shape == 0 && v >= side) pairs.emplace_back(v - side, v);
    if (shape == 1 && v != 0) pairs.emplace_back(v - 1, v);  // a path with few shortcuts
    if (shape == 1 && v % 20 == 0) pairs.emplace_back(at_random(), v);
    if (shape == 2) pairs.emplace_back(v < 20 ? v : at_random() % 20, v);  // few centres
    for (unsigned i = 0; shape == 2 && i < 2; ++i) pairs.emplace_back(at_random() % 20, v);
    for (unsigned i = 0; shape == 3 && i < 6; ++i) pairs.emplace_back(at_random(), v);
    for (std::uint32_t w = v - v % 40; shape == 4 && w < v; ++w) pairs.emplace_back(w, v);  // cliques
    if (shape == 5 && v % 10 != 0) pairs.emplace_back(v - 1 - at_random() % (v % 10), v);   // many small trees
  }
  std::shuffle(pairs.begin(), pairs.end(), random);
  return pairs;
}

// Nearly all operations of a batch are erases, of edges that are there and some that are not, in hundreds.
void erase_together(unsigned shape, unsigned threads, const dynamic_options& options) {
  using oracle_type = dynamic_oracle<std::uint32_t>;
  std::mt19937 random{shape};
  dynamic graph{options, {.threads = threads}};
  oracle_type oracle{options};
  std::vector<oracle_type::operation> operations;
  const auto add = [&](dynamic_operation_kind kind, std::uint32_t u, std::uint32_t v) {
    operations.push_back({kind, u, v, 1, static_cast<std::int64_t>(operations.size()), 0});
  };
  const auto apply = [&] {
    std::vector<dynamic_operation<std::uint32_t>> same;
    for (const auto& op : operations) same.push_back({op.kind, {op.u, op.v, op.weight, op.time, op.key}});
    graph.apply(same);
    oracle.apply(operations);
    operations.clear();
    ASSERT_NO_FATAL_FAILURE(expect_equal(graph, oracle));
    ASSERT_NO_FATAL_FAILURE(expect_changes(graph, oracle, graph.last_batch() - 1));
  };
  pair_list pairs = pairs_of(shape, random);
  for (const auto& [u, v] : pairs) add(dynamic_operation_kind::insert, u, v);
  ASSERT_NO_FATAL_FAILURE(apply());
  for (const unsigned share : {8u, 3u, 2u}) {
    const bool only_erases = share != 3;
    std::shuffle(pairs.begin(), pairs.end(), random);
    for (std::size_t i = 0; i < pairs.size() / share; ++i) {
      const auto& [u, v] = pairs[i];
      add(dynamic_operation_kind::erase, v, u);
      if (i % 50 == 0) add(dynamic_operation_kind::erase, u, v);
      if (only_erases) continue;
      if (i % 60 == 1) add(dynamic_operation_kind::insert, u, v);
      if (i % 70 == 2) add(dynamic_operation_kind::erase_vertex, u, u);
    }
    ASSERT_NO_FATAL_FAILURE(apply());
  }
  if (options.times) {
    const auto half = static_cast<std::int64_t>(pairs.size() / 2);
    graph.expire(half);
    oracle.expire(half);
  } else {
    const std::uint64_t last = graph.last_batch();
    graph.revert(last);
    oracle.revert(last);
  }
  ASSERT_NO_FATAL_FAILURE(expect_equal(graph, oracle));
  for (const auto& [u, v] : pairs) add(dynamic_operation_kind::erase, u, v);
  ASSERT_NO_FATAL_FAILURE(apply());
}

// Applies the same batches, of tens of thousands of operations, to a graph on one thread and to one on several.
void apply_on_threads(unsigned threads) {
  constexpr std::uint32_t vertices = 40000;
  std::mt19937 random{threads};
  pair_list pairs;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    const bool is_small = v < vertices / 2;  // half of the vertices are in components of two or four
    if (is_small && v % 2 == 1) pairs.emplace_back(v - 1, v);
    if (is_small && v % 8 == 2) pairs.emplace_back(v - 1, v);
    for (unsigned i = 0; !is_small && i < 2; ++i) pairs.emplace_back(vertices / 2 + random() % (vertices / 2), v);
  }
  dynamic one{{}, {.threads = 1}}, several{{}, {.threads = threads}};
  std::vector<dynamic_operation<std::uint32_t>> batch;
  const auto apply = [&] {
    one.apply(batch);
    several.apply(batch);
    batch.clear();
    const std::uint64_t last = one.last_batch();
    ASSERT_EQ(several.events(last), one.events(last));
    ASSERT_EQ(several.changes(last - 1), one.changes(last - 1));
    ASSERT_EQ(several.labels(), one.labels());
    for (std::uint32_t v = 0; v < vertices; ++v) ASSERT_EQ(several.component_of(v), one.component_of(v)) << v;
  };
  for (const auto& [u, v] : pairs) batch.push_back({dynamic_operation_kind::insert, {.u = u, .v = v}});
  ASSERT_NO_FATAL_FAILURE(apply());
  for (unsigned round = 0; round < 6; ++round) {
    std::shuffle(pairs.begin(), pairs.end(), random);
    const auto left = static_cast<std::ptrdiff_t>(pairs.size() / 2);
    for (const auto& [u, v] : std::span{pairs}.subspan(pairs.size() / 2))
      batch.push_back({dynamic_operation_kind::erase, {.u = v, .v = u}});
    pairs.erase(pairs.begin() + left, pairs.end());
    for (unsigned i = 0; round % 2 == 1 && i < 3000; ++i) {  // components also join
      pairs.emplace_back(random() % vertices, random() % vertices);
      batch.push_back({dynamic_operation_kind::insert, {.u = pairs.back().first, .v = pairs.back().second}});
    }
    ASSERT_NO_FATAL_FAILURE(apply());
  }
}

template <class Id>
void run_histories(unsigned first) {
  for (unsigned seed = first; seed < first + histories(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ASSERT_NO_FATAL_FAILURE(run_history<Id>(seed));
  }
}

TEST(dynamic_histories, of_dense_ids_equal_the_definitions) { run_histories<std::uint32_t>(1); }
TEST(dynamic_histories, of_sparse_ids_equal_the_definitions) { run_histories<std::uint64_t>(100001); }
TEST(dynamic_histories, of_signed_ids_equal_the_definitions) { run_histories<std::int64_t>(200001); }
TEST(dynamic_histories, of_hundreds_of_erases_equal_the_definitions) {
  for (unsigned shape = 0; shape < 6; ++shape) {
    for (const unsigned threads : {1u, 2u, 7u}) {
      for (const bool times : {false, true}) {
        SCOPED_TRACE("shape " + std::to_string(shape) + ", " + std::to_string(threads) + " threads" + (times ? ", times" : ""));
        ASSERT_NO_FATAL_FAILURE(erase_together(shape, threads, {.times = times, .history = 10}));
      }
    }
  }
}
TEST(dynamic_histories, of_large_batches_are_the_same_on_any_number_of_threads) {
  for (const unsigned threads : {2u, 7u, 16u}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    ASSERT_NO_FATAL_FAILURE(apply_on_threads(threads));
  }
}
TEST(dynamic_histories, of_strings_equal_the_definitions) { run_histories<std::string_view>(300001); }

}  // namespace
}  // namespace copse::test
