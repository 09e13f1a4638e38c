// Queries beside inserts answer as of one moment: histories of every rule that may run so are recorded and checked, those of threads that
// yield inside every rule and whose swaps fail for no reason, and all schedules of one query or insert with others in the middle of it. And
// the checker refuses what two plain finds would answer.
#include <gtest/gtest.h>
#include <drivers/incremental/growing_forest.hpp>
#include <drivers/incremental/insert_batch.hpp>
#include <fast/giant_filter.hpp>
#include <instruments/chaos.hpp>
#include <loops/threads.hpp>
#include <variants/incremental_code.hpp>

#include <atomic>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "support/history.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;

TEST(history, is_checked_by_its_definition) {
  const auto insert = [](id u, id v, std::uint64_t begin, std::uint64_t end) {
    return event{operation::insert, {u, v}, false, begin, end};
  };
  const auto query = [](id u, id v, bool answer, std::uint64_t begin, std::uint64_t end) {
    return event{operation::query, {u, v}, answer, begin, end};
  };
  EXPECT_TRUE(is_linearizable({}));
  EXPECT_TRUE(is_linearizable({insert(0, 1, 1, 2), query(0, 1, true, 3, 4)}));
  EXPECT_FALSE(is_linearizable({insert(0, 1, 1, 2), query(0, 1, false, 3, 4)})) << "the insert was over";
  EXPECT_FALSE(is_linearizable({query(0, 1, true, 1, 2), insert(0, 1, 3, 4)})) << "nothing had begun";
  EXPECT_TRUE(is_linearizable({insert(0, 1, 1, 4), query(0, 1, false, 2, 3)}));
  EXPECT_TRUE(is_linearizable({insert(0, 1, 1, 4), query(0, 1, true, 2, 3)}));
  EXPECT_FALSE(is_linearizable({insert(0, 1, 1, 6), query(0, 1, true, 2, 3), query(0, 1, false, 4, 5)})) << "joined once, joined for ever";
  // Two threads that see two inserts in opposite orders.
  EXPECT_FALSE(is_linearizable({insert(0, 1, 1, 20), insert(2, 3, 2, 21), query(0, 1, true, 3, 4), query(2, 3, false, 5, 6),
                                query(2, 3, true, 7, 8), query(0, 1, false, 9, 10)}));
}

/// A rule and its find, and the queries it is asked by.
template <class Unite, template <class> class Query = query::same_set>
struct operations {
  using unite = Unite;
  using find = typename variant::query_find<Unite>::type;

  template <class P>
  static bool run(P p, operation kind, edge<id> pair) {
    if (kind == operation::query) return pair.u == pair.v || Query<find>{}(p, pair.u, pair.v);
    if (pair.u != pair.v) Unite{}(p, pair.u, pair.v);
    return false;
  }
};

/// The wrong way: the first root may have been linked before the second is found.
template <class Find>
struct two_finds {
  template <class P>
  bool operator()(P p, id u, id v) const {
    return Find{}(p, u) == Find{}(p, v);
  }
};

/// The steps of the fast path past a giant, which was a root once.
template <id Giant>
struct operations_past {
  using unite = fast::unite_of<backend::threads>;

  template <class P>
  static bool run(P p, operation kind, edge<id> pair) {
    if (kind == operation::query) return pair.u == pair.v || query::same_set<find::halve>{}(p, pair.u, pair.v);
    if (pair.u != pair.v) fast::unite_past<unite>(p, pair.u, pair.v, Giant);
    return false;
  }
};

constexpr id vertices = 8;

// --- Threads ---

/// Four threads, four operations each, all recorded.
template <class Operations, class Backend>
std::vector<event> threads_at_work(std::uint32_t seed) {
  constexpr unsigned threads = 4, calls = 4;
  const Backend loops{1};
  drivers::growing_forest<Backend, id> trees{Operations::unite::traits, false, host_memory()};
  trees.grow(loops, vertices);
  const auto p = trees.template parents<Operations::unite::traits.aux, true>();
  std::vector<event> history(threads * calls);
  std::atomic<std::uint64_t> clock{0};
  std::atomic<unsigned> ready{0};
  {
    std::vector<std::jthread> crew;
    for (unsigned t = 0; t < threads; ++t) {
      crew.emplace_back([&, t] {
        std::minstd_rand random{seed * threads + t + 1};
        random.discard(5);
        ++ready;
        while (ready < threads) std::this_thread::yield();
        for (unsigned i = 0; i < calls; ++i) {
          event& e = history[t * calls + i];
          const auto bits = random();
          e.kind = bits / 64 % 2 == 0 ? operation::insert : operation::query;
          e.pair = {static_cast<id>(bits / 128 % vertices), static_cast<id>(bits / 1024 % vertices)};
          e.begin = ++clock;
          e.answer = Operations::run(p, e.kind, e.pair);
          e.end = ++clock;
        }
      });
    }
  }
  return history;
}

template <unsigned_index Id>
using often_yield = parents::yielding<parents::atomic<Id>, 2>;
template <unsigned_index Id>
using often_chaos = parents::failing<parents::atomic<Id>, 2>;

// --- All schedules of one call with others in the middle of it ---

/// Runs `interrupt` before the k-th access of the process.
struct interruption {
  static inline int accesses_left = -1;
  static inline std::function<void()> interrupt;
  static void count() {
    if (accesses_left < 0 || accesses_left-- != 0) return;
    const auto now = interrupt;
    now();
  }
};
template <class Base>
class interruptible : public Base {
public:
  using Base::Base;
  using word = typename Base::word;
  using key = typename Base::id;
  word load(key v) const { return interruption::count(), Base::load(v); }
  void store(key v, word w) const { interruption::count(), Base::store(v, w); }
  cas_result<word> cas(key v, word expected, word desired) const { return interruption::count(), Base::cas(v, expected, desired); }
};
template <unsigned_index Id>
using scripted = interruptible<parents::atomic<Id>>;

