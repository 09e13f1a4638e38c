// The proof of bridges accepts right answers and refuses each that is off in one place.
#include <gtest/gtest.h>
#include <support/zoo.hpp>

#include "definition.hpp"

namespace copse::test {
namespace {

/// Two triangles, joined by a bridge, with a path hanging on one; a doubled edge; an isolated vertex; a loop.
const edges32 example{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {5, 3}, {5, 6}, {6, 7}, {8, 9}, {9, 8}, {7, 7}};
constexpr std::uint32_t vertices = 11;

class proof_of_bridges : public ::testing::Test {
protected:
  /// What is said of the answer after `change`.
  template <class Change>
  std::string fault(Change change) {
    auto claimed = bridges(graph_view{list_.view()}, {.vertex_blocks = true}, {.threads = 1});
    change(claimed);
    const verdict found = verify_bridges(graph_view{list_.view()}, claimed);
    EXPECT_EQ(static_cast<bool>(found), found.reason.empty());
    return found.reason;
  }
  coo<std::uint32_t> list_ = make_coo(vertices, example);
};

TEST_F(proof_of_bridges, accepts_right_answers) {
  EXPECT_EQ(fault([](bridges_result&) {}), "");
  EXPECT_EQ(fault([](bridges_result& r) { r.biconnected = {}; }), "");  // need not be listed
}

TEST_F(proof_of_bridges, refuses_every_number_that_is_off) {
  const auto right = bridges(graph_view{list_.view()}, {.vertex_blocks = true});
  const auto refuse_each = [&](auto array, const char* name) {
    const std::size_t size = array(const_cast<bridges_result&>(right)).size();
    ASSERT_GT(size, 0u) << name;
    for (std::size_t i = 0; i < size; ++i) {
      for (const std::uint64_t value : {0u, 1u, 2u, 5u, 9u, 10u, 77u}) {
        const bool changes = array(const_cast<bridges_result&>(right))[i] != value;
        EXPECT_EQ(fault([&](bridges_result& r) { array(r)[i] = value; }).empty(), !changes) << name << ' ' << i << " became " << value;
      }
    }
  };
  refuse_each([](bridges_result& r) { return r.positions.span(); }, "positions");
  refuse_each([](bridges_result& r) { return r.smaller_sides.span(); }, "sides");
  refuse_each([](bridges_result& r) { return r.articulation_points.span(); }, "points");
  refuse_each([](bridges_result& r) { return r.biconnected.offsets.span(); }, "offsets");
  refuse_each([](bridges_result& r) { return r.biconnected.vertices.span(); }, "sets");
  for (const auto count : {&bridges_result::components, &bridges_result::two_edge_connected_count, &bridges_result::biconnected_count})
    EXPECT_NE(fault([&](bridges_result& r) { ++(r.*count); }), "");
}

TEST_F(proof_of_bridges, refuses_other_labels_edges_and_graphs) {
  for (std::uint32_t v = 0; v < vertices; ++v) {
    const auto other = [&](bridges_result& r) {
      buffer<std::uint32_t> labels{vertices};
      for (std::uint32_t w = 0; w < vertices; ++w) labels[w] = static_cast<std::uint32_t>(r.two_edge_connected.label(w));
      labels[v] = labels[v] == 0 ? 1 : 0;
      r.two_edge_connected = labelling{std::move(labels), vertex_names::identity(vertices)};
    };
    EXPECT_NE(fault(other), "") << v;
  }
  EXPECT_NE(fault([](bridges_result& r) { r.edges = graph{make_coo(vertices, {{2, 3}, {5, 6}})}; }), "");
  EXPECT_NE(fault([](bridges_result& r) { r.edges = graph{make_coo(vertices, {{2, 3}, {5, 6}, {5, 7}})}; }), "");
  EXPECT_NE(fault([](bridges_result& r) { r.edges = graph{make_coo(vertices - 1, {{2, 3}, {5, 6}, {6, 7}})}; }), "");
  EXPECT_NE(fault([](bridges_result& r) { r.articulation_points.shrink(1); }), "");
  // One edge more, or one less, is another graph.
  const auto claimed = bridges(graph_view{list_.view()}, {.vertex_blocks = true});
  auto more = example;
  more.push_back({6, 4});
  EXPECT_FALSE(verify_bridges(graph_view{make_coo(vertices, more).view()}, claimed));
  auto fewer = example;
  fewer.erase(fewer.begin());
  EXPECT_FALSE(verify_bridges(graph_view{make_coo(vertices, fewer).view()}, claimed));
  EXPECT_FALSE(verify_bridges(graph_view{list_.view()}, claimed, true));
}

}  // namespace
}  // namespace copse::test
