// What copse bench says of variants that are wrong, slow, or out of memory: none is any of these on purpose, so the measurements are
// invented.
#include "../../cli/bench_report.hpp"

#include <gtest/gtest.h>

namespace copse::cli {
namespace {

const graph_facts karate{"karate", 34, 156, 78, 0xaa, 1, 0xbb};

std::vector<measurement> measurements() {
  std::vector<measurement> all(5);
  all[0] = {.variant = "threads.none.liar",
            .input = "csr",
            .threads = 2,
            .ran = "threads.none.liar",
            .samples = {0.001},
            .turns = {0},
            .wrong_checksum = 0xcc};
  all[1] = {
      .variant = "auto", .input = "csr", .threads = 2, .ran = "serial.none.rem", .samples = {0.002, 0.004, 0.003}, .turns = {2, 1, 2}};
  all[2] = {.variant = "serial.none.late", .input = "csr", .ran = "serial.none.late", .samples = {0.03}, .screened_out = true};
  all[3] = {.variant = "serial.none.dfs", .input = "csr", .gave_up_after_seconds = 0.5};
  all[4] = {.variant = "serial.none.fat", .input = "csr", .failed = "memory limit: 9 bytes needed, 8 allowed"};
  return all;
}

TEST(bench_report, json_holds_what_was_measured_and_what_went_wrong) {
  const json graph = bench_json(karate, measurements());
  EXPECT_EQ(graph["graph_checksum"], "00000000000000aa");
  EXPECT_EQ(graph["checksum"], "00000000000000bb");
  EXPECT_EQ(
      graph["rows"][0].dump(),
      R"({"variant":"threads.none.liar","ran":"threads.none.liar","input":"csr","threads":2,)"
      R"("seconds":{"median":0.001,"min":0.001,"samples":[0.001]},"turns":[0],"screened_out":false,"wrong":true,"checksum":"00000000000000cc"})");
  EXPECT_EQ(graph["rows"][1].dump(),
            R"({"variant":"auto","ran":"serial.none.rem","input":"csr","threads":2,)"
            R"("seconds":{"median":0.003,"min":0.002,"samples":[0.002,0.004,0.003]},"turns":[2,1,2],"screened_out":false})");
  EXPECT_EQ(graph["rows"][2]["screened_out"], true);
  EXPECT_EQ(graph["rows"][3].dump(),
            R"({"variant":"serial.none.dfs","ran":"","input":"csr","threads":1,)"
            R"("seconds":{"median":null,"min":null,"samples":[]},"turns":[],"screened_out":false,"gave_up_after_seconds":0.5})");
  EXPECT_EQ(graph["rows"][4]["failed"], "memory limit: 9 bytes needed, 8 allowed");
}

TEST(bench_report, the_table_measures_by_the_best_of_the_right) {
  EXPECT_EQ(bench_table(karate, measurements()),
            "karate: 34 vertices, 78 edges, 156 arcs, 1 components\n"
            "   median ms     ratio  threads  variant\n"
            "       1.000      0.33        2  threads.none.liar  (WRONG LABELS)\n"
            "       3.000      1.00        2  auto  (ran serial.none.rem)\n"
            "      30.000     10.00        1  serial.none.late  (one screening sample)\n"
            "           -         -        1  serial.none.dfs  (gave up after 0.5 s)\n"
            "           -         -        1  serial.none.fat  (failed: memory limit: 9 bytes needed, 8 allowed)\n");
}

TEST(bench_report, variants_of_a_gpu_are_set_beside_the_floor_of_its_memory) {
  graph_facts wide{.text = "wide", .vertices = 1'000'000, .arcs = 16'000'000};
  wide.floor = {wide.vertices, wide.arcs, {.copied_bytes_per_second = 4e12, .gathers_per_second = 1e11}};
  // 4 MB offsets, 1.125 M sectors of 32 bytes, 12 MB labels; 1.125 M gathers.
  EXPECT_NEAR(wide.floor->bytes(), 52e6, 10);
  EXPECT_NEAR(wide.floor->seconds(), 13e-6, 1e-9);
  EXPECT_NEAR(wide.floor->seconds_with_gathers(), 24.25e-6, 1e-9);
  std::vector<measurement> measured(2);
  measured[0] = {.variant = "threads.none.rem", .samples = {1e-5}};
  measured[1] = {.variant = "cuda.hb.fast", .ran = "cuda.hb.fast", .launches = 6, .samples = {48.5e-6}};
  EXPECT_NE(bench_table(wide, measured)
                .find("memory floor: 0.013 ms (52.0 MB at 4.00 TB/s), 0.024 ms with 1.1 M gathers at 100 G/s; "
                      "cuda.hb.fast: 27 % of the copy's rate, 2.00 times the floor with gathers, 6 launches\n"),
            std::string::npos)
      << bench_table(wide, measured);
  const json object = bench_json(wide, measured);
  EXPECT_DOUBLE_EQ(object["memory_floor"]["gathers_per_second"], 1e11);
  EXPECT_EQ(object["rows"][1]["launches"], 6);
  EXPECT_FALSE(object["rows"][0].contains("launches"));
}

TEST(bench_report, wrong_labels_are_exit_code_1_and_no_memory_3) {
  const bench_faults both = faults_of(karate, measurements());
  EXPECT_EQ(both.exit_code, 1);
  EXPECT_EQ(both.lines,
            (std::vector<std::string>{
                "copse: karate: threads.none.liar (csr, 2 threads): found labels with checksum 00000000000000cc, expected 00000000000000bb",
                "copse: karate: serial.none.fat (csr, 1 threads): memory limit: 9 bytes needed, 8 allowed"}));
  auto less = measurements();
  less.erase(less.begin());
  EXPECT_EQ(faults_of(karate, less).exit_code, 3);
  less.pop_back();
  EXPECT_EQ(faults_of(karate, less).exit_code, 0);
  EXPECT_TRUE(faults_of(karate, less).lines.empty());
}

}  // namespace
}  // namespace copse::cli
