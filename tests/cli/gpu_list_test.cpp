// What copse info --device says of GPUs, and of a graph on them; and copse components on a GPU, where there is one.
#include <gtest/gtest.h>

#include <copse/build.hpp>
#include <copse/cuda.hpp>
#include <copse/generate.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>
#include "../../cli/gpu_list.hpp"

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using cli::gpu_needs;

const std::vector<gpu_facts> two_gpus{{0, "Small", 7, 0, 80, 4000, 1000}, {1, "Large", 9, 0, 132, 2'000'000'000, 1'000'000}};

TEST(gpu_list, says_which_gpu_a_graph_fits) {
  EXPECT_EQ(cli::gpu_list_text(two_gpus, nullptr),
            "cuda:0      Small, capability 7.0, 80 multiprocessors, 1.0 kB free of 4.0 kB\n"
            "cuda:1      Large, capability 9.0, 132 multiprocessors, 1.0 MB free of 2.0 GB\n");
  const gpu_needs needs{1500};
  EXPECT_EQ(cli::gpu_list_text(two_gpus, &needs),
            "cuda:0      Small, capability 7.0, 80 multiprocessors, 1.0 kB free of 4.0 kB; the graph does not fit (1.5 kB needed)\n"
            "cuda:1      Large, capability 9.0, 132 multiprocessors, 1.0 MB free of 2.0 GB; the graph fits (1.5 kB needed)\n");
  const auto list = cli::gpu_list_json(two_gpus, &needs);
  EXPECT_EQ(list[0]["fits"], false);
  EXPECT_EQ(list[0]["needed_bytes"], 1500);
  EXPECT_EQ(list[1]["fits"], true);
  EXPECT_FALSE(cli::gpu_list_json(two_gpus, nullptr)[1].contains("fits"));
  const gpu_needs exact{1000};
  EXPECT_EQ(cli::gpu_list_json(two_gpus, &exact)[0]["fits"], true);
}

TEST(gpu_list, says_that_wide_ids_run_on_the_cpu) {
  const gpu_needs wide = cli::needs_on_gpu(graph_view{coo_view<std::uint64_t>{}});
  EXPECT_TRUE(cli::gpu_list_text(two_gpus, &wide).ends_with("2.0 GB; the graph has 64-bit ids, which run on the CPU only\n"));
  EXPECT_EQ(cli::gpu_list_json(two_gpus, &wide)[1]["fits"], false);
  EXPECT_TRUE(cli::gpu_list_json(two_gpus, &wide)[1]["needed_bytes"].is_null());
}

TEST(gpu_list, knows_what_a_graph_needs) {
  if (!built_with_cuda()) GTEST_SKIP() << "this build has no GPU part";
  // A list of 8 edges of 9 vertices: the edges and the labels.
  EXPECT_EQ(cli::needs_on_gpu(gen::generate_edges("star:n=9").view()).bytes, 8 * 8 + 9 * 4u);
  // Rows: 10 offsets, 16 or 72 targets, 9 labels; and the list that the fast path keeps where it samples.
  EXPECT_EQ(cli::needs_on_gpu(build_csr(gen::generate_edges("star:n=9")).view()).bytes, 4 * (10 + 16 + 9 + 9u));
  EXPECT_EQ(cli::needs_on_gpu(build_csr(gen::generate_edges("complete:n=9")).view()).bytes, 4 * (10 + 72 + 9 + 9u));
}

TEST(gpu_components, solves_all_trials_on_one_copy_and_proves_the_labels_there) {
  if (gpus().empty()) GTEST_SKIP() << "no GPU on this machine";
  const workplace folder;
  for (const char* device : {"cuda", "cuda:0"}) {
    const auto answer = nlohmann::json::parse(
        folder.output({"components", "rmat:scale=14,edges=8", "--device", device, "--trials", "3", "--verify", "--json"}));
    EXPECT_EQ(answer["device"], "cuda:0");
    EXPECT_EQ(answer["verified"], true);
    EXPECT_EQ(answer["solve_seconds_all"].size(), 3u);
    EXPECT_GT(answer["seconds"]["copy"], 0);
    const auto expected = nlohmann::json::parse(folder.run({"components", "rmat:scale=14,edges=8", "--json"}).out);
    for (const char* fact : {"vertices", "edges", "components", "largest", "isolated", "checksum", "histogram"}) {
      EXPECT_EQ(answer[fact], expected[fact]) << fact;
    }
  }
}

}  // namespace
}  // namespace copse::cli_test
