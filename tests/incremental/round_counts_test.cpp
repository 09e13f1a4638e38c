// What rules in rounds inspect of a stream: counts that follow from the rules, whichever edges their rounds visit.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/types.hpp>
#include <copse/views.hpp>
#include <drivers/incremental/round_batch.hpp>
#include <variants/round_counts.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

using edges = std::vector<edge<std::uint32_t>>;
using drivers::round_edges;
using variant::count_rounds;

constexpr std::string_view hooks = "serial.none.shiloach_vishkin", labels = "serial.none.liu_tarjan.PRF";

std::uint64_t inspected(std::string_view name, std::uint32_t vertices, const edges& stream, std::size_t batch, round_edges visited) {
  return count_rounds(name, 1, vertices, stream, batch, visited).edges;
}

TEST(round_counts, a_star_is_hooked_in_one_round_and_seen_in_another) {
  const edges star{{0, 1}, {2, 0}, {0, 3}, {4, 0}};
  for (const auto rule : {hooks, labels}) {
    EXPECT_EQ(inspected(rule, 5, star, 4, round_edges::whole_batch), 2 * 4u) << rule;
    EXPECT_EQ(inspected(rule, 5, star, 4, round_edges::between_roots), 4 + 2 * 4u) << rule << ": once more to find the roots";
    EXPECT_EQ(inspected(rule, 5, star, 1, round_edges::whole_batch), 4 * 2u) << rule;
  }
}

TEST(round_counts, an_edge_inside_a_tree_is_seen_once) {
  const edges twice{{0, 1}, {1, 0}, {0, 1}};
  for (const auto rule : {hooks, labels}) {
    EXPECT_EQ(inspected(rule, 2, twice, 1, round_edges::whole_batch), 2 + 1 + 1u) << rule;
    EXPECT_EQ(inspected(rule, 2, twice, 1, round_edges::between_roots), 3 + 1 + 1u) << rule;
    EXPECT_EQ(inspected(rule, 2, twice, 3, round_edges::whole_batch), 2 * 3u) << rule;
  }
}

TEST(round_counts, an_edge_that_moves_is_dropped_once_it_is_a_loop) {
  const edges star{{0, 1}, {2, 0}, {0, 3}, {3, 3}};
  EXPECT_EQ(inspected("serial.none.liu_tarjan.CRFA", 4, star, 4, round_edges::whole_batch), 4u) << "all are loops after a round";
  EXPECT_EQ(inspected("serial.none.liu_tarjan.CRFA", 4, star, 4, round_edges::between_roots), 4 + 3u) << "the loop is no edge of theirs";
}

TEST(round_counts, a_path_takes_more_rounds_at_once_than_edge_by_edge) {
  edges path(999);  // ids go up and down along it, so that no round hooks all of it
  for (std::uint32_t i = 0; i < path.size(); ++i) path[i] = {i * 389 % 1000, (i + 1) * 389 % 1000};
  for (const auto rule : {hooks, labels}) {
    EXPECT_EQ(inspected(rule, 1000, path, 1, round_edges::whole_batch), 2 * 999u) << rule;
    EXPECT_EQ(inspected(rule, 1000, path, 1, round_edges::between_roots), 3 * 999u) << rule;
  }
  // Of the rule whose rounds see the labels of the round before: the other, on one thread, sees the hooks of its own round.
  EXPECT_GE(inspected(labels, 1000, path, 999, round_edges::whole_batch), 3 * 999u);
  EXPECT_GE(inspected(labels, 1000, path, 999, round_edges::between_roots), 4 * 999u);
}

TEST(round_counts, every_rule_in_rounds_finds_the_components) {
  const auto names = variant::counted_in_rounds();
  EXPECT_EQ(names.size(), 2 * 7u) << "six rules of Liu and Tarjan, and Shiloach-Vishkin, on two backends";
  for (const auto& g : solved_zoo()) {
    if (g.seed != 1) continue;
    std::uint64_t roots = 0;
    for (std::size_t v = 0; v < g.labels.size(); ++v) roots += static_cast<std::uint64_t>(g.labels[v] == v);
    const auto stream = g.edges.edges.span();
    for (const std::string_view name : names) {
      for (const auto visited : {round_edges::whole_batch, round_edges::between_roots}) {
        for (const std::size_t batch : {std::size_t{7}, stream.size() + 1}) {
          const auto counts = count_rounds(name, 3, static_cast<std::uint32_t>(g.labels.size()), stream, batch, visited);
          EXPECT_EQ(counts.components, roots) << name << " on " << g.name;
          EXPECT_GE(counts.edges, stream.size()) << name << " on " << g.name;
        }
      }
    }
  }
}

TEST(round_counts, other_variants_are_refused) {
  for (const char* name : {"threads.none.async.halve", "threads.none.fast", "cuda.none.shiloach_vishkin", "serial.none.cc", "none"}) {
    EXPECT_THROW(count_rounds(name, 1, 2, edges{{0, 1}}, 1, round_edges::whole_batch), usage_error) << name;
  }
}

}  // namespace
}  // namespace copse::test
