// Random histories of batches, windows and reverts: everything equals what the definitions say.
#include <gtest/gtest.h>
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>

#include <deque>
#include <random>
#include <string>
#include <string_view>
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
  typename dynamic_oracle<stored>::edge_map edges;
  for (const auto& e : graph.edges()) {
    auto carried = oracle.edges().find({stored{e.u}, stored{e.v}, e.key});
    ASSERT_NE(carried, oracle.edges().end());
    ASSERT_EQ(carried->second.weight, e.weight);
    ASSERT_EQ(carried->second.time, e.time);
    ASSERT_TRUE(graph.contains(e.u, e.v));
    ASSERT_TRUE(edges.emplace(carried->first, carried->second).second) << "an edge is listed once";
  }
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
TEST(dynamic_histories, of_strings_equal_the_definitions) { run_histories<std::string_view>(300001); }

}  // namespace
}  // namespace copse::test
