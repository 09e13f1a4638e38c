// Vectors of int, long long and std::string fit every entry point, with the same answers as arrays of the library's own types.
#include <gtest/gtest.h>
#include <support/thrown.hpp>

#include <array>
#include <copse/copse.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace copse {
namespace {

// Two components, {2, 3, 7} and {5, 9}, with a repeated edge and a loop; as numbers and as texts in the same order.
template <class Id>
struct column_pair {
  std::vector<Id> from, to;
};
template <class Id>
column_pair<Id> some_pairs() {
  if constexpr (std::is_same_v<Id, std::string>) {
    return {{"7", "3", "9", "3", "5"}, {"3", "2", "5", "7", "5"}};
  } else {
    return {{7, 3, 9, 3, 5}, {3, 2, 5, 7, 5}};
  }
}
template <class Id>
std::string text_of(const Id& id) {
  if constexpr (std::is_same_v<Id, std::string>) {
    return id;
  } else {
    return std::to_string(id);
  }
}

/// `id:label` of each vertex, by their names.
std::string shown(const labelling& labels) {
  const vertex_names& names = labels.names();
  const auto name = [&](std::uint64_t v) {
    return names.what() == vertex_names::kind::strings ? std::string{names.string(v)} : id_text(names.integer(v), names.is_signed());
  };
  std::string text;
  for (std::uint64_t v = 0; v < labels.slots(); ++v) {
    if (labels.present(v)) text += name(v) + ":" + name(labels.label(v)) + " ";
  }
  return text;
}

template <class Id>
class vectors : public testing::Test {};
using kinds = testing::Types<int, unsigned, long, unsigned long, long long, unsigned long long, std::string>;
TYPED_TEST_SUITE(vectors, kinds);

constexpr const char* both_components = "2:2 3:2 5:5 7:2 9:5 ";

TYPED_TEST(vectors, have_components_and_forests) {
  const auto [from, to] = some_pairs<TypeParam>();
  for (const char* const variant : {"auto", "serial.none.rem"}) {
    EXPECT_EQ(shown(components({from, to}, {.variant = variant}, {.threads = 2}).labels), both_components) << variant;
    const forest_result forest = spanning_forest({from, to}, {.variant = variant}, {.threads = 2});
    EXPECT_EQ(forest.edge_count(), 3U) << variant;
    EXPECT_EQ(shown(components(forest.edges).labels), both_components) << variant;
  }
  EXPECT_EQ(shown(spanning_forest({from, to}, {.with_labels = true}).labels.value()), both_components);
  const verdict proof = verify(graph_of({from, to}), components({from, to}).labels);
  EXPECT_TRUE(proof) << proof.reason;
}

TYPED_TEST(vectors, become_graphs_in_the_order_of_the_pairs) {
  const auto [from, to] = some_pairs<TypeParam>();
  const graph made = graph_of({from, to}, {.threads = 3});
  const auto& list = std::get<coo<std::uint32_t>>(made.shape());
  const std::vector<edge<std::uint32_t>> expected{{3, 1}, {1, 0}, {4, 2}, {1, 3}, {2, 2}};
  EXPECT_TRUE(std::ranges::equal(list.edges.span(), expected));
  EXPECT_EQ(bridges(made).edges.vertices(), 5U);
  EXPECT_EQ(bridges(made, {.simple = true}).smaller_sides.size(), 3U);
}

TYPED_TEST(vectors, carry_weights_of_any_number) {
  const auto [from, to] = some_pairs<TypeParam>();
  const auto expect_forest = [&, &from = from, &to = to](const auto& weights) {
    const weighted_graph held = graph_of({from, to}, weights);
    const auto whole = weighted_forest(held, {.goal = forest_goal::maximum});
    weighted_edge_sink sink{{.goal = forest_goal::maximum}};
    sink.add({from, to}, weights);
    const auto& arrived = sink.forest();
    ASSERT_EQ(whole.edge_count(), 3U);
    ASSERT_EQ(arrived.edge_count(), 3U);
    for (std::uint64_t i = 0; i < 3; ++i) EXPECT_EQ(whole.weights[i], arrived.weights[i]);
    cluster_options rules;
    rules.thresholds = {3};
    EXPECT_EQ(shown(cluster(held, rules).answers.front().labels), "2:2 3:3 5:5 7:3 9:5 ");
  };
  expect_forest(std::vector<double>{1, 2, 3, 4, 5});
  expect_forest(std::vector<float>{1, 2, 3, 4, 5});
  expect_forest(std::vector<int>{1, 2, 3, 4, 5});
  expect_forest(std::vector<long long>{1, 2, 3, 4, 5});
  expect_forest(std::array<unsigned long long, 5>{1, 2, 3, 4, 5});
  EXPECT_THROW(graph_of({from, to}, std::vector<double>{1}), usage_error);
}

TYPED_TEST(vectors, go_to_sinks_groups_and_comparisons) {
  const auto [from, to] = some_pairs<TypeParam>();
  group_sink groups{{.columns = 2}};
  groups.add(from, {to, from});
  EXPECT_EQ(groups.counts().rows, from.size());
  EXPECT_EQ(groups.finish().count(), 3U) << "records 7 and 5 with 3 and 5 in none of both, 9 with 5";
  const partition_comparison same = compare(from, to);
  EXPECT_EQ(same.records, from.size());
  comparison_sink by_id;
  by_id.add(labelled_by::clusters, std::vector<int>{1, 2, 3, 4, 5}, from);
  by_id.add(labelled_by::truth, std::vector<long long>{1, 2, 3, 4, 5}, to);
  EXPECT_EQ(by_id.finish().adjusted_rand_index, same.adjusted_rand_index);
  components_sink sink;
  sink.add({from, to});
  EXPECT_EQ(shown(sink.finish().labels), both_components);
}

TYPED_TEST(vectors, are_looked_up_by_their_ids) {
  const auto [from, to] = some_pairs<TypeParam>();
  const labelling labels = components({from, to}).labels;
  const auto label_text = [&](const TypeParam& id) {
    const auto label = labels.label_of(id);
    if (!label) return std::string{"none"};
    return labels.names().what() == vertex_names::kind::strings ? std::string{labels.names().string(*label)}
                                                                : std::to_string(labels.names().integer(*label));
  };
  for (const TypeParam& id : from) EXPECT_EQ(label_text(id), text_of(id) == "5" || text_of(id) == "9" ? "5" : "2");
  EXPECT_EQ(label_text(TypeParam{}), "none");
}

TYPED_TEST(vectors, become_edges_of_dynamic_graphs) {
  const auto [from, to] = some_pairs<TypeParam>();
  using id = std::conditional_t<std::is_same_v<TypeParam, std::string>, std::string_view, std::int64_t>;
  basic_dynamic<id> live{{.weights = true}};
  EXPECT_EQ(live.insert(dynamic_edges<id>({from, to}, std::vector<double>{1, 2, 3, 4, 5})).inserted, 4U);
  EXPECT_EQ(live.count(), 2U);
  EXPECT_EQ(live.erase(dynamic_edges<id>({from, to})).erased, 4U);
  using other = std::conditional_t<std::is_same_v<TypeParam, std::string>, std::int64_t, std::string_view>;
  EXPECT_THROW(dynamic_edges<other>({from, to}), usage_error);
}

TEST(integers, of_any_name_are_rows_columns_labels_and_lists) {
  const auto check = []<class Integer>(Integer) {
    const std::vector<Integer> offsets{0, 1, 3, 4, 4}, targets{1, 0, 2, 1};
    std::vector<Integer> labels(4);
    static_cast<void>(components(csr_view{as_ids(offsets), as_ids(targets)}, as_ids(labels)));
    EXPECT_EQ(labels, (std::vector<Integer>{0, 0, 0, 3}));
    const std::vector<Integer> from{2, 0}, to{3, 3};
    static_cast<void>(components(edge_columns_view{4, as_ids(from), as_ids(to)}, as_ids(labels)));
    EXPECT_EQ(labels, (std::vector<Integer>{0, 1, 0, 0}));
    const std::vector<Integer> next{1, 2, static_cast<Integer>(-1)};
    EXPECT_EQ(rank_list(as_ids(next)).ranks[0], 2U);
  };
  check(int{});
  check(unsigned{});
  check(long{});
  check(static_cast<long long>(0));
  check(static_cast<unsigned long long>(0));
}

TEST(integers, that_are_negative_are_ids_too) {
  const std::vector<long long> from{-7, 5}, to{3, -9};
  const labelling labels = components({from, to}).labels;
  EXPECT_EQ(shown(labels), "-9:-9 -7:-7 3:-7 5:-9 ");
  EXPECT_EQ(shown(components(graph_of({from, to})).labels), shown(labels));
  ASSERT_TRUE(labels.label_of(5).has_value());
  EXPECT_EQ(labels.label_of(5), labels.label_of(-9LL));
  EXPECT_FALSE(labels.label_of(-1).has_value());
  const std::vector<unsigned> plain{1}, other{2};
  EXPECT_FALSE(components({plain, other}).labels.label_of(-1).has_value());
  EXPECT_THROW(dynamic_edges<std::uint32_t>({from, to}), input_error);
  EXPECT_EQ(dynamic_edges<std::int64_t>({from, to})[0].u, -7);
}

TEST(integers, of_columns_of_different_length_are_refused) {
  const std::vector<int> from{1, 2}, to{3};
  EXPECT_NE(test::thrown<usage_error>([&] { components({from, to}); }).find("as many targets as sources, not 1 and 2"), std::string::npos);
  EXPECT_THROW(graph_of({from, to}), usage_error);
  EXPECT_THROW(dynamic_edges<std::int64_t>({from, to}), usage_error);
}

TEST(version, is_known_to_the_preprocessor) {
  static_assert(COPSE_VERSION == COPSE_VERSION_MAJOR * 10000 + COPSE_VERSION_MINOR * 100 + COPSE_VERSION_PATCH);
  EXPECT_EQ(std::string{COPSE_VERSION_TEXT},
            std::to_string(COPSE_VERSION_MAJOR) + "." + std::to_string(COPSE_VERSION_MINOR) + "." + std::to_string(COPSE_VERSION_PATCH));
}

}  // namespace
}  // namespace copse
