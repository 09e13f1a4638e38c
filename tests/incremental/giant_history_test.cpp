// Queries beside inserts in a structure that knows its giant: histories of mixed batches, with inserts past the giant between them, are
// recorded and checked. A bit raised for a vertex outside the giant would lose an edge, and a later query would say so.
#include <gtest/gtest.h>
#include <copse/extend/rules/find/halve.hpp>
#include <copse/incremental.hpp>
#include <drivers/incremental/insert_batch.hpp>
#include <drivers/incremental/insert_past_giant.hpp>
#include <instruments/chaos.hpp>
#include <loops/threads.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <random>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "support/history.hpp"

namespace copse::test {
namespace {

using id = std::uint32_t;
using edges = std::vector<edge<id>>;

// --- Few vertices, and threads that are disturbed ---

constexpr id few_vertices = 12;
constexpr unsigned crew_size = 3, calls_each = 2;

/// A structure that may be recorded: the giant is 1 .. 5, and 0 is smaller.
template <class Backend>
class recorded {
public:
  recorded() {
    trees_.grow(crew_, few_vertices);
    trees_.declare(0);
    const edges star{{1, 2}, {1, 3}, {4, 1}, {1, 5}};
    for (const auto e : star) history_.push_back({operation::insert, e, false, tick(), tick()});
    // As many as there are vertices come before the first look.
    for (std::size_t i = 0; i < few_vertices / star.size(); ++i) drivers::insert_past_giant(crew_, trees_, std::span{star});
    drivers::insert_past_giant(crew_, trees_, std::span{star}.first(1));
  }

  [[nodiscard]] bool knows_its_giant() {
    const auto inside = trees_.giant().inside();
    return inside.words != nullptr && inside.has(2) && inside.has(5);
  }
  [[nodiscard]] const std::vector<event>& history() const noexcept { return history_; }

  /// Mixed batches of one pair, from several threads at once.
  void mix(std::minstd_rand& random) {
    const std::size_t before = history_.size();
    for (unsigned i = 0; i < crew_size * calls_each; ++i) {
      history_.push_back({random() / 64 % 2 == 0 ? operation::insert : operation::query, draw(random), false, 0, 0});
    }
    std::atomic<unsigned> ready{0};
    std::vector<std::jthread> crew;
    for (unsigned t = 0; t < crew_size; ++t) {
      crew.emplace_back([&, events = std::span{history_}.subspan(before + t * calls_each, calls_each)] {
        const Backend alone{1};
        ++ready;
        while (ready < crew_size) std::this_thread::yield();
        for (event& e : events) {
          std::uint64_t answer = 0;
          e.begin = tick();
          drivers::mixed_batch<fast::unite_of<Backend>, find::halve>(alone, trees_, drivers::batch_part<id>{{&e.pair, 1}, &e.kind},
                                                                     &answer);
          e.end = tick();
          e.answer = answer != 0;
        }
      });
    }
  }

  /// One batch of inserts, whose edges are united by several threads.
  void insert(std::minstd_rand& random) {
    edges batch;
    for (unsigned i = 0; i < crew_size; ++i) batch.push_back(draw(random));
    const auto begin = tick();
    drivers::insert_past_giant(crew_, trees_, std::span<const edge<id>>{batch});
    const auto end = tick();
    for (const auto e : batch) history_.push_back({operation::insert, e, false, begin, end});
  }

private:
  std::uint64_t tick() { return ++clock_; }
  static edge<id> draw(std::minstd_rand& random) {
    const auto bits = random();
    return {static_cast<id>(bits / 128 % few_vertices), static_cast<id>(bits / 4096 % few_vertices)};
  }

