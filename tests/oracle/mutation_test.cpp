// The oracle first: right labels of every zoo graph are accepted in every form, and every way of spoiling them is refused.
#include <copse/verify.hpp>
#include <support/labels.hpp>
#include <support/reference.hpp>
#include <support/zoo.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <set>

namespace copse::test {
namespace {

using labels32 = std::vector<std::uint32_t>;
using mutation = std::function<std::optional<labels32>(const coo<std::uint32_t>&, labels32)>;  // nothing: the graph has no such fault

constexpr std::uint32_t absent = no_vertex<std::uint32_t>;

std::vector<std::uint32_t> roots_of(const labels32& labels) {
  const std::set<std::uint32_t> distinct(labels.begin(), labels.end());
  return {distinct.begin(), distinct.end()};
}

/// A vertex that is not its own label, from the end: its component has at least two vertices.
std::optional<std::uint32_t> last_member(const labels32& labels) {
  for (std::size_t v = labels.size(); v-- > 0;) {
    if (labels[v] != v) return static_cast<std::uint32_t>(v);
  }
  return std::nullopt;
}

labels32 relabel(labels32 labels, std::uint32_t from, std::uint32_t to) {
  std::ranges::replace(labels, from, to);
  return labels;
}

std::optional<labels32> detach_vertex_0(const coo<std::uint32_t>&, labels32 labels) {
  // The rest of its component gets its smallest vertex as the label: all else is canonical.
  if (labels.empty()) return std::nullopt;
  const auto next = std::find(labels.begin() + 1, labels.end(), 0u);
  if (next == labels.end()) return std::nullopt;
  labels = relabel(labels, 0, static_cast<std::uint32_t>(next - labels.begin()));
  labels[0] = 0;
  return labels;
}

std::optional<labels32> detach_last_member(const coo<std::uint32_t>&, labels32 labels) {
  const auto member = last_member(labels);
  if (!member) return std::nullopt;
  labels[*member] = *member;
  return labels;
}

std::optional<labels32> swap_two_labels(const coo<std::uint32_t>&, labels32 labels) {
  for (std::size_t v = 1; v < labels.size(); ++v) {
    if (labels[v] != labels[0]) {
      std::swap(labels[0], labels[v]);
      return labels;
    }
  }
  return std::nullopt;
}

std::optional<labels32> swap_two_members(const coo<std::uint32_t>&, labels32 labels) {
  // Members only, no roots: every label stays its own smallest vertex, only the edges can tell.
  const auto late = last_member(labels);
  if (!late) return std::nullopt;
  for (std::uint32_t v = 0; v < labels.size(); ++v) {
    if (labels[v] != v && labels[v] != labels[*late] && labels[*late] < v) {
      std::swap(labels[v], labels[*late]);
      return labels;
    }
  }
  return std::nullopt;
}

std::optional<labels32> merge_first_two(const coo<std::uint32_t>&, labels32 labels) {
  const auto roots = roots_of(labels);
  if (roots.size() < 2) return std::nullopt;
  return relabel(std::move(labels), roots[1], roots[0]);
}

std::optional<labels32> merge_last_two(const coo<std::uint32_t>&, labels32 labels) {
  const auto roots = roots_of(labels);
  if (roots.size() < 2) return std::nullopt;
  return relabel(std::move(labels), roots.back(), roots[roots.size() - 2]);
}

std::optional<labels32> merge_all(const coo<std::uint32_t>&, labels32 labels) {
  if (roots_of(labels).size() < 2) return std::nullopt;
  return labels32(labels.size(), 0);
}

std::optional<labels32> split_largest_half(const coo<std::uint32_t>&, labels32 labels) {
  // The upper half of a component becomes one of its own, canonically labelled.
  const auto late = last_member(labels);
  if (!late) return std::nullopt;
  std::vector<std::uint32_t> members;
  for (std::uint32_t v = 0; v < labels.size(); ++v) {
    if (labels[v] == labels[*late]) members.push_back(v);
  }
  for (std::size_t i = members.size() / 2; i < members.size(); ++i) labels[members[i]] = members[members.size() / 2];
  return labels;
}

std::optional<labels32> split_all(const coo<std::uint32_t>&, labels32 labels) {
  if (!last_member(labels)) return std::nullopt;
  for (std::uint32_t v = 0; v < labels.size(); ++v) labels[v] = v;
  return labels;
}

std::optional<labels32> out_of_range(const coo<std::uint32_t>&, labels32 labels) {
  if (labels.empty()) return std::nullopt;
  labels.back() = static_cast<std::uint32_t>(labels.size());
  return labels;
}

std::optional<labels32> far_out_of_range(const coo<std::uint32_t>&, labels32 labels) {
  if (labels.empty()) return std::nullopt;
  labels.front() = absent - 1;
  return labels;
}

std::optional<labels32> not_minimal(const coo<std::uint32_t>&, labels32 labels) {
  // The largest vertex of a component stands for it: the partition is right, the labels are not canonical.
  const auto late = last_member(labels);
  if (!late) return std::nullopt;
  const std::uint32_t canonical = labels[*late];
  return relabel(std::move(labels), canonical, *late);
}

std::optional<labels32> one_not_minimal(const coo<std::uint32_t>&, labels32 labels) {
  // The last member points to another member, not to the root.
  const auto late = last_member(labels);
  if (!late) return std::nullopt;
  for (std::uint32_t v = 0; v < *late; ++v) {
    if (labels[v] == labels[*late] && labels[v] != v) {
      labels[*late] = v;
      return labels;
    }
  }
  return std::nullopt;
}

std::optional<labels32> all_plus_one(const coo<std::uint32_t>&, labels32 labels) {
  if (labels.empty()) return std::nullopt;
  for (auto& label : labels) ++label;
  return labels;
}

std::optional<labels32> all_minus_one(const coo<std::uint32_t>&, labels32 labels) {
  if (labels.empty()) return std::nullopt;
  for (auto& label : labels) --label;
  return labels;
}

std::optional<labels32> shifted_by_one_place(const coo<std::uint32_t>&, labels32 labels) {
  if (labels.size() < 2) return std::nullopt;
  labels32 shifted = labels;
  std::rotate(shifted.begin(), shifted.begin() + 1, shifted.end());
  return shifted == labels ? std::nullopt : std::optional{shifted};
}

std::optional<labels32> one_absent(const coo<std::uint32_t>&, labels32 labels) {
  if (labels.empty()) return std::nullopt;
  labels[labels.size() / 2] = absent;
  return labels;
}

std::optional<labels32> root_absent(const coo<std::uint32_t>&, labels32 labels) {
  if (labels.empty()) return std::nullopt;
  labels[0] = absent;
  return labels;
}

std::optional<labels32> one_missing(const coo<std::uint32_t>&, labels32 labels) {
  if (labels.empty()) return std::nullopt;
  labels.pop_back();
  return labels;
}

std::optional<labels32> one_too_many(const coo<std::uint32_t>&, labels32 labels) {
  labels.push_back(static_cast<std::uint32_t>(labels.size()));
  return labels;
}

std::optional<labels32> dense_numbers(const coo<std::uint32_t>&, labels32 labels) {
  const auto roots = roots_of(labels);
  labels32 numbers;
  for (const std::uint32_t label : labels) {
    numbers.push_back(static_cast<std::uint32_t>(std::lower_bound(roots.begin(), roots.end(), label) - roots.begin()));
  }
  return numbers == labels ? std::nullopt : std::optional{numbers};
}

struct named_mutation {
  const char* name;
  mutation apply;
};

const std::vector<named_mutation>& mutations() {
  static const std::vector<named_mutation> all{{"detach vertex 0", detach_vertex_0},
                                               {"detach the last member", detach_last_member},
                                               {"swap two labels", swap_two_labels},
                                               {"swap two members", swap_two_members},
                                               {"merge the first two", merge_first_two},
                                               {"merge the last two", merge_last_two},
                                               {"merge all", merge_all},
                                               {"split one in halves", split_largest_half},
                                               {"split all", split_all},
                                               {"out of range by one", out_of_range},
                                               {"far out of range", far_out_of_range},
                                               {"not minimal", not_minimal},
                                               {"one not minimal", one_not_minimal},
                                               {"off by one up", all_plus_one},
                                               {"off by one down", all_minus_one},
                                               {"off by one place", shifted_by_one_place},
                                               {"one absent", one_absent},
                                               {"root absent", root_absent},
                                               {"one missing", one_missing},
                                               {"one too many", one_too_many},
                                               {"dense numbers", dense_numbers}};
  return all;
}

/// Rows of an edge list, made here: each edge in both rows, or in that of its first end only.
csr<std::uint32_t, std::uint64_t> rows_of(const coo<std::uint32_t>& list, bool both) {
  std::vector<std::vector<std::uint32_t>> rows(list.vertex_count);
  for (const edge<std::uint32_t> e : list.edges) {
    rows[e.u].push_back(e.v);
    if (both) rows[e.v].push_back(e.u);
  }
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> targets;
  for (const auto& row : rows) {
    targets.insert(targets.end(), row.begin(), row.end());
    offsets.push_back(targets.size());
  }
  csr<std::uint32_t, std::uint64_t> result;
  result.offsets = to_buffer(offsets);
  result.targets = to_buffer(targets);
  result.symmetric = both ? symmetry::yes : symmetry::no;
  return result;
}

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
      const auto wrong = m.apply(animal.edges, right);
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
      const auto wrong = m.apply(animal.edges, numbers);
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
