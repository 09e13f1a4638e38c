// Components of whole files: what streams, what is read first, and that the answers are the same.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/errors.hpp>

#include <filesystem>
#include <fstream>

#include "drive.hpp"

namespace copse::test {
namespace {

class whole_files : public ::testing::Test {
protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream{folder_ / name} << text;
    return folder_ / name;
  }
  static components_result solve(const std::filesystem::path& path, std::string variant, unsigned threads) {
    return components(path, {}, {.variant = std::move(variant)}, {.threads = threads});
  }

private:
  std::filesystem::path folder_ =
      std::filesystem::path{testing::TempDir()} / fmt::format("copse_{}_{}", testing::UnitTest::GetInstance()->current_test_info()->name(),
                                                              testing::UnitTest::GetInstance()->random_seed());
};

TEST_F(whole_files, an_edge_list_gives_the_same_answer_however_it_is_solved) {
  const auto edges = random_edges(20'000, 1, [](std::mt19937_64& r) { return r() % 30'000; });
  std::string text;
  for (const auto [u, v] : edges) text += fmt::format("{} {}\n", u, v);
  const auto path = write("random.el", text);
  const auto expected = smallest_names<std::uint64_t>(edges);

  for (const unsigned threads : {1u, 3u}) {
    const auto chosen = solve(path, "auto", threads);
    EXPECT_EQ(integer_answer(chosen.labels), expected);
    EXPECT_EQ(chosen.report.edges, edges.size());
    EXPECT_EQ(chosen.report.read_seconds, 0);
    EXPECT_FALSE(chosen.report.explanation.empty());
    EXPECT_EQ(chosen.report.variant, chosen.report.threads == 1 ? "serial.none.rem" : "threads.none.rem_cas.naive.halve_one");

    const auto serial = solve(path, "serial.none.rem", threads);
    EXPECT_EQ(integer_answer(serial.labels), expected);
    EXPECT_EQ(serial.report.threads, 1u);
    EXPECT_EQ(serial.report.variant, "serial.none.rem");
    EXPECT_EQ(serial.report.read_seconds, 0);
    EXPECT_TRUE(serial.report.explanation.empty());

    EXPECT_EQ(integer_answer(solve(path, "threads.none.rem_cas.naive.halve_one", threads).labels), expected);

    const auto held = solve(path, "serial.none.union_find", threads);
    EXPECT_EQ(integer_answer(held.labels), expected);
    EXPECT_EQ(held.report.variant, "serial.none.union_find");
    EXPECT_GT(held.report.read_seconds, 0);
  }
}

TEST_F(whole_files, declared_vertices_are_streamed_too) {
  const auto result = solve(write("five.mtx", "%%MatrixMarket matrix coordinate pattern general\n5 5 2\n1 2\n5 4\n"), "auto", 2);
  const std::map<std::uint64_t, std::uint64_t> expected{{1, 1}, {2, 1}, {3, 3}, {4, 4}, {5, 4}};
  EXPECT_EQ(integer_answer(result.labels), expected);
  EXPECT_EQ(result.report.edges, 2u);
  EXPECT_EQ(result.report.read_seconds, 0);
}

TEST_F(whole_files, strings_and_huge_ids) {
  const auto words = solve(write("words.csv", "pear,apple\nplum,plum\napple,fig\n"), "auto", 2);
  const std::map<std::string, std::string> fruit{{"apple", "apple"}, {"fig", "apple"}, {"pear", "apple"}, {"plum", "plum"}};
  EXPECT_EQ(string_answer(words.labels), fruit);
  const auto huge = solve(write("huge.el", "18446744073709551614 3\n4294967295 18446744073709551614\n7 7\n"), "auto", 2);
  const std::map<std::uint64_t, std::uint64_t> expected{{3, 3}, {7, 7}, {4294967295, 3}, {UINT64_MAX - 1, 3}};
  EXPECT_EQ(integer_answer(huge.labels), expected);
}

TEST_F(whole_files, an_empty_file_has_no_vertices) { EXPECT_EQ(solve(write("empty.el", ""), "auto", 2).labels.slots(), 0u); }

TEST_F(whole_files, errors_of_the_reader_and_of_the_caller_come_through) {
  EXPECT_THROW(solve(write("bad.el", "1 2\n3 x\n"), "auto", 2), input_error);
  EXPECT_THROW(solve(write("good.el", "1 2\n"), "serial.none.nonsense", 1), usage_error);
  io::read_options declared;
  declared.vertices = 2;
  EXPECT_THROW(components(write("beyond.el", "1 2\n"), declared), input_error);
}

}  // namespace
}  // namespace copse::test
