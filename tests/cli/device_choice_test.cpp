// --device auto: which device is taken for which sizes and rates, and what is said of it; and end to end, where no GPU is.
#include <gtest/gtest.h>

#include <copse/cuda.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "../../cli/estimate.hpp"
#include "fake_machine.hpp"
#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using cli::choose_device;
using cli::device_choice;
using cli::device_question;
using cli::machine_rates;

using fake::giga;
using fake::gpus_with;
using fake::some_rates;

device_question list_of(std::uint64_t vertices, std::uint64_t edges) {
  return {.graph = {.vertices = vertices, .edges = edges, .slots = vertices}, .threads = 4};
}
device_question rows_of(std::uint64_t vertices, std::uint64_t arcs) {
  device_question asked = list_of(vertices, arcs / 2);
  asked.graph.arcs = arcs;
  return asked;
}

TEST(device_choice, says_what_the_cpu_takes_where_no_gpu_is_seen) {
  const device_choice chosen = choose_device(list_of(giga / 10, giga), some_rates(), {});
  EXPECT_EQ(chosen.device, "cpu");
  EXPECT_EQ(chosen.reason, "no GPU is seen; about 10.000 s on the CPU with 4 threads");
  device_question small = list_of(10, 20);
  small.threads = 1;
  EXPECT_EQ(choose_device(small, some_rates(), {}).reason, "no GPU is seen; less than 0.001 s on the CPU with 1 thread");
}

/// What a solve needs of a GPU is told by the GPU part.
class gpu_choice : public ::testing::Test {
protected:
  void SetUp() override {
    if (!built_with_cuda()) GTEST_SKIP() << "this build has no GPU part";
  }
};

TEST_F(gpu_choice, takes_the_gpu_for_a_long_list) {
  // 8 GB of edges and 0.4 GB of labels: 0.84 s for copies, 0.1 s to solve.
  const device_choice chosen = choose_device(list_of(giga / 10, giga), some_rates(), gpus_with({100 * giga}));
  EXPECT_EQ(chosen.device, "cuda:0");
  EXPECT_EQ(
      chosen.reason,
      "about 10.000 s on the CPU with 4 threads; about 1.240 s on cuda:0 (a list of edges in its memory): 0.300 s to start, 0.840 s for "
      "copies");
}

TEST_F(gpu_choice, leaves_rows_to_a_cpu_that_is_done_before_they_are_copied) {
  machine_rates rates = some_rates();
  rates.row_seconds_per_arc = 0.3e-9;  // 16 cores; an arc takes 0.4 ns on the link
  const device_choice chosen = choose_device(rows_of(giga / 10, 2 * giga), rates, gpus_with({100 * giga}));
  EXPECT_EQ(chosen.device, "cpu");
  EXPECT_NE(chosen.reason.find("about 0.600 s on the CPU"), std::string::npos) << chosen.reason;
  EXPECT_NE(chosen.reason.find("on cuda:0 (rows in its memory)"), std::string::npos) << chosen.reason;
  EXPECT_EQ(choose_device(rows_of(giga / 10, 2 * giga), some_rates(), gpus_with({100 * giga})).device, "cuda:0")
      << "at 1 ns an arc the GPU is ahead";
}

TEST_F(gpu_choice, counts_the_start) {
  const device_question asked = list_of(1'000'000, 50'000'000);  // 0.5 s on the CPU; 0.04 s for copies
  machine_rates rates = some_rates();
  EXPECT_EQ(choose_device(asked, rates, gpus_with({100 * giga})).device, "cuda:0");
  rates.gpu_start_seconds = 0.6;
  EXPECT_EQ(choose_device(asked, rates, gpus_with({100 * giga})).device, "cpu");
}

TEST_F(gpu_choice, counts_the_copies) {
  const device_question asked = list_of(giga / 10, giga);
  machine_rates rates = some_rates();
  rates.link_bytes_per_second = 0.8e9;  // 10.5 s
  EXPECT_EQ(choose_device(asked, rates, gpus_with({100 * giga})).device, "cpu");
}

