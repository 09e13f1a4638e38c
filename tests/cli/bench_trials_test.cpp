// The rounds of copse bench, with contenders that are wrong, slow or out of memory on purpose.
#include "../../cli/bench_trials.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>

namespace copse::cli {
namespace {

constexpr std::uint64_t right = 7;
const solved_once reference{"serial.none.rem", 1.0, right};
const trial_watcher nobody = [](const std::string&) {};

/// Contenders whose solves are written down in the order in which they are made.
struct field {
  std::string calls;
  std::vector<contender> contenders;

  contender& add(const std::string& name, double seconds, std::uint64_t checksum = right) {
    contenders.push_back({name, "csr", 1, [this, name, seconds, checksum](observer&) {
                            calls += name;
                            return solved_once{name, seconds, checksum};
                          }});
    return contenders.back();
  }
  std::vector<measurement> run(const trial_plan& plan) { return measure(contenders, plan, reference, nobody); }
};

const measurement& of_variant(const std::vector<measurement>& measurements, const std::string& name) {
  return *std::ranges::find(measurements, name, &measurement::variant);
}

/// The calls sorted round by round: who was solved, and how often, whatever the order of turns.
std::string by_round(const std::string& calls, const std::vector<std::size_t>& lengths) {
  std::string text;
  std::size_t first = 0;
  for (const std::size_t length : lengths) {
    std::string round = calls.substr(first, length);
    std::ranges::sort(round);
    text += round + " ";
    first += length;
  }
  return text + calls.substr(first);
}

TEST(bench_trials, are_interleaved_each_after_an_untimed_solve) {
  field f;
  f.add("b", .2);
  f.add("a", .1);
  f.add("c", .3);
  const auto measurements = f.run({.trials = 40});
  ASSERT_EQ(f.calls.size(), 240u);
  EXPECT_EQ(by_round(f.calls.substr(0, 12), {6, 6}), "aabbcc aabbcc ");
  for (std::size_t i = 0; i < 240; i += 2) EXPECT_EQ(f.calls[i], f.calls[i + 1]) << i;
  ASSERT_EQ(measurements.size(), 3u);
  EXPECT_EQ(measurements[0].variant, "a");  // sorted
  EXPECT_EQ(measurements[0].samples, std::vector<double>(40, .1));
  EXPECT_EQ(measurements[1].samples, std::vector<double>(40, .2));
  EXPECT_FALSE(measurements[1].screened_out);
}

TEST(bench_trials, everyone_takes_every_turn_equally_often) {
  field f;
  for (const std::string name : {"a", "b", "c", "d"}) f.add(name, .1);
  const auto measurements = f.run({.trials = 12});
  for (const measurement& one : measurements) {
    ASSERT_EQ(one.turns.size(), one.samples.size());
    for (const std::uint32_t turn : {1u, 2u, 3u, 4u}) EXPECT_EQ(std::ranges::count(one.turns, turn), 3) << one.variant;
  }
}

TEST(bench_trials, samples_of_the_untimed_solve_are_not_kept) {
  field f;
  unsigned solves = 0;  // the first, third, ... come in a cold cache
  f.contenders.push_back({"a", "csr", 1, [&](observer&) { return solved_once{"a", ++solves % 2 == 1 ? .9 : .1, right}; }});
  EXPECT_EQ(f.run({.trials = 3})[0].samples, std::vector<double>(3, .1));
  EXPECT_EQ(solves, 6u);
}

TEST(bench_trials, who_takes_long_needs_no_untimed_solve) {
  field f;
  f.add("s", 1.5);
  f.add("a", .5);
  const auto measurements = f.run({.trials = 3, .settle_below_seconds = 1});
  EXPECT_EQ(std::ranges::count(f.calls, 's'), 3);  // the first, which was to be untimed, is its first sample
  EXPECT_EQ(std::ranges::count(f.calls, 'a'), 6);
  EXPECT_EQ(of_variant(measurements, "s").samples.size(), 3u);
}

TEST(bench_trials, screening_keeps_one_sample_of_the_slow) {
  field f;
  f.add("s", .31);
  f.add("a", .1);
  f.add("b", .19);
  const auto measurements = f.run({.trials = 2, .within = 2});
  EXPECT_EQ(by_round(f.calls, {6, 4, 4}), "aabbss aabb aabb ");
  EXPECT_EQ(of_variant(measurements, "a").samples.size(), 2u);
  EXPECT_EQ(of_variant(measurements, "b").samples.size(), 2u);
  EXPECT_EQ(of_variant(measurements, "b").turns.size(), 2u);
  EXPECT_EQ(of_variant(measurements, "s").samples, std::vector<double>{.31});
  EXPECT_TRUE(of_variant(measurements, "s").screened_out);
  EXPECT_EQ(measurements.back().variant, "s");
}

TEST(bench_trials, wrong_labels_are_reported_and_no_yardstick_for_others) {
  field f;
  f.add("w", 0.001, right + 1);
  f.add("a", .5);
  const auto measurements = f.run({.trials = 2, .within = 2});
  EXPECT_EQ(std::ranges::count(f.calls, 'w'), 1);
  EXPECT_EQ(std::ranges::count(f.calls, 'a'), 6);
  EXPECT_EQ(of_variant(measurements, "w").wrong_checksum, right + 1);
  EXPECT_EQ(of_variant(measurements, "w").samples, std::vector<double>{0.001});
  EXPECT_FALSE(of_variant(measurements, "a").screened_out);
  EXPECT_FALSE(of_variant(measurements, "a").wrong_checksum.has_value());
  EXPECT_EQ(of_variant(measurements, "a").samples.size(), 2u);
}

TEST(bench_trials, wrong_labels_are_reported_even_in_the_last_trial) {
  field f;
  f.add("a", 1);
  unsigned solves = 0;
  f.contenders.push_back({"w", "csr", 1, [&](observer&) { return solved_once{"w", 1, ++solves == 2 ? right + 1 : right}; }});
  const auto measurements = f.run({.trials = 2});
  EXPECT_EQ(of_variant(measurements, "w").wrong_checksum, right + 1);
  EXPECT_FALSE(of_variant(measurements, "a").wrong_checksum.has_value());
}

TEST(bench_trials, who_runs_out_of_memory_does_not_end_the_others) {
  field f;
  f.contenders.push_back({"m", "csr", 1, [](observer&) -> solved_once { throw resource_error{"memory limit"}; }});
  f.add("a", 1);
  const auto measurements = f.run({.trials = 3});
  EXPECT_EQ(f.calls, "aaa");  // of one second: three trials and no untimed solve
  EXPECT_EQ(measurements.back().variant, "m");
  EXPECT_EQ(measurements.back().failed, "memory limit");
  EXPECT_TRUE(measurements.back().samples.empty());
}

TEST(bench_trials, the_late_are_cancelled_through_the_observer) {
  field f;
  f.add("a", 0.001);
  unsigned starts = 0;
  f.contenders.push_back({"s", "csr", 1, [&](observer& watcher) -> solved_once {
                            ++starts;
                            const auto long_enough = std::chrono::steady_clock::now() + std::chrono::seconds{5};
                            while (std::chrono::steady_clock::now() < long_enough) {
                              if (watcher.cancel_requested()) throw cancelled{};
                            }
                            return {"s", 5, right};
                          }});
  const auto measurements = f.run({.trials = 3, .give_up = 2, .grace_seconds = 0.01});
  EXPECT_EQ(f.calls, "aaaaaa");
  EXPECT_EQ(starts, 1u);
  ASSERT_TRUE(of_variant(measurements, "s").gave_up_after_seconds.has_value());
  EXPECT_GE(*of_variant(measurements, "s").gave_up_after_seconds, 0.01);
  EXPECT_TRUE(of_variant(measurements, "s").samples.empty());
}

TEST(bench_trials, who_is_late_and_cannot_be_stopped_has_one_sample) {
  field f;
  f.add("s", 2.5);
  f.add("a", 1);
  EXPECT_EQ(of_variant(f.run({.trials = 2, .give_up = 3}), "s").samples.size(), 2u);
  f.calls.clear();
  const auto measurements = f.run({.trials = 2, .give_up = 2});  // twice the second of the reference
  EXPECT_EQ(std::ranges::count(f.calls, 's'), 1);
  EXPECT_EQ(std::ranges::count(f.calls, 'a'), 2);
  EXPECT_EQ(of_variant(measurements, "s").samples, std::vector<double>{2.5});
  EXPECT_EQ(of_variant(measurements, "s").gave_up_after_seconds, 2.5);
  EXPECT_FALSE(of_variant(measurements, "a").gave_up_after_seconds.has_value());
}

TEST(bench_trials, the_best_so_far_draws_the_limit) {
  field f;
  f.add("a", 0.6);
  f.add("b", 1.3);  // below 2 x the reference, above 2 x a
  const auto measurements = f.run({.trials = 2, .give_up = 2});
  EXPECT_TRUE(of_variant(measurements, "b").gave_up_after_seconds.has_value());
}

TEST(bench_trials, a_real_solve_can_be_cancelled) {
  const graph path = gen::generate("path:n=1000000,shuffle=1", {.threads = 1});
  std::vector<contender> one{{"dfs", "csr", 1, [&](observer& watcher) -> solved_once {
                                const auto result = components(path, {.variant = "serial.none.dfs"}, {.observer = &watcher});
                                return {"dfs", result.report.solve_seconds, right};
                              }}};
  const auto measurements = measure(one, {.trials = 1, .give_up = 1, .grace_seconds = 0}, {"", 0.0, right}, nobody);
  EXPECT_TRUE(measurements[0].gave_up_after_seconds.has_value());
  EXPECT_TRUE(measurements[0].samples.empty());
}

TEST(bench_trials, watchers_hear_of_every_variant) {
  field f;
  f.add("a", 1);
  f.add("b", 1);
  std::vector<std::string> heard;
  measure(f.contenders, {.trials = 1}, reference, [&](const std::string& where) { heard.push_back(where); });
  ASSERT_EQ(heard.size(), 2u);
  EXPECT_TRUE(heard[0].starts_with("trial 1 of 1, variant 1 of 2, ")) << heard[0];
  EXPECT_TRUE(heard[1].starts_with("trial 1 of 1, variant 2 of 2, ")) << heard[1];
  EXPECT_NE(heard[0].back(), heard[1].back());
}

}  // namespace
}  // namespace copse::cli
