// prepared_graph: made ready once, solved and proved any number of times, wherever the graph is.
#include <gtest/gtest.h>
#include <copse/cuda.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/prepared_graph.hpp>

#include <array>
#include <filesystem>
#include <string>

#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

constexpr const char* spec = "er:n=3000,m=2500,seed=4";

class prepared_graphs : public ::testing::Test {
protected:
  prepared_graphs() {
    io::write_graph(gen::generate_edges(spec), list_);
    io::write_graph(gen::generate(spec), rows_);
  }
  /// Solves it three times, each time with the labels of the same graph in memory, and has it prove them.
  static void expect_solved(prepared_graph& ready, const graph& whole) {
    const std::uint64_t expected = checksum(components(whole).labels);
    for (int again = 0; again < 3; ++again) {
      const components_result found = ready.components();
      EXPECT_EQ(checksum(found.labels), expected);
      EXPECT_TRUE(ready.verify(found.labels));
      EXPECT_EQ(found.report.variant.empty(), false);
    }
    EXPECT_FALSE(ready.verify(components(gen::generate("path:n=3000")).labels));
  }
  static void expect_forest(prepared_graph& ready, const graph& g) {
    for (int again = 0; again < 2; ++again) {
      const forest_result found = ready.spanning_forest();
      const verdict proved = verify_forest(g.view(), found.edges);
      EXPECT_TRUE(proved) << proved.reason;
      ASSERT_TRUE(found.labels);
      EXPECT_EQ(checksum(*found.labels), checksum(components(g).labels));
    }
  }

  temporary_folder folder_;
  std::filesystem::path list_ = folder_ / "g.mtx", rows_ = folder_ / "g.sg";  // both declare their vertices
};

TEST_F(prepared_graphs, hold_nothing_of_a_list_that_auto_streams) {
  prepared_graph ready{{&list_, 1}, {}};
  EXPECT_TRUE(ready.is_streamed());
  EXPECT_EQ(ready.held(), nullptr);
  expect_solved(ready, io::read_graph(list_));
  EXPECT_EQ(ready.edge_count().edges, 2500u);
  EXPECT_EQ(ready.components().report.read_seconds, 0);
}

TEST_F(prepared_graphs, hold_a_list_if_they_are_told_to) {
  prepared_graph ready{{&list_, 1}, {}, {{}, problem_kind::components, true}};
  EXPECT_FALSE(ready.is_streamed());
  ASSERT_NE(ready.held(), nullptr);
  EXPECT_FALSE(ready.held()->has_rows());
  expect_solved(ready, io::read_graph(list_));
  EXPECT_EQ(ready.edge_count().arcs, 2500u);
}

TEST_F(prepared_graphs, have_rows_if_the_variant_walks_them) {
  prepared_graph ready{{&list_, 1}, {}, {{.variant = "threads.none.sv"}}};
  ASSERT_NE(ready.held(), nullptr);
  EXPECT_FALSE(ready.held()->has_rows()) << "that one takes lists";
  prepared_graph walking{{&list_, 1}, {}, {{.variant = "threads.bfs.sv"}}};
  ASSERT_NE(walking.held(), nullptr);
  EXPECT_TRUE(walking.held()->has_rows());
  const double build_seconds = walking.components().report.build_seconds;
  EXPECT_GT(build_seconds, 0);
  EXPECT_EQ(walking.components().report.build_seconds, build_seconds) << "they are built once";
  expect_solved(walking, io::read_graph(list_));
}

TEST_F(prepared_graphs, hold_rows) {
  prepared_graph ready{{&rows_, 1}, {}};
  ASSERT_NE(ready.held(), nullptr);
  EXPECT_TRUE(ready.held()->has_rows());
  expect_solved(ready, io::read_graph(rows_));
  const prepared_graph::size counted = ready.edge_count();
  EXPECT_EQ(counted.arcs, 2 * counted.edges);
  EXPECT_GT(ready.components().report.read_seconds, 0);
}

TEST_F(prepared_graphs, are_made_of_specs) {
  prepared_graph ready{spec};
  ASSERT_NE(ready.held(), nullptr);
  expect_solved(ready, gen::generate(spec));
  EXPECT_EQ(ready.edge_count().edges, 2500u);
}

TEST_F(prepared_graphs, find_forests) {
  prepared_graph streamed{{&list_, 1}, {}, {{.with_labels = true}, problem_kind::forest}};
  EXPECT_TRUE(streamed.is_streamed());
  expect_forest(streamed, io::read_graph(list_));
  prepared_graph held{{&rows_, 1}, {}, {{.with_labels = true}, problem_kind::forest}};
  EXPECT_FALSE(held.is_streamed());
  expect_forest(held, *held.held());
  prepared_graph walking{{&list_, 1}, {}, {{.variant = "serial.kout.rem_cas.naive.halve_one", .with_labels = true}, problem_kind::forest}};
  ASSERT_NE(walking.held(), nullptr);
  EXPECT_TRUE(walking.held()->has_rows());
  expect_forest(walking, io::read_graph(list_));
}

/// Comment lines and missing ends are counted by the first solve alone.
TEST_F(prepared_graphs, count_a_file_once) {
  write_bytes(folder_ / "a.el", "# one\n0 1\n# two\n2 3\n");
  write_bytes(folder_ / "b.el", "# three\n3 4\n");
  const std::array<std::filesystem::path, 2> both{folder_ / "a.el", folder_ / "b.el"};
  io::read_counts counts;
  io::read_options input;
  input.counts = &counts;
  prepared_graph ready{both, input};
  for (int again = 0; again < 3; ++again) EXPECT_EQ(ready.components().count(), 2u);
  EXPECT_EQ(counts.comment_lines.load(), 3u);
}

TEST_F(prepared_graphs, explain_the_device_auto) {
  const execution by_cost{.device = "auto"};
  prepared_graph ready{spec, {}, by_cost};
  EXPECT_TRUE(ready.components().report.explanation.starts_with("device auto: the CPU, which solves 2500 edges before") ||
              !built_with_cuda())
      << ready.components().report.explanation;
  EXPECT_EQ(ready.components().report.device, "cpu");
  prepared_graph named{spec, {{.variant = "serial.none.rem"}}, by_cost};
  EXPECT_EQ(named.components().report.explanation, "") << "a variant by name has its device";
}

TEST_F(prepared_graphs, say_what_is_wrong_before_they_read) {
  const std::filesystem::path missing = folder_ / "missing.el";
  const auto prepared = [&](const prepare_options& options, const execution& on = {}) {
    return [&missing, options, on] { prepared_graph{{&missing, 1}, {}, options, on}; };
  };
  EXPECT_NE(thrown<usage_error>(prepared({{.variant = "nothing"}})).find("nothing"), std::string::npos);
  EXPECT_THROW(prepared({{.variant = "threads.none.label_propagation"}, problem_kind::forest})(), usage_error);
  EXPECT_EQ(thrown<usage_error>(prepared({{.variant = "serial.none.rem"}}, {.device = "cuda"})),
            "variant serial.none.rem runs on the CPU: leave out device, or choose a variant of cuda");
  EXPECT_THROW(prepared({{.count = true}, problem_kind::forest})(), usage_error);
  EXPECT_THROW((prepared_graph{std::span<const std::filesystem::path>{}, {}}), usage_error);
  EXPECT_NO_THROW(prepared({})()) << "a list is parsed by the solve";
  EXPECT_THROW(prepared({{}, problem_kind::components, true})(), input_error) << "then it reads";
}

}  // namespace
}  // namespace copse::test
