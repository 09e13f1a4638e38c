// spanning_forest() of files: the edges that join two trees are kept while the file is parsed, and they are the forest of what it says.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/spanning_forest.hpp>
#include <copse/verify.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "drive.hpp"
#include "support/impatient.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using paths = std::vector<std::filesystem::path>;

class forests_of_files : public ::testing::TestWithParam<unsigned> {
protected:
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    write_bytes(folder_ / name, text);
    return folder_ / name;
  }
  [[nodiscard]] static execution on() { return {.threads = GetParam()}; }

  /// Proves the forest with the graph as it is read, whose vertices must have the same names. `expected`: the labels of the same input.
  static void expect_forest(const forest_result& found, const graph& whole, const labelling& expected) {
    const verdict proved = verify_forest(whole.view(), found.edges);
    EXPECT_TRUE(proved) << proved.reason;
    const vertex_names &names = found.edges.names(), &whole_names = whole.names();
    ASSERT_EQ(names.size(), whole_names.size());
    ASSERT_EQ(names.what(), whole_names.what());
    for (std::uint64_t v = 0; v < names.size(); ++v) {
      if (names.what() == vertex_names::kind::strings) {
        ASSERT_EQ(names.string(v), whole_names.string(v));
      } else {
        ASSERT_EQ(names.integer(v), whole_names.integer(v));
      }
    }
    const std::uint64_t components = summarise(expected).components;
    EXPECT_EQ(found.count(), components);
    EXPECT_EQ(found.edge_count(), whole.vertices() - components);
    ASSERT_TRUE(found.labels);
    EXPECT_EQ(checksum(*found.labels), checksum(expected));
  }
  /// Streamed, by auto.
  static forest_result expect_streamed(const std::filesystem::path& path) {
    EXPECT_TRUE(is_streamed(path, {}, {}, on()));
    forest_result found = spanning_forest(path, {}, {.with_labels = true}, on());
    expect_forest(found, io::read_graph(path, {}), components(path, {}, {}, on()).labels);
    EXPECT_NE(found.report.explanation.find("united while parsed"), std::string::npos) << found.report.explanation;
    EXPECT_EQ(found.report.read_seconds, 0);
    EXPECT_GT(found.report.solve_seconds, 0);
    return found;
  }

private:
  temporary_folder folder_;
};

std::string text_of(const id_edges& edges, std::string_view separator = " ") {
  std::string text;
  for (const auto [u, v] : edges) text += fmt::format("{}{}{}\n", u, separator, v);
  return text;
}

TEST_P(forests_of_files, of_integers_dense_with_gaps_and_sparse) {
  const auto dense = random_edges(30000, 1, [](std::mt19937_64& r) { return r() % 20000; });
  EXPECT_EQ(expect_streamed(write("dense.el", text_of(dense))).report.edges, dense.size());
  expect_streamed(write("gaps.el", text_of(random_edges(20000, 2, [](std::mt19937_64& r) { return r() % 9000 * 3; }))));
  expect_streamed(write("sparse.csv", text_of(random_edges(20000, 3, [](std::mt19937_64& r) { return r() % 15000 * 1'000'003; }), ",")));
  expect_streamed(write("wide.el", text_of(random_edges(20000, 4, [](std::mt19937_64& r) { return (r() % 15000 + 1) << 45; }))));
}

TEST_P(forests_of_files, of_strings) {
  std::string text;
  for (const auto [u, v] : random_edges(20000, 5, [](std::mt19937_64& r) { return r() % 12000; }))
    text += fmt::format("record {},record {}\n", u, v);
  expect_streamed(write("records.csv", text));
}

// Matrix Market and DIMACS count vertices from 1, and declare some that no edge has.
TEST_P(forests_of_files, of_declared_vertices) {
  const auto found = expect_streamed(write("five.mtx", "%%MatrixMarket matrix coordinate pattern general\n6 6 3\n1 2\n2 1\n5 4\n"));
  EXPECT_EQ(found.count(), 4u);
  EXPECT_EQ(found.edges.names().integer(0), 1u);
  expect_streamed(write("six.gr", "p sp 6 3\na 1 2 1\na 2 6 1\na 5 4 1\n"));
}

TEST_P(forests_of_files, of_loops_and_of_nothing) {
  EXPECT_EQ(expect_streamed(write("loops.el", "3 3\n9 9\n9 3\n7 7\n")).edge_count(), 1u);
  const auto none = spanning_forest(write("none.el", ""), {}, {.with_labels = true}, on());
  EXPECT_EQ(none.edges.vertices(), 0u);
  EXPECT_EQ(none.edge_count(), 0u);
}

