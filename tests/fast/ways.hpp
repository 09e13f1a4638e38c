// Every combination of the fast path's switches, and how one test solves the zoo by them. Chunks are 64 vertices, so that small graphs have
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
using small_blocks = backend::basic_omp<Parents, 8>;

// Thresholds are such that every animal takes every way: what decides is tested elsewhere.
inline std::vector<fast_options> sampled_ways(bool few) {
  std::vector<fast_options> ways;
  for (const unsigned arcs : {0u, 2u, 4u}) {
    for (const bool flat : {true, false}) {
      for (const bool early : {true, false}) {
        for (const bool prefetch : {true, false}) {
          for (const bool fused : {true, false}) {
            for (const double least : {0.0, 0.5, 1.1}) {
              if (few && (arcs == 4 || flat != prefetch || least == 0.5 || (least != 0 && fused))) continue;
              ways.push_back({.way = route::sampled,
                              .hook_arcs = arcs,
                              .flat_hooks = flat,
                              .top_up = flat,
                              .early_exit = early,
                              .fused_finish = fused,
                              .prefetch = prefetch,
                              .touch = prefetch,
                              .chunk_vertices = 64,
                              .least_coverage = least});
            }
          }
        }
      }
    }
  }
  return ways;
}

inline std::vector<fast_options> unsampled_ways() {
  std::vector<fast_options> ways;
  for (const bool prefetch : {true, false}) {
    ways.push_back({.way = route::unsampled, .prefetch = prefetch, .chunk_vertices = 64, .least_scattered = 0});
  }
  ways.push_back({.chunk_vertices = 64});  // as decide() says
  return ways;
}

inline std::string described(const fast_options& w) {
  return std::string{w.way == route::sampled     ? "sampled"
                     : w.way == route::unsampled ? "unsampled"
                                                 : "automatic"} +
         " hook_arcs " + std::to_string(w.hook_arcs) + " flat " + std::to_string(w.flat_hooks) + " early " + std::to_string(w.early_exit) +
         " fused " + std::to_string(w.fused_finish) + " prefetch " + std::to_string(w.prefetch) + " top_up " + std::to_string(w.top_up) +
         " least_coverage " + std::to_string(w.least_coverage);
}

template <class Backend, class Id, class Offset>
void solve_ways(const solved_graph& g, row_state state, const std::vector<fast_options>& ways, std::initializer_list<unsigned> threads) {
  const auto rows = make_test_rows<Id, Offset>(g.edges.view(), state);
  for (const fast_options& way : ways) {
    for (const unsigned t : threads) {
      const auto labels = fast::solve_fast<Backend>(rows.view(), {.threads = t, .seed = g.seed}, way);
      ASSERT_TRUE(same_labels(labels, g)) << described(way) << ", " << context(g, t, to_string(state));
    }
  }
}

template <class Backend>
void solve_zoo(bool few, std::initializer_list<unsigned> threads) {
  const auto every = sampled_ways(few), some = sampled_ways(true), unsampled = unsampled_ways();
  for (const auto& g : solved_zoo()) {
    const auto& sampled = g.seed == 1 ? every : some;
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
