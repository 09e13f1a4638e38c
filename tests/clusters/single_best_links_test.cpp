// Single best links against the rounds as they are defined, each round from scratch.
#include <gtest/gtest.h>
#include <copse/cluster.hpp>
#include <copse/errors.hpp>
#include <support/sweep_length.hpp>
#include <support/thrown.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace copse::test {
namespace {

struct link_case {
  std::vector<edge<std::uint32_t>> edges;
  std::vector<double> scores;
  std::vector<std::uint64_t> groups;

  [[nodiscard]] std::vector<std::uint64_t> found(link_ties ties, unsigned threads) const {
    const coo_view<std::uint32_t> view{static_cast<std::uint32_t>(groups.size()), edges};
    const auto labels = single_best_links(graph_view{view}, scores, groups, ties, {.threads = threads});
    return {labels.begin(), labels.end()};
  }
};

using row = std::tuple<std::uint64_t, std::uint64_t, double>;  // a link from its first vertex to the other, with its score

std::set<row> rows_of(const link_case& of, link_ties ties) {
  std::set<row> rows;
  for (std::size_t i = 0; i < of.edges.size(); ++i) {
    const auto [u, v] = of.edges[i];
    if (u == v || of.groups[u] == value_limit::left_out || of.groups[v] == value_limit::left_out) continue;
    rows.emplace(u, v, of.scores[i]);
    rows.emplace(v, u, of.scores[i]);
  }
  if (ties == link_ties::lowest_id) return rows;
  const auto is_tied = [&](std::uint64_t u, std::uint64_t v, double score) {
    if (of.groups[v] == value_limit::no_value) return false;
    return std::ranges::count_if(rows, [&](const row& r) {
             return std::get<0>(r) == u && of.groups[std::get<1>(r)] == of.groups[v] && std::get<2>(r) == score;
           }) > 1;
  };
  std::set<row> kept;
  for (const auto& [u, v, score] : rows) {
    if (!is_tied(u, v, score) && !is_tied(v, u, score)) kept.emplace(u, v, score);
  }
  return kept;
}

std::vector<std::uint64_t> labels_by_definition(const link_case& of, link_ties ties) {
  const std::set<row> rows = rows_of(of, ties);
  std::vector<std::uint64_t> labels(of.groups.size());
  for (std::size_t v = 0; v < labels.size(); ++v) labels[v] = v;
  for (;;) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> present;  // labels and groups
    for (std::size_t v = 0; v < labels.size(); ++v) present.emplace(labels[v], of.groups[v]);
    const auto may_join = [&](std::uint64_t a, std::uint64_t b) {
      return a != b && std::ranges::none_of(present, [&](const auto& p) {
               return p.first == a && p.second < value_limit::left_out && present.contains({b, p.second});
             });
    };
    std::map<std::uint64_t, std::pair<double, std::uint64_t>> best;  // of each label: the negative score, the other vertex
    for (const auto& [u, v, score] : rows) {
      if (!may_join(labels[u], labels[v])) continue;
      const std::pair offer{-score, v};
      const auto [at, fresh] = best.try_emplace(labels[u], offer);
      if (!fresh) at->second = std::min(at->second, offer);
    }
    std::vector<std::uint64_t> next = labels;
    for (const auto& [u, v, score] : rows) {
      if (!may_join(labels[u], labels[v])) continue;
      if (best[labels[u]] == std::pair{-score, v} && best[labels[v]] == std::pair{-score, u}) next[u] = std::min(next[u], labels[v]);
    }
    if (next == labels) return labels;
    labels = next;
  }
}

link_case random_links(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  link_case made;
  const std::uint64_t vertices = 1 + below(below(4) == 0 ? 40 : 12), groups = 1 + below(below(8) == 0 ? 100 : 5), kinds = 1 + below(12);
  for (std::uint64_t v = 0; v < vertices; ++v)
    made.groups.push_back(below(6) == 0 ? value_limit::no_value : below(20) == 0 ? value_limit::left_out : below(groups));
  const std::uint64_t edges = below(3 * vertices + 1);
  for (std::uint64_t i = 0; i < edges; ++i) {
    made.edges.push_back({static_cast<std::uint32_t>(below(vertices)), static_cast<std::uint32_t>(below(vertices))});
    made.scores.push_back(static_cast<double>(below(kinds)) / 8);
  }
  return made;
}

TEST(single_best_links, of_random_cases_are_as_defined) {
  std::mt19937_64 random{44};
  const std::uint64_t cases = quick() ? 1000 : all_graphs() ? 100000 : 10000;
  for (std::uint64_t number = 0; number < cases && !HasFailure(); ++number) {
    const link_case made = random_links(random);
    for (const link_ties ties : {link_ties::lowest_id, link_ties::drop})
      EXPECT_EQ(made.found(ties, 1 + static_cast<unsigned>(number % 3)), labels_by_definition(made, ties)) << number;
  }
}

TEST(single_best_links, leave_apart_what_crosses) {
  // Clusters 0 1 and 2 3: of the equal links between them, each has another one as its best.
  link_case made{{{0, 1}, {2, 3}, {0, 3}, {1, 2}}, {.9, .9, .5, .5}, {0, 1, 2, 3}};
  EXPECT_EQ(made.found(link_ties::lowest_id, 1), (std::vector<std::uint64_t>{0, 0, 2, 2}));
  made.scores[3] = .6;
  EXPECT_EQ(made.found(link_ties::lowest_id, 1), (std::vector<std::uint64_t>{0, 0, 0, 0}));
}

TEST(single_best_links, refuse_columns_of_another_length_and_rows) {
  link_case made{{{0, 1}}, {.9}, {0}};
  const auto refusal = [&] { return thrown<usage_error>([&] { static_cast<void>(made.found(link_ties::lowest_id, 1)); }); };
  made.groups = {0, 1};
  made.scores = {};
  EXPECT_EQ(refusal(), "single_best_links: scores must have one element per edge, 1, not 0");
  const std::vector<std::uint32_t> offsets{0, 1, 2}, targets{1, 0};
  const std::vector<std::uint64_t> few{0};
  const std::vector<double> scores{1, 1};
  const csr_view<std::uint32_t, std::uint32_t> rows{offsets, targets, symmetry::yes, true};
  EXPECT_EQ(thrown<usage_error>([&] { static_cast<void>(single_best_links(graph_view{rows}, scores, few)); }),
            "single_best_links: the graph must be a list of edges, not rows");
  const coo_view<std::uint32_t> list{2, made.edges};
  EXPECT_EQ(thrown<usage_error>([&] { static_cast<void>(single_best_links(graph_view{list}, scores, few)); }),
            "single_best_links: groups must have one element per vertex, 2, not 1");
}

}  // namespace
}  // namespace copse::test