TEST_P(forests_of_files, of_several_files_that_are_one_graph) {
  const auto edges = random_edges(30000, 6, [](std::mt19937_64& r) { return r() % 25000 * 2; });
  const id_edges first{edges.begin(), edges.begin() + 10000}, second{edges.begin() + 10000, edges.end()};
  const paths parts{write("first.el", text_of(first)), write("second.el", text_of(second))};
  const auto found = spanning_forest(parts, {}, {.with_labels = true}, on());
  EXPECT_EQ(found.report.edges, edges.size());
  expect_forest(found, io::read_graph(write("whole.el", text_of(edges)), {}), components(parts, {}, {}, on()).labels);
}

TEST_P(forests_of_files, labels_are_made_only_if_asked_for) {
  const auto path = write("three.el", "0 1\n1 2\n");
  EXPECT_FALSE(spanning_forest(path, {}, {}, on()).labels);
  EXPECT_FALSE(spanning_forest(path, {}, {.variant = "serial.hb.rem"}, on()).labels);
}

TEST_P(forests_of_files, what_does_not_stream_is_read_and_solved) {
  const auto path = write("dense.el", text_of(random_edges(3000, 7, [](std::mt19937_64& r) { return r() % 2000; })));
  const auto found = spanning_forest(path, {}, {.variant = "serial.hb.rem", .with_labels = true}, on());
  EXPECT_EQ(found.report.variant, "serial.hb.rem");
  EXPECT_GT(found.report.read_seconds, 0);
  expect_forest(found, io::read_graph(path, {}), components(path, {}, {}, on()).labels);
}

// Half a million edges take 4 MB as pairs of 32-bit ids; what is kept of them is at most 40 bytes for each of 1,000 vertices.
TEST_P(forests_of_files, memory_is_that_of_the_vertices) {
  const auto path = write("many.el", text_of(random_edges(500'000, 8, [](std::mt19937_64& r) { return r() % 1000; })));
  tracked_memory streamed, held;
  {
    const auto found = spanning_forest(path, {}, {.with_labels = true}, {.threads = GetParam(), .memory = &streamed});
    EXPECT_EQ(found.edge_count(), 999u);
    static_cast<void>(io::read_graph(path, {}, {.threads = GetParam(), .memory = &held}));
  }
  EXPECT_GE(held.peak_bytes(), 4'000'000u);
  EXPECT_LT(streamed.peak_bytes(), held.peak_bytes() - 3'000'000u);
  EXPECT_EQ(streamed.current_bytes(), 0u);
}

TEST_P(forests_of_files, the_memory_limit_holds) {
  const auto path = write("dense.el", text_of(random_edges(200'000, 9, [](std::mt19937_64& r) { return r() % 1'000'000; })));
  tracked_memory little{2u << 20};
  EXPECT_THROW(spanning_forest(path, {}, {}, {.threads = GetParam(), .memory = &little}), resource_error);
}

TEST_P(forests_of_files, can_be_stopped) {
  const auto path = write("many.el", text_of(random_edges(200'000, 10, [](std::mt19937_64& r) { return r() % 1'000'000; })));
  impatient stop;
  EXPECT_THROW(spanning_forest(path, {}, {}, {.threads = GetParam(), .observer = &stop}), cancelled);
}

INSTANTIATE_TEST_SUITE_P(streaming, forests_of_files, testing::Values(1u, 7u), testing::PrintToStringParamName());

TEST(forest_of_files, says_what_is_wrong) {
  const temporary_folder folder;
  write_bytes(folder / "good.el", "1 2\n");
  write_bytes(folder / "bad.el", "1 2\n3 x\n");
  EXPECT_THROW(spanning_forest(folder / "bad.el", {}), input_error);
  EXPECT_THROW(spanning_forest(folder / "good.el", {}, {.variant = "serial.none.nonsense"}), usage_error);
  EXPECT_EQ(thrown<usage_error>([&] { spanning_forest(folder / "missing.el", {}, {.count = true}); }),
            "count: only components can be counted, not spanning forests")
      << "before any file is read";
  EXPECT_THROW(spanning_forest(folder / "missing.el", {}, {}, {.device = "hybrid"}), usage_error);
  const paths both{folder / "good.el", folder / "good.el"};
  EXPECT_EQ(thrown<usage_error>([&] { spanning_forest(both, {}, {.variant = "serial.hb.rem"}); }),
            (folder / "good.el").string() +
                ": several files must be edge lists, solved by the variants auto, serial.none.rem and, with two threads or more, "
                "threads.none.rem_cas.naive.halve_one");
}

}  // namespace
}  // namespace copse::test
