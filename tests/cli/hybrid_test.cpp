// copse components --device hybrid, copse tune, and the tables between them, as far as no GPU is needed.
#include <gtest/gtest.h>
#include <copse/cuda.hpp>

#include "../../cli/share_file.hpp"
#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

std::string complaint(const std::vector<std::string>& arguments, int exit_code = 2) {
  const workplace place;
  place.write("graph.el", "0 1\n");
  place.write("old.json", R"({"kind": "shares of copse hybrid", "version": 0})");
  place.write("shape.json", R"({"kind": "shares of copse hybrid", "version": 3, "gpu": 7})");
  place.write("other.json", R"({"kind": "something else"})");
  place.write("point.json", R"({"kind": "shares of copse hybrid", "version": 3, "gpu": "", "threads": 1, "by": {"fast": {"on_the_gpu": [],
                               "from_host": [{"vertices": 9, "arcs": 1, "scattered": 1, "share": 100, "cpu_seconds": 1, "gpu_seconds": 1, "both_seconds": 1}]}}})");
  const outcome ended = place.run(arguments);
  EXPECT_EQ(ended.exit_code, exit_code) << ended.err;
  EXPECT_EQ(ended.out, "");
  return ended.err;
}

TEST(hybrid, options_of_its_own) {
  EXPECT_EQ(complaint({"components", "graph.el", "--share", "20"}), "copse: --share: found one device, expected --device hybrid\n");
  EXPECT_EQ(complaint({"components", "graph.el", "--share", "101"}), "copse: --share: found 101, expected 0 to 100 percent\n");
  EXPECT_EQ(complaint({"components", "graph.el", "--gpu-memory", "2G"}),
            "copse: --gpu-memory: found the CPU, expected --device cuda or hybrid\n");
  EXPECT_EQ(complaint({"components", "graph.el", "--cross", "dfs"}), "copse: --cross: found dfs, expected keep|unite|min_label\n");
  EXPECT_EQ(complaint({"tune"}), "copse: --device is required (see copse tune --help)\n");
  EXPECT_EQ(complaint({"tune", "--device", "cuda"}), "copse: --device: found cuda, expected hybrid or hybrid:0\n");
}

TEST(hybrid, is_refused_by_a_build_without_the_gpu_part) {
  if (built_with_cuda()) GTEST_SKIP() << "this build has the GPU part";
  EXPECT_EQ(complaint({"components", "graph.el", "--variant", "hybrid.auto"}),
            "copse: --variant hybrid.auto: this build has no GPU part\n");
  EXPECT_EQ(complaint({"components", "graph.el", "--device", "hybrid"}),
            "copse: --device: found hybrid, expected auto or cpu: this build has no GPU part\n");
}

TEST(hybrid, does_not_go_with_everything) {
  if (!built_with_cuda()) GTEST_SKIP() << "this build has no GPU part";
  EXPECT_EQ(complaint({"components", "graph.el", "--device", "hybrid", "--variant", "omp.none.ecl"}),
            "copse: --device hybrid: found variant omp.none.ecl, expected one of hybrid\n");
  EXPECT_EQ(complaint({"components", "graph.el", "--device", "cuda", "--variant", "hybrid.auto"}),
            "copse: --device cuda: found variant hybrid.auto, expected one of cuda\n");
  EXPECT_EQ(complaint({"components", "graph.el", "--variant", "hybrid.fast.none.dfs"}),
            "copse: --variant hybrid.fast.none.dfs: cuda.none.dfs: it is for one thread only: between its load and its store nothing may "
            "change\n");
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

TEST(hybrid, tables_that_are_none) {
  if (!built_with_cuda()) GTEST_SKIP() << "this build has no GPU part";
  const auto complaint_about = [](const char* file) {
    return complaint({"components", "graph.el", "--device", "hybrid", "--shares", file});
  };
  const std::string expected = ", expected shares of copse hybrid, version 2 or 3 (copse tune writes them)\n";
  EXPECT_EQ(complaint_about("none.json"), "none.json: no such file\n");
  EXPECT_EQ(complaint_about("old.json"), "old.json: found version 0" + expected);
  EXPECT_EQ(complaint_about("other.json"), "other.json: found kind \"something else\"" + expected);
  EXPECT_EQ(complaint_about("point.json"), "point.json: found point 1 of 9 vertices" + expected);
  EXPECT_EQ(complaint_about("shape.json"), "shape.json: found JSON of another shape" + expected);
  EXPECT_EQ(complaint_about("graph.el"), "graph.el: found no JSON from byte 3 on" + expected);
}

TEST(hybrid, tables_are_read_as_they_were_written) {
  const workplace place;
  share_table table;
  table.gpu = "a \"GPU\"";
  table.threads = 16;
  table.by["fast"].from_host = {{{1 << 20, 1 << 22, .25}, 37.5, .004, .006, .003}, {{7, 8}, 1, 1e-9, 2, 3}};
  table.by["fast"].on_the_gpu = {{{1 << 20, 1 << 22, 0}, 5, .004, .0002, .0004}};
  table.by["dfs"].from_host = {{{7, 8, .5}, 20, 3, 2, 1}};
  const auto path = place.folder() / "made" / "hybrid.json";
  cli::write_shares(table, path);
  const share_table read = cli::read_shares(path);
  EXPECT_EQ(read.gpu, table.gpu);
  EXPECT_EQ(read.threads, 16u);
  const auto from_host = read.points("fast", false), on_the_gpu = read.points("fast", true);
  ASSERT_EQ(from_host.size(), 2u);
  ASSERT_EQ(on_the_gpu.size(), 1u);
  EXPECT_EQ(from_host[0].looks.vertices, 1u << 20);
  EXPECT_EQ(from_host[0].looks.arcs, 1u << 22);
  EXPECT_EQ(from_host[0].looks.scattered, .25);
  EXPECT_EQ(from_host[0].share, 37.5);
  EXPECT_EQ(from_host[1].cpu_seconds, 1e-9);
  EXPECT_EQ(on_the_gpu[0].both_seconds, .0004);
  ASSERT_EQ(read.points("dfs", false).size(), 1u);
  EXPECT_EQ(read.points("dfs", false)[0].share, 20);
  EXPECT_TRUE(read.points("dfs", true).empty());
  EXPECT_TRUE(read.points("bfs", false).empty());
  cli::write_shares(table, place.folder() / "made" / "shapes.inc");
  EXPECT_EQ(place.read("made/shapes.inc"),
            "// a \"GPU\", 16 threads\n{\"a \\\"GPU\\\"\", 16,\n"
            " {{\"dfs\",\n  {{{{7, 8, 0.5}, 20.0, 3, 2, 1}},\n   {}}},\n"
            "  {\"fast\",\n  {{{{1048576, 4194304, 0.25}, 37.5, 0.004, 0.006, 0.003},\n    {{7, 8, 1}, 1.0, 1e-09, 2, 3}},\n"
            "   {{{1048576, 4194304, 0}, 5.0, 0.004, 0.0002, 0.0004}}}}}},\n");
}

}  // namespace
}  // namespace copse::cli_test
