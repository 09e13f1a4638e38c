// copse components --device hybrid, as far as no GPU is needed.
#include <gtest/gtest.h>
#include <copse/cuda.hpp>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

std::string complaint(const std::vector<std::string>& arguments, int exit_code = 2) {
  const workplace place;
  place.write("graph.el", "0 1\n");
  const outcome ended = place.run(arguments);
  EXPECT_EQ(ended.exit_code, exit_code) << ended.err;
  EXPECT_EQ(ended.out, "");
  return ended.err;
}

TEST(hybrid, options_of_its_own) {
  EXPECT_EQ(complaint({"components", "graph.el", "--share", "20"}), "copse: --share needs --device hybrid\n");
  EXPECT_EQ(complaint({"components", "graph.el", "--share", "101"}), "copse: --share takes 0 to 100 percent, not 101\n");
  EXPECT_EQ(complaint({"components", "graph.el", "--gpu-memory", "2G"}), "copse: --gpu-memory needs --device cuda or hybrid\n");
  EXPECT_EQ(complaint({"components", "graph.el", "--cross", "dfs"}), "copse: --cross takes keep, unite or min_label, not dfs\n");
}

TEST(hybrid, is_refused_by_a_build_without_the_gpu_part) {
  if (built_with_cuda()) GTEST_SKIP() << "this build has the GPU part";
  EXPECT_EQ(complaint({"components", "graph.el", "--variant", "hybrid.auto"}),
            "copse: --variant hybrid.auto: hybrid.auto: this build has no GPU part (copse variants lists all)\n");
  EXPECT_EQ(complaint({"components", "graph.el", "--device", "hybrid"}),
            "copse: --device takes auto or cpu, not hybrid: this build has no GPU part\n");
}

TEST(hybrid, does_not_go_with_everything) {
  if (!built_with_cuda()) GTEST_SKIP() << "this build has no GPU part";
  EXPECT_EQ(complaint({"components", "graph.el", "--device", "hybrid", "--variant", "threads.none.ecl"}),
            "copse: device hybrid needs a variant of hybrid or auto, not threads.none.ecl\n");
  EXPECT_EQ(complaint({"components", "graph.el", "--device", "cuda", "--variant", "hybrid.auto"}),
            "copse: device cuda needs a variant of cuda or auto, not hybrid.auto\n");
  EXPECT_EQ(
      complaint({"components", "graph.el", "--variant", "hybrid.fast.none.dfs"}),
      "copse: --variant hybrid.fast.none.dfs: hybrid.fast.none.dfs: cuda.none.dfs: it is for one thread only: between its load and its "
      "store nothing may change (copse variants lists all)\n");
  EXPECT_EQ(complaint({"forest", "graph.el", "--variant", "hybrid.auto"}),
            "copse: --variant hybrid.auto: hybrid.auto: the CPU and a GPU together find components only (copse variants --problem forest "
            "lists all)\n");
  if (gpus().empty()) {
    EXPECT_TRUE(complaint({"components", "graph.el", "--device", "hybrid"}, 3).starts_with("copse: cuda: found no GPU ("));
    EXPECT_TRUE(
        complaint({"components", "graph.el", "--device", "hybrid", "--share", "100"}, 3).starts_with("copse: cuda: found no GPU ("));
  }
  const workplace place;
  const outcome listed = place.run({"variants", "hybrid.dfs.none.ecl_*"});
  EXPECT_EQ(listed.out, "hybrid.dfs.none.ecl_cc\nhybrid.dfs.none.ecl_af\n");
}

}  // namespace
}  // namespace copse::cli_test
