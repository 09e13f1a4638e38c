// The ways of the fast path for rows, and how one test solves the zoo by each of them. Chunks are 64 vertices, so that small graphs have
// many.
#pragma once
#include <gtest/gtest.h>
#include <fast/solve.hpp>

#include <initializer_list>
#include <string>
#include <vector>

#include "support/rows.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {

using fast::fast_options;
using fast::route;

template <template <class> class Parents>
using small_blocks = backend::basic_threads<Parents, 8>;

// Thresholds are such that every animal takes every way: what decides is tested elsewhere.
inline std::vector<fast_options> sampled_ways() {
  std::vector<fast_options> ways;
  for (const double least : {0.0, 0.5, 1.1}) ways.push_back({.way = route::sampled, .chunk_vertices = 64, .least_coverage = least});
  return ways;
}

inline std::vector<fast_options> unsampled_ways() {
  std::vector<fast_options> ways;
  for (const double least : {0.0, 1.1}) ways.push_back({.way = route::unsampled, .chunk_vertices = 64, .least_scattered = least});
  ways.push_back({.chunk_vertices = 64});  // as decide() says
  return ways;
}

inline std::string described(const fast_options& w) {
  return std::string{w.way == route::sampled     ? "sampled"
                     : w.way == route::unsampled ? "unsampled"
                                                 : "automatic"} +
         " least_coverage " + std::to_string(w.least_coverage.value_or(-1)) + " least_scattered " + std::to_string(w.least_scattered);
}

template <class Backend, class Id, class Offset>
void solve_ways(const solved_graph& g, row_state state, const std::vector<fast_options>& ways, std::initializer_list<unsigned> threads) {
  const auto rows = make_test_rows<Id, Offset>(g.edges.view(), state);
  for (const fast_options& way : ways) {
    for (const unsigned t : threads) {
      const auto labels = fast::solve_fast<Backend>(rows.view(), {{.seed = g.seed}, {.threads = t}}, way);
      ASSERT_TRUE(same_labels(labels, g)) << described(way) << ", " << context(g, t, to_string(state));
    }
  }
}

template <class Backend>
void solve_zoo(std::initializer_list<unsigned> threads) {
  const auto sampled = sampled_ways(), unsampled = unsampled_ways();
  for (const auto& g : solved_zoo()) {
    for (const auto state : {row_state::simple, row_state::raw}) {
      solve_ways<Backend, std::uint32_t, std::uint32_t>(g, state, sampled, threads);
      if (testing::Test::HasFatalFailure()) return;
    }
    for (const auto state : {row_state::simple, row_state::raw, row_state::one_sided, row_state::undeclared}) {
      solve_ways<Backend, std::uint32_t, std::uint32_t>(g, state, unsampled, threads);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

}  // namespace copse::test
