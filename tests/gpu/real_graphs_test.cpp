// Every cuda variant on the real graphs of shared/graphs: the oracle accepts the forest, and labels are those of sequential Rem.
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/io.hpp>
#include <copse/variants.hpp>
#include <copse/verify.hpp>

#include <filesystem>
#include <string_view>

#include "gpu/gpu.hpp"
#include "support/real_graphs.hpp"
#include "sweep/sweep.hpp"

namespace copse::test {
namespace {

class gpu_real_forest : public ::testing::TestWithParam<copse::testing::real_file> {};

TEST_P(gpu_real_forest, is_proved_by_every_variant) {
  COPSE_NEEDS_GPU();
  if (!all_graphs() && GetParam().name != std::string_view{"email-Enron.txt.gz"}) GTEST_SKIP() << "COPSE_SWEEP=all has it";
  const auto path = copse::testing::real_graphs_folder(COPSE_ROOT) / GetParam().name;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no real graphs: set COPSE_GRAPHS to a folder that has " << GetParam().name;
  const graph held = io::read_graph(path, GetParam().options), rows = build_csr(held);
  const auto answer = components(rows, {.variant = "serial.none.rem"});
  const auto labels = checksum(answer.labels);
  const auto resident_rows = gpu_graph::copy_of(rows.view(), {.problem = problem_kind::forest});
  const auto resident_input = gpu_graph::copy_of(held.view(), {.problem = problem_kind::forest});
  for (const auto& variant : variants(problem_kind::forest)) {
    const bool on_rows = variant.input == input_kind::csr;
    if (variant.backend != "cuda" || (!on_rows && held.has_rows())) continue;
    const auto forest = spanning_forest(on_rows ? resident_rows : resident_input, {.variant = variant.name, .with_labels = true});
    const auto found = forest.copy_out(rows.names());
    const verdict proved = verify_forest(held.view(), found.edges);
    ASSERT_TRUE(proved) << variant.name << ": " << proved.reason;
    ASSERT_EQ(proved.components, answer.count()) << variant.name;
    ASSERT_EQ(checksum(*found.labels), labels) << variant.name;
  }
}

INSTANTIATE_TEST_SUITE_P(index, gpu_real_forest, ::testing::ValuesIn(copse::testing::real_files()),
                         [](const auto& file) { return copse::testing::test_name_of(file.param.name); });

}  // namespace
}  // namespace copse::test
