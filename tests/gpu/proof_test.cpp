// The proof on a GPU says what the serial one says: right labels are accepted in every form, every way of spoiling them is refused.
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/generate.hpp>
#include <support/labels.hpp>
#include <support/mutations.hpp>
#include <support/reference.hpp>
#include <support/zoo.hpp>

#include <map>
#include <string>
#include <vector>

#include "gpu/gpu.hpp"

namespace copse::test {
namespace {

/// An edge list and rows of it, with offsets of both widths, with one direction and with both.
struct forms {
  explicit forms(const coo<std::uint32_t>& edges) : list{edges.view()}, both{rows_of(edges, true)}, one_sided{rows_of(edges, false)} {
    narrow.offsets = buffer<std::uint32_t>{both.offsets.size()};
    std::copy(both.offsets.begin(), both.offsets.end(), narrow.offsets.begin());
    narrow.targets = buffer<std::uint32_t>{both.targets.size()};
    std::copy(both.targets.begin(), both.targets.end(), narrow.targets.begin());
    narrow.symmetric = symmetry::yes;
  }
  [[nodiscard]] std::vector<graph_view> all() const { return {list, both.view(), one_sided.view(), narrow.view()}; }

  coo_view<std::uint32_t> list;
  csr<std::uint32_t, std::uint64_t> both, one_sided;
  csr<std::uint32_t, std::uint32_t> narrow;
};

TEST(gpu_proof, accepts_right_labels_in_every_form) {
  COPSE_NEEDS_GPU();
  for (const zoo_graph& animal : zoo(1)) {
    const labels32 right = reference_labels(animal.edges.view());
    const forms of{animal.edges};
    for (const graph_view& view : of.all()) {
      const auto resident = gpu_graph::copy_of(view);
      const verdict found = verify(resident, to_labelling(right));
      EXPECT_TRUE(found) << animal.name << ": " << found.reason;
      EXPECT_EQ(found.vertices, right.size()) << animal.name;
      EXPECT_EQ(found.components, roots_of(right).size()) << animal.name;
    }
  }
}

TEST(gpu_proof, refuses_every_mutation_in_every_form) {
  COPSE_NEEDS_GPU();
  std::map<std::string, int> applied;
  for (const zoo_graph& animal : zoo(2)) {
    const labels32 right = reference_labels(animal.edges.view());
    const forms of{animal.edges};
    for (const graph_view& view : of.all()) {
      const auto resident = gpu_graph::copy_of(view);
      for (const named_mutation& m : mutations()) {
        const auto wrong = m.apply(right);
        if (!wrong) continue;
        ++applied[m.name];
        const verdict found = verify(resident, to_labelling(*wrong));
        EXPECT_FALSE(found) << m.name << " of " << animal.name << " was accepted";
        EXPECT_FALSE(found.reason.empty()) << m.name << " of " << animal.name;
      }
    }
  }
  EXPECT_EQ(applied.size(), mutations().size()) << "a mutation that no graph of the zoo allows tests nothing";
}

TEST(gpu_proof, names_the_vertices_of_a_fault_as_the_serial_proof_does) {
  COPSE_NEEDS_GPU();
  const auto graph = make_coo(5, {{0, 2}, {3, 4}});
  const forms of{graph};
  for (const graph_view& view : of.all()) {
    const auto resident = gpu_graph::copy_of(view);
    for (const labels32& labels : {labels32{0, 1, 2, 3, 3}, labels32{0, 0, 0, 3, 3}, labels32{0, 1, 0, 3, 7}, labels32{2, 1, 2, 3, 3},
                                   labels32{0, 0, 1, 3, 3}, labels32{0, absent, 0, 3, 3}, labels32{0, 1, 0, 3}}) {
      EXPECT_EQ(verify(resident, to_labelling(labels)).reason, verify(view, to_labelling(labels)).reason);
    }
  }
  const auto strings = string_names({"ada", "bob", "cy", "dee", "eve"});
  const labelling named{to_buffer(labels32{0, 0, 0, 3, 3}), strings};
  EXPECT_EQ(verify(gpu_graph::copy_of(graph.view()), named).reason, "vertex 'bob' has label 'ada', but no path joins them");
}

TEST(gpu_proof, believes_no_flag_of_rows) {
  COPSE_NEEDS_GPU();
  for (const bool upwards : {true, false}) {
    auto rows = rows_of(upwards ? make_coo(5, {{0, 2}, {2, 4}, {1, 3}}) : make_coo(5, {{2, 0}, {4, 2}, {3, 1}}), false);
    rows.symmetric = symmetry::yes;
    const auto resident = gpu_graph::copy_of(rows.view());
    EXPECT_TRUE(verify(resident, to_labelling(labels32{0, 1, 0, 1, 0})));
    EXPECT_FALSE(verify(resident, to_labelling(labels32{0, 1, 0, 1, 4})));
    EXPECT_FALSE(verify(resident, to_labelling(labels32{0, 0, 0, 0, 0})));
  }
  auto beyond = rows_of(make_coo(3, {{0, 1}, {1, 2}}), true);
  beyond.targets[3] = 9;
  EXPECT_EQ(verify(gpu_graph::copy_of(beyond.view()), to_labelling(labels32{0, 0, 0})).reason,
            "an edge joins vertices 2 and 9 of a graph of 3");
}

/// Graphs that fill the device: a hub, long paths, a giant, many components; and each of their labels changed at a few places.
TEST(gpu_proof, judges_large_graphs) {
  COPSE_NEEDS_GPU();
  for (const char* spec : {"star:n=300000", "path:n=500000,shuffle=1", "rmat:scale=17,edges=8", "clusters:n=300000,size=7"}) {
    const graph generated = build_csr(gen::generate(spec));
    const auto resident = gpu_graph::copy_of(generated.view());
    const auto solved = components(resident);
    const verdict found = verify(resident, solved);
    EXPECT_TRUE(found) << spec << ": " << found.reason;
    const auto reference = components(generated, {.variant = "serial.none.rem"});
    EXPECT_EQ(found.components, reference.count()) << spec;
    const auto& right = std::get<buffer<std::uint32_t>>(reference.labels.labels());
    for (const std::size_t v : {std::size_t{0}, right.size() / 3, right.size() - 1}) {
      labels32 changed(right.begin(), right.end());
      changed[v] = changed[v] == v ? static_cast<std::uint32_t>(v + 1) : static_cast<std::uint32_t>(v);
      EXPECT_FALSE(verify(resident, to_labelling(changed))) << spec << ", vertex " << v;
    }
  }
}

}  // namespace
}  // namespace copse::test
