// One variant of each kind on all of shared/graphs, and every variant on one of them, or on all where time does not matter: the oracle
// accepts the forest.
#include <copse/copse.hpp>

#include <filesystem>
#include <string>
#include <string_view>

#include "forests.hpp"
#include "support/real_graphs.hpp"

namespace copse::test {
namespace {

using copse::testing::real_file;

class real_forest : public ::testing::TestWithParam<real_file> {};

void expect_forest(const graph& g, const std::string& variant, std::uint64_t components) {
  for (const unsigned threads : {1u, 2u, 7u}) {
    if (threads > 1 && variant.starts_with("serial")) break;
    const auto found = spanning_forest(g, {.variant = variant}, {.threads = threads});
    const verdict proved = verify_forest(g.view(), found.edges);
    EXPECT_TRUE(proved) << variant << ", " << threads << " threads: " << proved.reason;
    EXPECT_EQ(found.count(), components) << variant << ", " << threads << " threads";
  }
}

std::filesystem::path path_of(const real_file& file) { return copse::testing::real_graphs_folder(COPSE_ROOT) / file.name; }
bool is_enron(const real_file& file) { return file.name == std::string_view{"email-Enron.txt.gz"}; }

TEST_P(real_forest, is_proved) {
  if (quick() && !is_enron(GetParam())) GTEST_SKIP() << "COPSE_SWEEP=quick tries one file";
  const auto path = path_of(GetParam());
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no real graphs: set COPSE_GRAPHS to a folder that has " << GetParam().name;
  const graph held = io::read_graph(path, GetParam().options);
  const graph rows = build_csr(held);
  const auto components = copse::components(held).count();
  for (const std::string variant :
       {"auto", "serial.none.rem", "threads.hb.rem_cas.naive.halve_one", "threads.kout.async.halve", "threads.bfs.ecl",
        "threads.ldd.jtb.two_try_split", "threads.none.afforest", "threads.kout_maxdeg.hooks.split"}) {
    expect_forest(rows, variant, components);
  }
  if (!held.has_rows()) {
    for (const std::string variant : {"auto", "threads.none.early.naive", "threads.stages.rem_lock.compress.split_one"}) {
      expect_forest(held, variant, components);
    }
  }
}

TEST_P(real_forest, is_proved_by_every_variant) {
  if (quick() || (!all_graphs() && !is_enron(GetParam()))) GTEST_SKIP() << "COPSE_SWEEP=all has it";
  const auto path = path_of(GetParam());
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no real graphs: set COPSE_GRAPHS to a folder that has " << GetParam().name;
  const graph held = io::read_graph(path, GetParam().options), rows = build_csr(held);
  const auto components = copse::components(held).count();
  for (const auto& variant : variants(problem_kind::forest)) {
    if (variant.backend == "cuda" || (variant.input == input_kind::coo && held.has_rows())) continue;
    const graph& g = variant.input == input_kind::csr ? rows : held;
    const auto found = spanning_forest(g, {.variant = variant.name}, {.threads = 2});
    const verdict proved = verify_forest(g.view(), found.edges);
    ASSERT_TRUE(proved) << variant.name << ": " << proved.reason;
    ASSERT_EQ(found.count(), components) << variant.name;
  }
}

INSTANTIATE_TEST_SUITE_P(index, real_forest, ::testing::ValuesIn(copse::testing::real_files()),
                         [](const auto& file) { return copse::testing::test_name_of(file.param.name); });

}  // namespace
}  // namespace copse::test
