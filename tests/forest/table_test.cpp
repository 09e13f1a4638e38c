// The variants of forests: exactly these, and a reason for each that components have and forests do not.
#include <gtest/gtest.h>
#include <copse/cuda.hpp>
#include <copse/variants.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace copse::test {
namespace {

constexpr auto forest = problem_kind::forest;

std::ptrdiff_t variant_count(std::string_view backend, input_kind input) {
  return std::ranges::count_if(variants(forest), [&](const auto& v) { return v.backend == backend && v.input == input; });
}

TEST(forest_table, has_exactly_these_variants) {
  // Unites with a find: async, hooks, early, ecl 4 each, jtb 2. rem_cas and rem_lock: 4 finds x 2 splices that move no subtree. Alone: ecl,
  // afforest. For one thread splice_atomic (3 finds each), rem and union_find too.
  constexpr int unites = 18 + 2 * 8 + 2, serial_unites = unites + 2 * 3 + 2;
  constexpr int samplers = 8, edge_list_samplers = 2;
  EXPECT_EQ(variant_count("serial", input_kind::csr), serial_unites * samplers);
  EXPECT_EQ(variant_count("serial", input_kind::coo), serial_unites * edge_list_samplers);
  EXPECT_EQ(variant_count("threads", input_kind::csr), unites * samplers);
  EXPECT_EQ(variant_count("threads", input_kind::coo), unites * edge_list_samplers);
  // A GPU has two variants more: the fast path, sampled and not.
  EXPECT_EQ(variant_count("cuda", input_kind::csr), built_with_cuda() ? unites * samplers + 2 : 0);
  EXPECT_EQ(variant_count("cuda", input_kind::coo), built_with_cuda() ? unites * edge_list_samplers : 0);
  EXPECT_EQ(variants(forest).size(), 352u + 88u + 288u + 72u + (built_with_cuda() ? 290u + 72u : 0u));
}

TEST(forest_table, has_the_228_variants_of_the_plan_on_every_backend) {
  const std::vector<std::string> finds{"naive", "compress", "split", "halve"};
  std::vector<std::string> finishes{"jtb.naive", "jtb.two_try_split"};
  for (const std::string unite : {"async", "hooks", "early", "ecl", "afforest"}) {
    for (const auto& find : finds) finishes.push_back(unite == "afforest" && find == "naive" ? unite : unite + "." + find);
  }
  for (const std::string unite : {"rem_cas", "rem_lock"}) {
    for (const auto& find : finds) {
      for (const std::string splice : {"halve_one", "split_one"}) finishes.push_back(unite + "." + find + "." + splice);
    }
  }
  for (const std::string backend : {"serial", "threads", "cuda"}) {
    if (backend == "cuda" && !built_with_cuda()) continue;
    std::set<std::pair<std::string, input_kind>> found;
    for (const auto& finish : finishes) {
      for (const std::string sampler : {"none", "kout", "hb", "bfs"})
        found.emplace(backend + "." + sampler + "." + finish, input_kind::csr);
      for (const std::string sampler : {"none", "stages"}) found.emplace(backend + "." + sampler + "." + finish, input_kind::coo);
    }
    EXPECT_EQ(found.size(), 228u);
    for (const auto& [name, input] : found) EXPECT_NE(find_variant(name, input, forest), nullptr) << name;
  }
}

TEST(forest_table, variants_are_variants_of_components_too_with_a_slot_more) {
  for (const auto& variant : variants(forest)) {
    EXPECT_EQ(variant.problem, forest);
    EXPECT_EQ(find_variant(variant.name, variant.input, forest), &variant);
    const variant_info* const same = find_variant(variant.name, variant.input);
    ASSERT_NE(same, nullptr) << variant.name;
    EXPECT_EQ(same->problem, problem_kind::components);
    EXPECT_EQ(same->aux_bytes_per_vertex + 8, variant.aux_bytes_per_vertex) << variant.name;
  }
}

TEST(forest_table, refuses_all_other_variants_of_components_with_a_reason) {
  std::size_t refused = 0;
  for (const auto& variant : variants()) {
    if (find_variant(variant.name, variant.input, forest) != nullptr) continue;
    const auto reason = refusal(variant.name, variant.input, forest);
    ASSERT_TRUE(reason.has_value()) << variant.name;
    EXPECT_TRUE(reason->starts_with(variant.name + ": ")) << *reason;
    EXPECT_GT(reason->size(), variant.name.size() + 20) << *reason;
    ++refused;
  }
  EXPECT_EQ(refused, variants().size() - variants(forest).size());
}

TEST(forest_table, says_why) {
  const auto why = [](const std::string& name, input_kind input) {
    const auto reason = refusal(name, input, forest);
    return reason && reason->starts_with(name + ": ") ? reason->substr(name.size() + 2) : reason.value_or("valid");
  };
  const std::string rounds = "several edges may hook the same root in one round, so it is not known which of them made the link";
  const std::string leaves = "a vertex may leave its tree, so no root dies for exactly one edge";
  const std::string outside = "it makes links outside a union-find rule, and nothing tells each of them once";
  EXPECT_EQ(why("threads.none.rem_cas.naive.splice_atomic", input_kind::csr),
            "splice_atomic moves a subtree before its root is joined: one edge can be recorded twice and another lost");
  EXPECT_EQ(why("serial.none.rem_cas.naive.splice_atomic", input_kind::csr), "valid");
  EXPECT_EQ(why("threads.none.shiloach_vishkin", input_kind::csr), rounds);
  EXPECT_EQ(why("threads.none.liu_tarjan.PRS", input_kind::coo), rounds);
  EXPECT_EQ(why("serial.none.sv_updt", input_kind::coo), rounds);
  EXPECT_EQ(why("threads.none.liu_tarjan.PUS", input_kind::csr), leaves);
  EXPECT_EQ(why("threads.hb.stergiou", input_kind::csr), leaves);
  EXPECT_EQ(why("threads.hb.label_propagation", input_kind::csr), leaves);
  EXPECT_EQ(why("serial.none.dfs", input_kind::csr), leaves);
  EXPECT_EQ(why("threads.none.rem_verify", input_kind::csr), outside);
  EXPECT_EQ(why("threads.none.segments", input_kind::coo), outside);
  EXPECT_EQ(why("threads.none.ecl_cc", input_kind::csr), outside);
  EXPECT_EQ(why("threads.none.fast", input_kind::csr), "the fast path joins vertices that no edge joins");
  EXPECT_EQ(why("cuda.hb.fast", input_kind::csr), built_with_cuda() ? "valid" : "this build has no GPU part");
  EXPECT_EQ(why("threads.none.rem", input_kind::csr), "it is for one thread only: between its load and its store nothing may change");
  EXPECT_EQ(why("threads.kout.async.naive", input_kind::coo), "an edge list has no rows to sample arcs from");
  EXPECT_EQ(why("threads.stages.async.naive", input_kind::csr), "it regroups an edge list; rows have samplers of their own");
}

}  // namespace
}  // namespace copse::test
