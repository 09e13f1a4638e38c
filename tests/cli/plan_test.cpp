// What copse plan says of sizes, rates and GPUs that are told: exact texts.
#include <gtest/gtest.h>

#include <copse/cuda.hpp>
#include <string>
#include <vector>

#include "../../cli/plan_report.hpp"
#include "support/fake_machine.hpp"

namespace copse::cli_test {
namespace {

using cli::plan_json;
using cli::plan_text;
using test::fake::giga;
namespace fake = test::fake;

/// Text takes 20 ns an edge and 5 ns a vertex, merging 5 ns a vertex.
machine_rates rates_of_text() {
  machine_rates rates = fake::some_rates();
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
  const sized_source source{.size = asked.size, .origin = "as given", .streamed = asked.size.arcs == 0, .hidden = hidden};
  return plan_text(make_plan(asked, source, rates_of_text(), fake::gpus_with(gpus_free)));
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
  const cli::json plan =
      plan_json(make_plan(many_rows(), {.size = many_rows().size, .origin = "counted", .streamed = false}, rates_of_text(), {}));
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
