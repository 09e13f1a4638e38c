// --device auto end to end, where there is no GPU.
#include <gtest/gtest.h>

#include <copse/cuda.hpp>
#include <string>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

TEST(device_auto, says_that_no_gpu_is_seen_and_what_the_cpu_takes) {
  if (!gpus().empty()) GTEST_SKIP() << "a GPU is on this machine";
  const workplace folder;
  folder.write("g.el", "0 1\n2 3\n");
  ASSERT_EQ(folder.run({"convert", "g.el", "g.egr"}).exit_code, 0);
  for (const char* graph : {"karate", "g.el", "g.egr"}) {
    const outcome ended = folder.run({"components", graph, "--device", "auto", "--explain", "--threads", "2"});
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_TRUE(ended.err.starts_with("copse: device auto: no GPU is seen; less than 0.001 s on the CPU with 2 threads; ")) << ended.err;
    EXPECT_EQ(folder.run({"components", graph, "--device", "auto"}).err, "") << graph;
  }
  EXPECT_TRUE(folder.run({"components", "karate", "--explain"}).err.find("device auto") == std::string::npos) << "nobody asked";
  EXPECT_EQ(folder.run({"components", "karate", "--device", "auto", "--gpu-memory", "1G"}).exit_code, 0);
  const outcome named = folder.run({"components", "karate", "--device", "auto", "--explain", "--variant", "serial.none.rem"});
  EXPECT_EQ(named.err, "") << "a variant by name has its device";
}

TEST(device_auto, solves_where_measuring_takes_more_memory_than_there_is) {
  const workplace folder;
  const outcome ended = folder.run({"components", "karate", "--device", "auto", "--explain", "--memory", "10M"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_TRUE(ended.err.starts_with("copse: device auto: the CPU, as nothing could be measured: memory limit: ")) << ended.err;
}

TEST(device_auto, does_not_look_at_what_it_cannot_read_twice_or_cheaply) {
  const workplace folder;
  folder.write("g.el", "0 1\n2 3\n");
  ASSERT_EQ(folder.run({"convert", "g.el", "packed.el.gz"}).exit_code, 0);
  const outcome ended = folder.run({"components", "packed.el.gz", "--device", "auto", "--explain"});
  EXPECT_TRUE(ended.err.starts_with("copse: device auto: the CPU, as reading the input takes longer than solving it; ")) << ended.err;
}

}  // namespace
}  // namespace copse::cli_test
