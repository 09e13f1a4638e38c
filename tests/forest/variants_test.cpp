// Every variant of forests x the zoo x seeds x thread counts x states of the input, against the oracle. A case is a finish: its samplers
// and kinds of input are parts of it, and a failure names the variant.
#include <copse/variants.hpp>

#include <map>
#include <string>
#include <vector>

#include "forests.hpp"
#include "support/rows.hpp"

namespace copse::test {
namespace {

struct finish_case {
  std::string name;  // without the sampler
  std::vector<const variant_info*> variants;
};
void PrintTo(const finish_case& tested, std::ostream* out) { *out << tested.name; }

class every_forest : public ::testing::TestWithParam<finish_case> {
protected:
  static void prove_all(const variant_info& variant, const solved_graph& g, std::string_view state, graph_view view) {
    const auto teams = variant.backend == "serial" ? std::vector<unsigned>{1} : thread_counts();
    for (const unsigned threads : teams) {
      // Labels are one more pass after the edges: with them and without, by turns.
      const bool with_labels = (threads + g.edges.edges.size()) % 2 != 0;
      const auto found = spanning_forest(view, {.variant = variant.name, .seed = g.seed, .with_labels = with_labels}, {.threads = threads});
      EXPECT_TRUE(is_right(found, g, view)) << variant.name << ", " << context(g, threads, state);
      EXPECT_EQ(found.report.variant, variant.name);
      EXPECT_EQ(found.labels.has_value(), with_labels);
      if (HasFailure()) return;
    }
  }

  template <class Id, class Offset>
  static void prove_rows(const variant_info& variant, const solved_graph& g, row_state state) {
    const auto rows = make_test_rows<Id, Offset>(g.edges.view(), state);
    prove_all(variant, g, to_string(state), rows.view());
  }

  static void prove_states(const variant_info& variant, const solved_graph& g) {
    if (variant.input == input_kind::coo) return prove_all(variant, g, "coo", g.edges.view());
    prove_rows<std::uint32_t, std::uint32_t>(variant, g, row_state::simple);
    if (g.seed != 1) return;
    if (!quick()) {
      prove_rows<std::uint32_t, std::uint32_t>(variant, g, row_state::raw);
      prove_rows<std::uint32_t, std::uint64_t>(variant, g, row_state::one_sided);
    }
    prove_rows<std::uint64_t, std::uint64_t>(variant, g, row_state::undeclared);
  }
};

coo<std::uint64_t> widened(coo_view<std::uint32_t> narrow) {
  coo<std::uint64_t> wide{narrow.vertices(), buffer<edge<std::uint64_t>>{narrow.edges.size()}};
  for (std::size_t i = 0; i < narrow.edges.size(); ++i) wide.edges[i] = {narrow.edges[i].u, narrow.edges[i].v};
  return wide;
}

TEST_P(every_forest, is_proved) {
  for (const auto& g : solved_zoo()) {
    for (const variant_info* variant : GetParam().variants) {
      if (quick() && is_pair_of_tried_parts(*variant)) continue;
      prove_states(*variant, g);
      if (variant->input == input_kind::coo && g.seed == 1) prove_all(*variant, g, "coo64", widened(g.edges.view()).view());
      if (HasFailure()) return;
    }
  }
}

// Variants of a GPU are tried in tests/gpu.
std::vector<finish_case> finishes_of_the_cpu() {
  std::map<std::string, finish_case> cases;
  for (const auto& info : variants(problem_kind::forest)) {
    if (info.backend == "cuda") continue;
    std::string name{info.backend};
    for (const auto word : {info.finish, info.find, info.splice}) {
      if (!word.empty()) name.append(".").append(word);
    }
    cases[name].name = name;
    cases[name].variants.push_back(&info);
  }
  std::vector<finish_case> all;
  for (auto& [name, tested] : cases) all.push_back(std::move(tested));
  return all;
}

INSTANTIATE_TEST_SUITE_P(table, every_forest, testing::ValuesIn(finishes_of_the_cpu()),
                         [](const auto& tested) { return test_name(tested.param.name); });

}  // namespace
}  // namespace copse::test
