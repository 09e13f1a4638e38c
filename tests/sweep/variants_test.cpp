// Every variant x the zoo x seeds x thread counts x every state of the input, against breadth-first search.
#include <copse/variants.hpp>

#include <string_view>
#include <vector>

#include "support/rows.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

using variant_case = const variant_info*;

class every_variant : public ::testing::TestWithParam<variant_case> {
protected:
  void solve_all(const solved_graph& g, std::string_view state, graph_view view) {
    const auto teams = GetParam()->backend == "serial"       ? std::vector<unsigned>{1}
                       : is_pair_of_tried_parts(*GetParam()) ? std::vector<unsigned>{7}
                                                             : thread_counts();
    for (const unsigned threads : teams) {
      const auto result = components(view, {.variant = GetParam()->name, .seed = g.seed}, {.threads = threads});
      std::visit([&](const auto& labels) { EXPECT_TRUE(same_labels(labels, g)) << context(g, threads, state); }, result.labels.labels());
      EXPECT_EQ(result.report.variant, GetParam()->name);
      if (HasFailure()) return;
    }
  }

  template <class Id, class Offset>
  void solve_rows(const solved_graph& g, row_state state) {
    const auto rows = make_test_rows<Id, Offset>(g.edges.view(), state);
    solve_all(g, to_string(state), rows.view());
  }
};

coo<std::uint64_t> widened(coo_view<std::uint32_t> narrow) {
  coo<std::uint64_t> wide{narrow.vertices(), buffer<edge<std::uint64_t>>{narrow.edges.size()}};
  for (std::size_t i = 0; i < narrow.edges.size(); ++i) wide.edges[i] = {narrow.edges[i].u, narrow.edges[i].v};
  return wide;
}

TEST_P(every_variant, gives_canonical_labels) {
  if (quick() && is_pair_of_tried_parts(*GetParam())) GTEST_SKIP() << "COPSE_SWEEP=quick tries samplers with one finish of each kind";
  for (const auto& g : solved_zoo()) {
    if (is_pair_of_tried_parts(*GetParam()) && g.seed != 1) return;
    if (GetParam()->input == input_kind::coo) {
      solve_all(g, "coo", g.edges.view());
      if (g.seed == 1) solve_all(g, "coo64", widened(g.edges.view()).view());
    } else {
      solve_rows<std::uint32_t, std::uint32_t>(g, row_state::simple);
      solve_rows<std::uint32_t, std::uint32_t>(g, row_state::raw);
      if (is_pair_of_tried_parts(*GetParam())) continue;
      if (!quick()) {
        solve_rows<std::uint32_t, std::uint32_t>(g, row_state::one_sided);
        solve_rows<std::uint32_t, std::uint32_t>(g, row_state::undeclared);
        if (g.seed == 1) solve_rows<std::uint32_t, std::uint64_t>(g, row_state::simple);
      }
      if (g.seed == 1) solve_rows<std::uint64_t, std::uint64_t>(g, row_state::simple);
    }
    if (HasFailure()) return;
  }
}

// Rows of a GPU are tried in tests/gpu.
std::vector<variant_case> cpu_variants() {
  auto found = variants_matching("");
  std::erase_if(found, [](variant_case variant) { return variant->backend == "cuda"; });
  return found;
}

INSTANTIATE_TEST_SUITE_P(table, every_variant, testing::ValuesIn(cpu_variants()), [](const auto& tested) {
  return test_name(tested.param->name + (tested.param->input == input_kind::csr ? "_on_csr" : "_on_coo"));
});

}  // namespace
}  // namespace copse::test
