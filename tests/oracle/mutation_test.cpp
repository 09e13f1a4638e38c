// The oracle first: right labels of every zoo graph are accepted in every form, and every way of spoiling them is refused.
#include <copse/verify.hpp>
#include <support/labels.hpp>
#include <support/mutations.hpp>
#include <support/reference.hpp>
#include <support/zoo.hpp>

#include <gtest/gtest.h>

#include <map>

namespace copse::test {
namespace {

TEST(oracle, accepts_right_labels_in_every_form) {
  for (const zoo_graph& animal : zoo(1)) {
    const labels32 right = reference_labels(animal.edges.view());
    const std::vector<std::uint64_t> right64(right.begin(), right.end());
    const auto rows = rows_of(animal.edges, true);
    const auto one_sided = rows_of(animal.edges, false);
    for (const graph_view& view : {graph_view{animal.edges.view()}, graph_view{rows.view()}, graph_view{one_sided.view()}}) {
      const verdict narrow = verify(view, to_labelling(right));
      EXPECT_TRUE(narrow) << animal.name << ": " << narrow.reason;
      EXPECT_EQ(narrow.vertices, right.size()) << animal.name;
      EXPECT_EQ(narrow.components, roots_of(right).size()) << animal.name;
      const verdict wide = verify(view, to_labelling(right64));
      EXPECT_TRUE(wide) << animal.name << ": " << wide.reason;
    }
  }
}

TEST(oracle, refuses_every_mutation_in_every_form) {
  std::map<std::string, int> applied;
  for (const zoo_graph& animal : zoo(2)) {
    const labels32 right = reference_labels(animal.edges.view());
    const auto rows = rows_of(animal.edges, true);
    const auto one_sided = rows_of(animal.edges, false);
    for (const named_mutation& m : mutations()) {
      const auto wrong = m.apply(right);
      if (!wrong) continue;
      ++applied[m.name];
      ASSERT_NE(*wrong, right) << m.name << " of " << animal.name << " changed nothing";
      for (const graph_view& view : {graph_view{animal.edges.view()}, graph_view{rows.view()}, graph_view{one_sided.view()}}) {
        const verdict v = verify(view, to_labelling(*wrong));
        EXPECT_FALSE(v) << m.name << " of " << animal.name << " was accepted";
        EXPECT_FALSE(v.reason.empty()) << m.name << " of " << animal.name;
      }
    }
  }
  EXPECT_EQ(applied.size(), mutations().size()) << "a mutation that no graph of the zoo allows tests nothing";
}

TEST(oracle, refuses_a_change_of_any_single_label) {
  const auto graph = make_coo(7, {{0, 3}, {3, 5}, {1, 4}, {6, 6}});
  const labels32 right = reference_labels(graph.view());
  for (std::size_t v = 0; v < right.size(); ++v) {
    for (std::uint32_t label = 0; label < 9; ++label) {
      labels32 changed = right;
      changed[v] = label;
      EXPECT_EQ(static_cast<bool>(verify(graph.view(), to_labelling(changed))), changed == right)
          << "label " << label << " for vertex " << v;
    }
  }
}

TEST(oracle, accepts_one_of_all_labellings_of_four_vertices) {
  // Every graph of four vertices (64) times every labelling (256): exactly one is right, and it is the reference's.
  const std::vector<edge<std::uint32_t>> pairs{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  for (unsigned set = 0; set < 64; ++set) {
    std::vector<edge<std::uint32_t>> edges;
    for (unsigned i = 0; i < 6; ++i) {
      if ((set >> i & 1) != 0) edges.push_back(pairs[i]);
    }
    const auto graph = make_coo(4, edges);
    const labels32 right = reference_labels(graph.view());
    for (std::uint32_t code = 0; code < 256; ++code) {
      const labels32 labels{code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
      ASSERT_EQ(static_cast<bool>(verify(graph.view(), to_labelling(labels))), labels == right) << "edges " << set << ", labels " << code;
    }
  }
}

TEST(oracle, names_the_vertices_of_a_fault) {
  const auto graph = make_coo(5, {{0, 2}, {3, 4}});
  const auto reason = [&](const labels32& labels) { return verify(graph.view(), to_labelling(labels)).reason; };
  EXPECT_EQ(reason({0, 1, 2, 3, 3}), "vertices 0 and 2 are joined by an edge, but have labels 0 and 2");
  EXPECT_EQ(reason({0, 0, 0, 3, 3}), "vertex 1 has label 0, but no path joins them");
  EXPECT_EQ(reason({0, 1, 0, 3, 7}), "vertex 4 has label 7, beyond the 5 vertices");
  EXPECT_EQ(reason({2, 1, 2, 3, 3}), "vertex 0 has label 2, which is larger");
  EXPECT_EQ(reason({0, 0, 1, 3, 3}), "vertex 2 has label 1, but vertex 1 has label 0");
  EXPECT_EQ(reason({0, absent, 0, 3, 3}), "vertex 1 has no label");
  EXPECT_EQ(reason({0, absent, 1, 3, 3}), "vertex 2 has label 1, which is no vertex");
  EXPECT_EQ(reason({0, 1, 0, 3}), "4 labels for 5 vertices");
  const labelling integers{to_buffer(labels32{0, 1, 2, 3, 3}),
                           vertex_names::integers(to_buffer(std::vector<std::uint64_t>{7, 8, 9, 70, 80}))};
  EXPECT_EQ(verify(graph.view(), integers).reason, "vertices 7 and 9 are joined by an edge, but have labels 7 and 9");
  const labelling strings{to_buffer(labels32{0, 0, 0, 3, 3}), string_names({"ada", "bob", "cy", "dee", "eve"})};
  EXPECT_EQ(verify(graph.view(), strings).reason, "vertex 'bob' has label 'ada', but no path joins them");
}

TEST(oracle, refuses_an_edge_beyond_the_vertices) {
  const auto graph = make_coo(2, {{0, 5}});
  EXPECT_EQ(verify(graph.view(), to_labelling(labels32{0, 1})).reason, "an edge joins vertices 0 and 5 of a graph of 2");
}

TEST(oracle, believes_no_flag_of_rows) {
  // Rows that hold every arc once, upwards or downwards, and say they are symmetric: still the components of all arcs.
  for (const bool upwards : {true, false}) {
    auto rows = rows_of(upwards ? make_coo(5, {{0, 2}, {2, 4}, {1, 3}}) : make_coo(5, {{2, 0}, {4, 2}, {3, 1}}), false);
    rows.symmetric = symmetry::yes;
    EXPECT_TRUE(verify(rows.view(), to_labelling(labels32{0, 1, 0, 1, 0})));
    EXPECT_FALSE(verify(rows.view(), to_labelling(labels32{0, 1, 0, 1, 4})));
    EXPECT_FALSE(verify(rows.view(), to_labelling(labels32{0, 0, 0, 0, 0})));
  }
  auto beyond = rows_of(make_coo(3, {{0, 1}, {1, 2}}), true);
  beyond.targets[3] = 9;
  EXPECT_EQ(verify(beyond.view(), to_labelling(labels32{0, 0, 0})).reason, "an edge joins vertices 2 and 9 of a graph of 3");
}

TEST(oracle, judges_dense_numbers) {
  for (const zoo_graph& animal : zoo(3)) {
    const labels32 right = reference_labels(animal.edges.view());
    const auto roots = roots_of(right);
    labels32 numbers;
    for (const std::uint32_t label : right) {
      numbers.push_back(static_cast<std::uint32_t>(std::lower_bound(roots.begin(), roots.end(), label) - roots.begin()));
    }
    const auto accepted = [&](const labels32& candidate) {
      return static_cast<bool>(verify_dense(animal.edges.view(), to_labelling(candidate)));
    };
    EXPECT_TRUE(accepted(numbers)) << animal.name;
    if (numbers.empty()) continue;
    for (const named_mutation& m : mutations()) {
      const auto wrong = m.apply(numbers);
      if (!wrong || *wrong == numbers) continue;
      const std::string name = m.name;
      if (name == "dense numbers" || name == "not minimal" || name == "split all" || name.starts_with("swap") ||
          name.starts_with("detach") || name.starts_with("split") || name == "one not minimal") {
        continue;  // made for canonical labels: of numbers they may give the same numbers again
      }
      EXPECT_FALSE(accepted(*wrong)) << m.name << " of " << animal.name;
    }
    if (roots.size() >= 2) {
      labels32 exchanged = numbers;  // numbers 0 and 1 exchanged: the same partition, another order
      for (auto& number : exchanged) number = number < 2 ? 1 - number : number;
      EXPECT_FALSE(accepted(exchanged)) << animal.name;
      labels32 merged = numbers;  // the last two, still counting up
      std::ranges::replace(merged, static_cast<std::uint32_t>(roots.size() - 1), static_cast<std::uint32_t>(roots.size() - 2));
      EXPECT_FALSE(accepted(merged)) << animal.name;
    }
  }
}

}  // namespace
}  // namespace copse::test