struct call {
  operation kind;
  edge<id> pair;
};

/// `first` runs undisturbed; then `interrupted`, with the calls of `inside` before its access number `at`. False: it has no such access.
template <class Operations>
bool schedule(const std::vector<call>& first, call interrupted, const std::vector<call>& inside, int at, std::vector<event>& history) {
  using backend = backend::basic_threads<scripted>;
  const backend loops{1};
  drivers::growing_forest<backend, id> trees{Operations::unite::traits, false, host_memory()};
  trees.grow(loops, vertices);
  const auto p = trees.template parents<Operations::unite::traits.aux, false>();
  std::uint64_t clock = 0;
  const auto record = [&](call c) {
    event e{c.kind, c.pair, false, ++clock, 0};
    e.answer = Operations::run(p, c.kind, c.pair);
    e.end = ++clock;
    history.push_back(e);
  };
  interruption::accesses_left = -1;
  for (const call c : first) record(c);
  interruption::interrupt = [&] {
    for (const call c : inside) record(c);
  };
  interruption::accesses_left = at;
  record(interrupted);
  const bool happened = interruption::accesses_left < 0;
  interruption::accesses_left = -1;
  return happened;
}

/// How many of all schedules over few vertices no order explains.
template <class Operations>
int wrong_schedules() {
  constexpr auto insert = operation::insert, query = operation::query;
  const std::vector<std::vector<call>> firsts{
      {{insert, {2, 1}}}, {{insert, {3, 2}}, {insert, {5, 4}}}, {{insert, {6, 5}}, {insert, {5, 4}}, {insert, {4, 3}}}};
  int wrong = 0, schedules = 0;
  for (const auto& first : firsts) {
    for (const auto kind : {query, insert}) {
      // A thread that holds a flag is waited for: a schedule that stops it there for good would never end.
      if (kind == insert && Operations::unite::traits.aux == aux_array::flags) continue;
      for (id u = 1; u < 7; ++u) {
        for (id v = 0; v < u; ++v) {
          for (id a = 0; a < 6; ++a) {
            const std::vector<call> inside{{insert, {a + 1, a}}, {insert, {a, (a + 3) % 7}}, {query, {u, v}}};
            for (int at = 0;; ++at) {
              std::vector<event> history;
              if (!schedule<Operations>(first, {kind, {u, v}}, inside, at, history)) break;
              ++schedules;
              // What comes after sees what was answered.
              wrong += !is_linearizable(history);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(schedules, 1000);
  return wrong;
}

// --- Every rule ---

template <class Rule>
class concurrent_rule : public ::testing::Test {};

template <class List>
struct as_types;
template <class... Rules>
struct as_types<variant::type_list<Rules...>> {
  using type = testing::Types<Rules...>;
};
using without_splices = variant::concat<variant::unites_with_find, variant::type_list<unite::ecl<find::representative>, unite::afforest>>;
using quiet_splices = variant::type_list<splice::halve_one, splice::split_one>;
using rules = variant::concat<without_splices, variant::each_pair<unite::rem_cas, variant::finds, quiet_splices>,
                              variant::each_pair<unite::rem_lock, variant::finds, quiet_splices>>;
TYPED_TEST_SUITE(concurrent_rule, as_types<rules>::type);

template <class Operations, class Backend>
void expect_linearizable_histories() {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const auto history = threads_at_work<Operations, Backend>(seed);
    ASSERT_TRUE(is_linearizable(history)) << "seed " << seed << "\n" << to_text(history);
  }
}

TYPED_TEST(concurrent_rule, has_linearizable_histories_when_threads_yield) {
  expect_linearizable_histories<operations<TypeParam>, backend::basic_threads<often_yield>>();
}
TYPED_TEST(concurrent_rule, has_linearizable_histories_when_swaps_fail_for_no_reason) {
  expect_linearizable_histories<operations<TypeParam>, backend::basic_threads<often_chaos>>();
}
TYPED_TEST(concurrent_rule, has_linearizable_histories_undisturbed) {
  expect_linearizable_histories<operations<TypeParam>, backend::threads>();
}

TYPED_TEST(concurrent_rule, is_linearizable_in_all_schedules_of_one_interrupted_call) {
  EXPECT_EQ(wrong_schedules<operations<TypeParam>>(), 0);
}

template <id Giant>
void expect_linearizable_past() {
  EXPECT_EQ(wrong_schedules<operations_past<Giant>>(), 0) << "giant " << Giant;
  expect_linearizable_histories<operations_past<Giant>, backend::basic_threads<often_yield>>();
  expect_linearizable_histories<operations_past<Giant>, backend::basic_threads<often_chaos>>();
  expect_linearizable_histories<operations_past<Giant>, backend::threads>();
}
TEST(concurrent_queries, are_linearizable_beside_unites_past_a_giant) {
  expect_linearizable_past<1>();
  expect_linearizable_past<4>();  // a smaller root comes to meet it, and it is hooked
}

TEST(concurrent_queries, by_two_plain_finds_are_wrong_and_the_checker_says_so) {
  EXPECT_GT((wrong_schedules<operations<unite::async<find::naive>, two_finds>>()), 0);
  EXPECT_GT((wrong_schedules<operations<unite::rem_cas<find::halve, splice::split_one>, two_finds>>()), 0);
}

}  // namespace
}  // namespace copse::test