  Backend crew_{crew_size};
  drivers::growing_forest<Backend, id> trees_{{}, false, host_memory(), {.least_inside = .001, .fewest_edges = 1, .worth_a_thread = 1}};
  std::atomic<std::uint64_t> clock_{0};
  std::vector<event> history_;
};

template <class Backend>
void expect_linearizable_giant() {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    std::minstd_rand random{seed};
    random.discard(5);
    recorded<Backend> live;
    ASSERT_TRUE(live.knows_its_giant());
    live.mix(random);
    live.insert(random);
    live.mix(random);
    ASSERT_TRUE(is_linearizable(live.history())) << "seed " << seed << "\n" << to_text(live.history());
  }
}

template <unsigned_index Id>
using giant_yield = parents::yielding<parents::atomic<Id>, 2>;
template <unsigned_index Id>
using giant_chaos = parents::failing<parents::atomic<Id>, 2>;

TEST(giant_history, is_linearizable_when_threads_yield) { expect_linearizable_giant<backend::basic_threads<giant_yield, 1>>(); }
TEST(giant_history, is_linearizable_when_swaps_fail_for_no_reason) { expect_linearizable_giant<backend::basic_threads<giant_chaos, 1>>(); }
TEST(giant_history, is_linearizable_undisturbed) { expect_linearizable_giant<backend::basic_threads<parents::atomic, 1>>(); }

// --- Whole batches, by `auto` ---

constexpr id giant_size = 70000, group_size = 5, groups = 600;
constexpr std::size_t calls_in_batch = 6;

/// Vertices 0 and 1 of a group are in the giant, the others were alone: what happens in one group tells nothing to another.
id vertex_of(id group, id local) { return local < 2 ? (group * 2 + local) * 7 % giant_size : giant_size + group * group_size + local - 2; }

struct group_call {
  id group;
  std::size_t at;  ///< in the group's history
};

/// `count` calls of each group in an order drawn at random; their events are of one time.
template <class Run>
void record_batch(std::vector<std::vector<event>>& histories, std::size_t count, bool inserts_alone, std::mt19937& random,
                  std::uint64_t begin, Run run) {
  std::vector<group_call> order;
  for (id g = 0; g < groups; ++g) {
    for (std::size_t k = 0; k < count; ++k) {
      const edge<id> pair{static_cast<id>(random() % (group_size + 2)), static_cast<id>(random() % (group_size + 2))};
      const auto kind = inserts_alone || random() % 3 == 0 ? operation::insert : operation::query;
      order.push_back({g, histories[g].size()});
      histories[g].push_back({kind, pair, false, begin, begin + 1});
    }
  }
  std::ranges::shuffle(order, random);
  edges pairs;
  std::vector<operation> kinds;
  for (const auto [g, at] : order) {
    const event& e = histories[g][at];
    pairs.push_back({vertex_of(g, e.pair.u), vertex_of(g, e.pair.v)});
    kinds.push_back(e.kind);
  }
  const query_answers answers = run(pairs, kinds);
  for (std::size_t i = 0; i < answers.size(); ++i) histories[order[i].group][order[i].at].answer = answers[i];
}

TEST(giant_history, of_whole_batches_is_linearizable_in_each_group_of_vertices) {
  std::mt19937 random{1};
  edges star;
  for (id v = 1; v < giant_size; ++v) star.insert(star.end(), 2, {v, static_cast<id>(random() % v)});
  for (const unsigned crew : {2u, 7u}) {
    incremental live{{.vertices = giant_size + groups * group_size}, {.threads = crew}};
    ASSERT_EQ(live.variant().name, "threads.none.fast");
    for (int turn = 0; turn < 2; ++turn) live.insert(star);  // the last look comes when all is joined
    std::vector<std::vector<event>> histories(groups, {{operation::insert, {0, 1}, false, 1, 2}});
    const auto mixed = [&](const edges& pairs, const std::vector<operation>& kinds) {
      return live.apply(pairs, kinds, mixing::concurrent);
    };
    record_batch(histories, calls_in_batch, false, random, 100, mixed);
    record_batch(histories, 2, true, random, 200, [&](const edges& pairs, const auto&) {
      live.insert(pairs);
      return query_answers{};
    });
    record_batch(histories, calls_in_batch, false, random, 300, mixed);
    for (const auto& history : histories) ASSERT_TRUE(is_linearizable(history)) << crew << " threads\n" << to_text(history);
  }
}

}  // namespace
}  // namespace copse::test
