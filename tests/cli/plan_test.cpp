// What copse plan says of sizes, rates and GPUs that are told: exact texts.
#include <gtest/gtest.h>

#include <copse/cuda.hpp>
#include <string>
#include <vector>

#include "../../cli/plan_report.hpp"
#include "fake_machine.hpp"

namespace copse::cli_test {
namespace {

using cli::make_plan;
using cli::plan_question;
using cli::plan_report;
using fake::giga;

/// Text takes 20 ns an edge and 5 ns a vertex, merging 5 ns a vertex.
cli::machine_rates rates_of_text() {
  cli::machine_rates rates = fake::some_rates();
  rates.parse_seconds_per_edge = 20e-9;
  rates.seconds_per_vertex = rates.merge_seconds_per_vertex = 5e-9;
  return rates;
}

plan_question long_list() {
  return {.size = {.vertices = giga / 10, .edges = giga, .slots = giga / 10},
          .threads = 4,
          .memory_bytes = 64 * giga,
          .workers = std::nullopt,
          .network_bytes_per_second = 1.25e9};
}
plan_question many_rows() {
  plan_question asked = long_list();
  asked.size.arcs = 2 * giga;
  return asked;
}

std::string text_of(const plan_question& asked, const std::vector<std::uint64_t>& gpus_free, const std::string& hidden = "") {
  return plan_text(
      make_plan(asked, "as given", asked.size.arcs == 0 ? "stream" : "held", hidden, rates_of_text(), fake::gpus_with(gpus_free)));
}
std::string line_of(const std::string& text, const std::string& begin) {
  const auto at = text.find("\n" + begin);
  return at == std::string::npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

TEST(plan_report, has_a_line_for_each_way_and_one_for_auto) {
  if (!built_with_cuda()) GTEST_SKIP() << "this build has no GPU part";
  plan_question asked = long_list();
  asked.workers = 4;
  EXPECT_EQ(
      text_of(asked, {100 * giga, 100 * giga, 1 * giga}),
      "graph       at most 100000000 vertices, 1000000000 edges, dense ids, as given\n"
      "machine     4 threads, 64.0 GB\n"
      "auto        gpu on cuda:0: about 10.000 s on the CPU with 4 threads; about 1.240 s on cuda:0 (a list of edges in its memory): "
      "0.300 s to start, 0.840 s for copies\n"
      "stream      800.0 MB on cpu, about 20.5 s: edges are united while they are parsed\n"
      "held        16.4 GB on cpu, about 30.5 s: a list of edges in memory, to be solved again and again\n"
      "4 workers   800.0 MB on cpu each, about 8.1 s: 2 rounds of the tree, 2.6 s, 800 MB sent on its longest path\n"
      "gpu         8.4 GB on cuda:0, about 21.2 s: a list of edges in its memory\n"
      "gpu stream  1.3 GB on cuda:0, about 20.3 s: the edges are streamed in pieces, none held there\n"
      "gpu         8.4 GB on cuda:1, about 21.2 s: a list of edges in its memory\n"
      "gpu stream  1.3 GB on cuda:1, about 20.3 s: the edges are streamed in pieces, none held there\n"
      "gpu         8.4 GB on cuda:2, which it does not have, about 21.2 s: a list of edges in its memory\n"
      "gpu stream  1.3 GB on cuda:2, which it does not have, about 20.3 s: the edges are streamed in pieces, none held there\n"
      "2 gpus      1.3 GB on cuda:0,1, each, about 20.3 s: the edges are streamed in pieces, none held there\n"
      "3 gpus      1.3 GB on cuda:all, each, which it does not have, about 20.3 s: the edges are streamed in pieces, none held there\n");
}

TEST(plan_report, counts_what_more_gpus_save_where_the_link_is_the_limit) {
  if (!built_with_cuda()) GTEST_SKIP() << "this build has no GPU part";
  cli::machine_rates rates = fake::some_rates();  // nothing to parse: 8 GB by each link's 10 GB/s
  const plan_report plan =
      make_plan(long_list(), "as given", "stream", "", rates, fake::gpus_with({9 * giga, 9 * giga, 9 * giga, 9 * giga}));
  std::vector<double> seconds;
  for (const cli::way& each : plan.ways) {
    if (each.name.ends_with(" gpus")) seconds.push_back(*each.seconds);
  }
  ASSERT_EQ(seconds.size(), 3u) << "2, 3 and 4";
  EXPECT_NEAR(seconds[0], 0.74, 1e-9);
  EXPECT_NEAR(seconds[1], 0.34 + 0.8 / 3, 1e-9);
  EXPECT_NEAR(seconds[2], 0.54, 1e-9);
}

TEST(plan_report, says_what_a_gpu_would_need_where_there_is_none) {
  const std::string text = text_of(long_list(), {});
  EXPECT_EQ(line_of(text, "auto "), "auto        stream on cpu: no GPU is seen; about 10.000 s on the CPU with 4 threads");
  if (!built_with_cuda()) {
    EXPECT_EQ(line_of(text, "gpu "), "gpu         this build has no GPU part");
    return;
  }
  EXPECT_EQ(line_of(text, "gpu     "), "gpu         needs 8.4 GB of a GPU, and none is seen: a list of edges in its memory");
  EXPECT_EQ(line_of(text, "gpu stream"),
            "gpu stream  needs 1.3 GB of a GPU, and none is seen: the edges are streamed in pieces, none held there");
}

TEST(plan_report, takes_the_way_and_the_device_that_auto_takes) {
  if (!built_with_cuda()) GTEST_SKIP() << "this build has no GPU part";
  const std::string fullest_first = line_of(text_of(long_list(), {2 * giga, 100 * giga}), "auto ");
  EXPECT_TRUE(fullest_first.starts_with("auto        gpu stream on cuda:0: ")) << "streaming waits for no last byte: " << fullest_first;
  const std::string full = line_of(text_of(long_list(), {giga / 10}), "auto ");
  EXPECT_EQ(full, "auto        stream on cpu: about 10.000 s on the CPU with 4 threads; no GPU has the memory for it, not even streamed");
  EXPECT_EQ(line_of(text_of(long_list(), {100 * giga}, "reading the input takes longer than solving it"), "auto "),
            "auto        stream on cpu: reading the input takes longer than solving it");
}

TEST(plan_report, parsing_is_no_reason_for_a_device) {
  if (!built_with_cuda()) GTEST_SKIP() << "this build has no GPU part";
  const std::vector<gpu_facts> one = fake::gpus_with({100 * giga});
  const plan_report parsed = make_plan(long_list(), "as given", "stream", "", rates_of_text(), one);
  const plan_report solved = make_plan(long_list(), "as given", "stream", "", fake::some_rates(), one);
  EXPECT_EQ(parsed.auto_device, solved.auto_device);
  EXPECT_EQ(parsed.auto_reason, solved.auto_reason) << "what --explain says, which knows no rates of text";
}

TEST(plan_report, of_rows_counts_arcs) {
  if (!built_with_cuda()) GTEST_SKIP() << "this build has no GPU part";
  const std::string text = text_of(many_rows(), {100 * giga});
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "graph       at most 100000000 vertices, 1000000000 edges in 2000000000 arcs of rows, dense ids, as given");
  EXPECT_EQ(line_of(text, "stream"), "") << "rows are held";
  EXPECT_EQ(line_of(text, "held"), "held        8.8 GB on cpu, about 22.5 s: rows in memory, to be solved again and again");
  EXPECT_EQ(line_of(text, "gpu     "), "gpu         9.6 GB on cuda:0, about 21.3 s: rows in its memory");
  EXPECT_NE(line_of(text, "auto ").find("about 2.000 s on the CPU"), std::string::npos) << text;
}

TEST(plan_report, as_json_has_no_seconds_of_a_device_that_is_not_there) {
  const cli::json plan = plan_json(make_plan(many_rows(), "counted", "held", "", rates_of_text(), {}));
  EXPECT_EQ(plan["arcs"], 2 * giga);
  EXPECT_EQ(plan["auto"], "held");
  EXPECT_EQ(plan["auto_device"], "cpu");
  EXPECT_EQ(plan["auto_reason"], "no GPU is seen; about 2.000 s on the CPU with 4 threads");
  EXPECT_EQ(plan["ways"][0]["fits"], true);
  const cli::json& gpu = plan["ways"].back();
  EXPECT_EQ(gpu["device"], "none");
  EXPECT_TRUE(gpu["seconds"].is_null());
  EXPECT_EQ(gpu["fits"], false);
}

}  // namespace
}  // namespace copse::cli_test
