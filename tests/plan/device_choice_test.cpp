// The device auto: which one is taken for which sizes and rates, and what is said of it.
#include <gtest/gtest.h>

#include <copse/cuda.hpp>
#include <copse/plan.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "support/fake_machine.hpp"

namespace copse::test {
namespace {

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

/// 10^9 edges between 10^8 vertices, on four threads.
plan_question long_list() {
  return {.size = {.vertices = giga / 10, .edges = giga, .slots = giga / 10},
          .threads = 4,
          .memory_bytes = 64 * giga,
          .workers = std::nullopt,
          .network_bytes_per_second = 1.25e9};
}
sized_source given(const graph_size& size) { return {.size = size, .origin = "as given"}; }

TEST(solve_plan, counts_what_more_gpus_save_where_the_link_is_the_limit) {
  if (!built_with_cuda()) GTEST_SKIP() << "this build has no GPU part";
  machine_rates rates = some_rates();  // nothing to parse: 8 GB by each link's 10 GB/s
  const solve_plan plan = make_plan(long_list(), given(long_list().size), rates, gpus_with({9 * giga, 9 * giga, 9 * giga, 9 * giga}));
  std::vector<double> seconds;
  for (const planned_way& each : plan.ways) {
    if (each.name.ends_with(" gpus")) seconds.push_back(*each.seconds);
  }
  ASSERT_EQ(seconds.size(), 3u) << "2, 3 and 4";
  EXPECT_NEAR(seconds[0], 0.74, 1e-9);
  EXPECT_NEAR(seconds[1], 0.34 + 0.8 / 3, 1e-9);
  EXPECT_NEAR(seconds[2], 0.54, 1e-9);
}

TEST(solve_plan, parsing_is_no_reason_for_a_device) {
  if (!built_with_cuda()) GTEST_SKIP() << "this build has no GPU part";
  const std::vector<gpu_facts> one = gpus_with({100 * giga});
  machine_rates text = some_rates();
  text.parse_seconds_per_edge = 20e-9;
  text.seconds_per_vertex = 5e-9;
  const solve_plan parsed = make_plan(long_list(), given(long_list().size), text, one);
  const solve_plan solved = make_plan(long_list(), given(long_list().size), some_rates(), one);
  EXPECT_EQ(parsed.auto_device, solved.auto_device);
  EXPECT_EQ(parsed.auto_reason, solved.auto_reason) << "what --explain says, which knows no rates of text";
}

}  // namespace
}  // namespace copse::test
