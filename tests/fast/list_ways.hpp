// The ways of the fast path for edge lists, and how one test solves the zoo by each of them, as pairs and as columns.
#pragma once
#include <gtest/gtest.h>
#include <fast/solve_list.hpp>

#include <string>
#include <vector>

#include "sweep/sweep.hpp"

namespace copse::test {

using fast::list_options;

/// Thresholds are such that every animal goes past a giant, however small, from the first edges on.
inline std::vector<list_options> list_ways() {
  std::vector<list_options> ways{{}, {.look_at_ends = true}, {.any_ranges = true}};
  for (const std::size_t first : {1u, 7u, 64u}) {
    for (const double least : {0.0, 0.3}) ways.push_back({.least_inside = least, .first_edges = first, .any_ranges = least > 0});
  }
  return ways;
}

inline std::string described(const list_options& way) {
  return "least_inside " + std::to_string(way.least_inside) + " first_edges " + std::to_string(way.first_edges) + " any_ranges " +
         std::to_string(way.any_ranges) + " look_at_ends " + std::to_string(way.look_at_ends);
}

template <class Backend, class Id, class Edges>
void expect_labels(const Edges& edges, const solved_graph& g, unsigned threads, const list_options& way) {
  auto labels = fast::labels_with_bits<Id>(g.edges.vertex_count, host_memory());
  fast::solve_list(Backend{threads}, edges, labels.span(), fast::bits_behind(labels), {{.seed = g.seed}, {.threads = threads}}, way);
  ASSERT_TRUE(same_labels(labels, g)) << described(way) << ", " << context(g, threads, "list");
}

template <class Backend, class Id>
void solve_lists(unsigned threads) {
  for (const auto& g : solved_zoo()) {
    std::vector<edge<Id>> pairs;
    std::vector<Id> sources, targets;
    for (const auto [u, v] : g.edges.edges) {
      pairs.push_back({static_cast<Id>(u), static_cast<Id>(v)});
      sources.push_back(static_cast<Id>(u));
      targets.push_back(static_cast<Id>(v));
    }
    const fast::column_edges<Id> columns{{static_cast<Id>(g.edges.vertex_count), sources, targets}};
    for (const auto& way : list_ways()) {
      expect_labels<Backend, Id>(std::span<const edge<Id>>{pairs}, g, threads, way);
      expect_labels<Backend, Id>(columns, g, threads, way);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

}  // namespace copse::test
