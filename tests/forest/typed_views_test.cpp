// spanning_forest() from the caller's arrays into the caller's memory, and what becomes of memory that does not fit.
#include <copse/errors.hpp>

#include <algorithm>
#include <vector>

#include "forests.hpp"
#include "support/rows.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

/// Memory of the caller, with an edge and a label of its own before and behind the room that it gives.
template <class Id>
struct room {
  static constexpr Id guard = static_cast<Id>(0x5aa55aa5);
  std::vector<edge<Id>> edge_words;
  std::vector<Id> label_words;

  room(std::size_t edges, std::size_t labels) : edge_words(edges + 2, {guard, guard}), label_words(labels + 2, guard) {}
  std::span<edge<Id>> edges() { return std::span{edge_words}.subspan(1, edge_words.size() - 2); }
  std::span<Id> labels() { return std::span{label_words}.subspan(1, label_words.size() - 2); }
  [[nodiscard]] bool guards_stand() const {
    const edge<Id> e{guard, guard};
    return edge_words.front() == e && edge_words.back() == e && label_words.front() == guard && label_words.back() == guard;
  }
};

template <class View, class Id>
void expect_forest(View view, std::size_t most, const solved_graph& g, graph_view proved_on, const std::string& variant, unsigned threads) {
  const std::size_t n = view.vertices();
  for (const bool with_labels : {true, false}) {
    room<Id> own{std::min(n == 0 ? 0 : n - 1, most), n};
    const auto found =
        spanning_forest(view, own.edges(), with_labels ? own.labels() : std::span<Id>{}, {.variant = variant}, {.threads = threads});
    EXPECT_TRUE(own.guards_stand());
    ASSERT_LE(found.edge_count, own.edges().size());
    buffer<edge<Id>> edges{found.edge_count};
    std::copy_n(own.edges().begin(), found.edge_count, edges.begin());
    forest_result result{graph{coo<Id>{view.vertices(), std::move(edges)}, vertex_names::identity(n)}, std::nullopt, found.report};
    EXPECT_TRUE(is_right(result, g, proved_on)) << found.report.variant << ", " << g.name;
    if (with_labels) {
      EXPECT_TRUE(same_labels(std::vector<Id>(own.labels().begin(), own.labels().end()), g)) << g.name;
    } else {
      EXPECT_EQ(std::ranges::count(own.labels(), room<Id>::guard), static_cast<std::ptrdiff_t>(n));
    }
  }
}

template <class Id, class Offset>
void expect_rows() {
  for (const auto& g : solved_zoo()) {
    const auto rows = make_test_rows<Id, Offset>(g.edges.view(), row_state::raw);
    for (const std::string variant : {"auto", "serial.none.rem", "threads.kout.jtb.naive"}) {
      expect_forest<csr_view<Id, Offset>, Id>(rows.view(), rows.targets.size(), g, rows.view(), variant, 3);
    }
  }
}

TEST(typed_forests, of_rows_of_every_width) {
  expect_rows<std::uint32_t, std::uint32_t>();
  expect_rows<std::uint32_t, std::uint64_t>();
  expect_rows<std::uint64_t, std::uint64_t>();
}

template <class Id>
void expect_lists(unsigned threads) {
  for (const auto& g : solved_zoo()) {
    std::vector<edge<Id>> edges;
    std::vector<Id> sources, targets;
    for (const auto [u, v] : g.edges.view().edges) {
      edges.push_back({Id{u}, Id{v}});
      sources.push_back(u);
      targets.push_back(v);
    }
    const coo_view<Id> list{g.edges.vertex_count, edges};
    expect_forest<coo_view<Id>, Id>(list, edges.size(), g, list, "auto", threads);
    expect_forest<edge_columns_view<Id>, Id>({list.vertex_count, sources, targets}, edges.size(), g, list, "auto", threads);
  }
}

TEST(typed_forests, of_edges_in_one_array_and_in_two_columns) {
  expect_lists<std::uint32_t>(1);
  expect_lists<std::uint64_t>(3);
}

template <class View>
std::string refusal_of(View view, std::size_t edges, std::size_t labels, const solve_options& options = {}) {
  using id = typename View::id_type;
  std::vector<edge<id>> forest(edges);
  std::vector<id> named(labels);
  return thrown<usage_error>([&] { spanning_forest(view, std::span{forest}, std::span{named}, options); });
}

TEST(typed_forests, too_little_room_and_wrong_views_are_refused) {
  const std::vector<std::uint32_t> sources{0, 1, 2}, targets{1, 2, 0};
  const edge_columns_view<std::uint32_t> triangle{3, sources, targets};
  EXPECT_EQ(refusal_of(triangle, 2, 3), "");
  EXPECT_EQ(refusal_of(triangle, 2, 0), "");
  EXPECT_EQ(refusal_of(triangle, 1, 0), "edges must have room for 2 elements, not 1");
  EXPECT_EQ(refusal_of(triangle, 2, 2), "labels must be empty or have one element per vertex, 3, not 2");
  EXPECT_EQ(refusal_of(edge_columns_view<std::uint32_t>{2, sources, targets}, 3, 0),
            "graph: found sources[2] = 2, expected a vertex below 2");
  EXPECT_EQ(refusal_of(triangle, 2, 0, {.count = true}), "count: only components can be counted, not spanning forests");
  const edge_columns_view<std::uint32_t> few{1000, std::span{sources}.first(1), std::span{targets}.first(1)};
  EXPECT_EQ(refusal_of(few, 1, 0), "") << "there is one edge only";
  EXPECT_EQ(refusal_of(few, 0, 0), "edges must have room for 1 elements, not 0");
}

TEST(typed_forests, nothing_is_nothing) { EXPECT_EQ(refusal_of(csr_view<std::uint32_t, std::uint32_t>{}, 0, 0), ""); }

}  // namespace
}  // namespace copse::test
