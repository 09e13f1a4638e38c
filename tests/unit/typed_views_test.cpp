// components() from the caller's arrays into the caller's memory, and what becomes of views that are wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/errors.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "support/labels.hpp"
#include "support/rows.hpp"
#include "support/thrown.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

/// Room before and after the labels shows who writes where nobody asked for it.
template <class Id>
class guarded_labels {
public:
  explicit guarded_labels(std::size_t n) : words_(n + 2, guard) {}
  [[nodiscard]] std::span<Id> span() noexcept { return {words_.data() + 1, words_.size() - 2}; }
  [[nodiscard]] bool guards_stand() const noexcept { return words_.front() == guard && words_.back() == guard; }

private:
  static constexpr Id guard = static_cast<Id>(0x5aa55aa5);
  std::vector<Id> words_;
};

template <class View, class Id>
void expect_labels(View view, const solved_graph& g, const solve_options& options, const execution& on) {
  guarded_labels<Id> labels{static_cast<std::size_t>(view.vertices())};
  const solve_report report = components(view, labels.span(), options, on);
  EXPECT_FALSE(report.variant.empty());
  EXPECT_NE(report.variant, "auto");
  EXPECT_TRUE(labels.guards_stand());
  EXPECT_TRUE(same_labels(std::vector<Id>(labels.span().begin(), labels.span().end()), g)) << report.variant << ", " << g.name;
}

template <class Id, class Offset>
void expect_rows() {
  for (const auto& g : solved_zoo()) {
    for (const row_state state : {row_state::simple, row_state::raw}) {
      const auto rows = make_test_rows<Id, Offset>(g.edges.view(), state);
      for (const std::string variant :
           {"auto", "threads.hb.fast", "threads.none.fast", "serial.none.rem", "threads.kout.jtb.naive", "threads.hb.liu_tarjan.PUS"}) {
        expect_labels<csr_view<Id, Offset>, Id>(rows.view(), g, {.variant = variant}, {.threads = 3});
      }
    }
  }
}

TEST(typed_views, rows_of_every_width_into_the_callers_memory) {
  expect_rows<std::uint32_t, std::uint32_t>();
  expect_rows<std::uint32_t, std::uint64_t>();
  expect_rows<std::uint64_t, std::uint64_t>();
}

template <class Id>
void expect_lists(const std::string& variant, unsigned threads) {
  for (const auto& g : solved_zoo()) {
    std::vector<edge<Id>> edges;
    std::vector<Id> sources, targets;
    for (const auto [u, v] : g.edges.view().edges) {
      edges.push_back({Id{u}, Id{v}});
      sources.push_back(u);
      targets.push_back(v);
    }
    const Id n = g.edges.vertex_count;
    expect_labels<coo_view<Id>, Id>({n, edges}, g, {.variant = variant}, {.threads = threads});
    expect_labels<edge_columns_view<Id>, Id>({n, sources, targets}, g, {.variant = variant}, {.threads = threads});
  }
}

TEST(typed_views, edges_in_one_array_and_in_two_columns) {
  for (const unsigned threads : {1u, 3u}) {
    expect_lists<std::uint32_t>("auto", threads);
    expect_lists<std::uint64_t>("auto", threads);
  }
  expect_lists<std::uint32_t>("threads.none.early.halve", 2);
  expect_lists<std::uint32_t>("threads.kout.afforest", 2);
}

template <class View, class Id>
std::string refusal_of(View view, std::size_t labels, const solve_options& options = {}, const execution& on = {}) {
  std::vector<Id> room(labels);
  return thrown<usage_error>([&] { components(view, std::span{room}, options, on); });
}
using narrow_rows = csr_view<std::uint32_t, std::uint32_t>;
std::string refused_rows(const std::vector<std::uint32_t>& offsets, const std::vector<std::uint32_t>& targets,
                         symmetry symmetric = symmetry::unknown, bool sorted = false) {
  const std::size_t n = offsets.empty() ? 0 : offsets.size() - 1;
  return refusal_of<narrow_rows, std::uint32_t>({offsets, targets, symmetric, sorted}, n);
}