TEST_F(gpu_choice, leaves_what_is_done_at_once_to_the_cpu_without_rates_of_a_gpu) {
  machine_rates cpu_only;
  cpu_only.near_seconds_per_edge = cpu_only.far_seconds_per_edge = 10e-9;
  const device_choice chosen = choose_device(list_of(1000, 5'000'000), cpu_only, gpus_with({100 * giga}));
  EXPECT_EQ(chosen.device, "cpu");
  EXPECT_EQ(chosen.reason, "about 0.050 s on the CPU with 4 threads, before a GPU would have started");
}

TEST_F(gpu_choice, streams_what_does_not_fit_and_stays_on_the_cpu_where_not_even_that_fits) {
  device_question asked = list_of(giga / 10, giga);
  const device_choice streamed = choose_device(asked, some_rates(), gpus_with({2 * giga}));
  EXPECT_EQ(streamed.device, "cuda:0");
  EXPECT_NE(streamed.reason.find("streamed in pieces"), std::string::npos) << streamed.reason;
  asked.gpu_memory_bytes = giga / 10;
  const device_choice none = choose_device(asked, some_rates(), gpus_with({100 * giga}));
  EXPECT_EQ(none.device, "cpu") << "--gpu-memory counts as the memory that there is";
  EXPECT_NE(none.reason.find("no GPU has the memory"), std::string::npos) << none.reason;
}

TEST_F(gpu_choice, takes_the_gpu_that_has_the_room) {
  // In the first the list would be streamed, which is sooner here: nothing waits for the last byte.
  EXPECT_EQ(choose_device(list_of(giga / 10, giga), some_rates(), gpus_with({giga / 10, 100 * giga})).device, "cuda:1");
  EXPECT_EQ(choose_device(list_of(giga / 10, giga), some_rates(), gpus_with({100 * giga, 100 * giga})).device, "cuda:0")
      << "of equals the first";
}

TEST_F(gpu_choice, keeps_wide_ids_on_the_cpu) {
  const device_choice chosen = choose_device(list_of(std::uint64_t{1} << 33, 10 * giga), some_rates(), gpus_with({100 * giga}));
  EXPECT_EQ(chosen.device, "cpu");
  EXPECT_NE(chosen.reason.find("64-bit ids do not run on a GPU"), std::string::npos) << chosen.reason;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST(device_auto, says_that_no_gpu_is_seen_and_what_the_cpu_takes) {
  if (!gpus().empty()) GTEST_SKIP() << "a GPU is on this machine";
  const workplace folder;
  folder.write("g.el", "0 1\n2 3\n");
  ASSERT_EQ(folder.run({"convert", "g.el", "g.egr"}).exit_code, 0);
  for (const char* graph : {"karate", "g.el", "g.egr"}) {
    const outcome ended = folder.run({"components", graph, "--device", "auto", "--explain", "--threads", "2"});
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_EQ(first_line(ended.err), "copse: --device auto: no GPU is seen; less than 0.001 s on the CPU with 2 threads") << graph;
    EXPECT_EQ(folder.run({"components", graph, "--device", "auto"}).err, "") << graph;
  }
  EXPECT_TRUE(folder.run({"components", "karate", "--explain"}).err.find("--device auto") == std::string::npos) << "nobody asked";
  EXPECT_EQ(folder.run({"components", "karate", "--device", "auto", "--gpu-memory", "1G"}).exit_code, 0);
  const outcome named = folder.run({"components", "karate", "--device", "auto", "--explain", "--variant", "serial.none.rem"});
  EXPECT_EQ(named.err, "") << "a variant by name has its device";
}

TEST(device_auto, solves_where_measuring_takes_more_memory_than_there_is) {
  const workplace folder;
  const outcome ended = folder.run({"components", "karate", "--device", "auto", "--explain", "--memory", "10M"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_TRUE(ended.err.starts_with("copse: --device auto: the CPU, as nothing could be measured: memory limit: ")) << ended.err;
}

TEST(device_auto, does_not_look_at_what_it_cannot_read_twice_or_cheaply) {
  const workplace folder;
  folder.write("g.el", "0 1\n2 3\n");
  ASSERT_EQ(folder.run({"convert", "g.el", "packed.el.gz"}).exit_code, 0);
  EXPECT_EQ(first_line(folder.run({"components", "packed.el.gz", "--device", "auto", "--explain"}).err),
            "copse: --device auto: the CPU, as reading the input takes longer than solving it");
}

}  // namespace
}  // namespace copse::cli_test