TEST(typed_views, a_wrong_view_is_refused_with_the_place) {
  EXPECT_EQ(refused_rows({0, 1, 2}, {1, 0}), "");
  EXPECT_EQ(refused_rows({}, {1}), "graph: found no offsets and 1 targets, expected offsets");
  EXPECT_EQ(refused_rows({1, 2}, {0, 0}), "graph: found offsets[0] = 1, expected 0");
  EXPECT_EQ(refused_rows({0, 3, 2, 4}, {0, 0, 0, 0}), "graph: found offsets[2] = 2 after 3, expected ascending offsets");
  EXPECT_EQ(refused_rows({0, 1, 2}, {1, 0, 1}), "graph: found offsets[2] = 2 at the end, expected the number of targets, 3");
  EXPECT_EQ(refused_rows({0, 1, 2}, {1, 2}), "graph: found targets[1] = 2, expected a vertex below 2");
  EXPECT_EQ(refused_rows({0, 1, 2}, {1, 2}, symmetry::no), "graph: found targets[1] = 2, expected a vertex below 2");
  EXPECT_EQ(refused_rows({0, 1, 2}, {1, 0}, symmetry::no), "");  // one direction is never wrong to claim
  EXPECT_EQ(refused_rows({0, 2, 3, 3}, {2, 1, 0}, symmetry::no, true),
            "graph: found a row that does not ascend, expected sorted rows, as the view says");
  EXPECT_EQ(refused_rows({0, 1, 1}, {1}, symmetry::yes),
            "graph: found an arc that is stored in one direction only, expected both, as the view says that it is symmetric");
  EXPECT_EQ(refused_rows({0, 2, 3, 4}, {2, 1, 0, 0}, symmetry::yes, true),
            "graph: found a row that does not ascend, expected sorted rows, as the view says");
  const std::vector<edge<std::uint32_t>> edges{{0, 1}, {1, 3}};
  EXPECT_EQ((refusal_of<coo_view<std::uint32_t>, std::uint32_t>({3, edges}, 3)), "graph: found edges[1] = 1 3, expected vertices below 3");
  const std::vector<std::uint32_t> sources{0, 7}, targets{1, 2};
  using columns = edge_columns_view<std::uint32_t>;
  EXPECT_EQ((refusal_of<columns, std::uint32_t>({3, sources, targets}, 3)), "graph: found sources[1] = 7, expected a vertex below 3");
  EXPECT_EQ((refusal_of<columns, std::uint32_t>({3, std::span{sources}.first(1), targets}, 3)),
            "graph: found 1 sources and 2 targets, expected as many of both");
  for (const unsigned threads : {1u, 3u}) {
    const execution on{.threads = threads};
    EXPECT_EQ((refusal_of<coo_view<std::uint32_t>, std::uint32_t>({0, edges}, 0, {}, on)),
              "graph: found edges[0] = 0 1, expected vertices below 0");
    EXPECT_EQ((refusal_of<columns, std::uint32_t>({0, sources, targets}, 0, {}, on)),
              "graph: found sources[0] = 0, expected a vertex below 0");
    EXPECT_EQ((refusal_of<coo_view<std::uint32_t>, std::uint32_t>({0, {}}, 0, {}, on)), "");
  }
  EXPECT_EQ((refusal_of<columns, std::uint32_t>({8, sources, targets}, 3)), "labels must have one element per vertex, 8, not 3");
  EXPECT_EQ((refusal_of<columns, std::uint32_t>({8, sources, targets}, 8, {.variant = "hybrid.auto"})),
            "hybrid.auto cannot write into the caller's labels; call the overload that returns them");
}

/// Edges that lie near each other, or far apart, are united by two rules; the wrong one comes early or late, for one thread and several.
TEST(typed_views, a_wrong_edge_of_a_long_list_is_refused_with_its_place) {
  constexpr std::uint32_t n = 5000;
  constexpr std::size_t m = 60'000;
  for (const std::uint32_t step : {1u, 1999u}) {
    for (const std::size_t bad : {std::size_t{0}, std::size_t{4999}, std::size_t{31'000}, m - 1}) {
      for (const std::uint32_t wrong : {n, ~0u}) {
        std::vector<std::uint32_t> sources(m), targets(m);
        std::vector<edge<std::uint32_t>> edges(m);
        for (std::size_t i = 0; i < m; ++i) {
          sources[i] = static_cast<std::uint32_t>(i * step % n);
          targets[i] = (sources[i] + 7) % n;
          edges[i] = {sources[i], targets[i]};
        }
        targets[bad] = edges[bad].v = wrong;
        for (const unsigned threads : {1u, 3u}) {
          const execution on{.threads = threads};
          EXPECT_EQ((refusal_of<coo_view<std::uint32_t>, std::uint32_t>({n, edges}, n, {}, on)),
                    fmt::format("graph: found edges[{}] = {} {}, expected vertices below 5000", bad, sources[bad], wrong));
          EXPECT_EQ((refusal_of<edge_columns_view<std::uint32_t>, std::uint32_t>({n, sources, targets}, n, {}, on)),
                    fmt::format("graph: found targets[{}] = {}, expected a vertex below 5000", bad, wrong));
          EXPECT_NE(thrown<usage_error>([&] { components(graph_view{coo_view<std::uint32_t>{n, edges}}, {}, on); }), "");
        }
      }
    }
  }
}

TEST(typed_views, what_a_caller_left_unknown_is_found_out) {
  // One direction of each edge: a sampled variant needs both, and gets them.
  const std::vector<std::uint32_t> offsets{0, 1, 2, 3, 3}, targets{1, 2, 3};
  std::vector<std::uint32_t> labels(4);
  components(narrow_rows{offsets, targets}, std::span{labels}, {.variant = "threads.hb.fast"}, {.threads = 2});
  EXPECT_EQ(labels, (std::vector<std::uint32_t>{0, 0, 0, 0}));
}

TEST(typed_views, nothing_is_nothing) {
  std::vector<std::uint32_t> none;
  EXPECT_EQ(components(narrow_rows{}, std::span{none}).edges, 0u);
  EXPECT_EQ(components(edge_columns_view<std::uint32_t>{}, std::span{none}).edges, 0u);
}

}  // namespace
}  // namespace copse::test
