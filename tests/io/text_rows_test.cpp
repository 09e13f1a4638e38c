// Matrix Market, DIMACS, METIS and adjacency text beyond the corpus: thresholds, larger files, order of errors.
#include "io/text_harness.hpp"

namespace copse::testing {
namespace {

TEST(matrix_market, least_value) {
  const temporary_file file{"t.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 0.5\n2 3 0.4\n3 1 7\n"};
  io::read_options options;
  options.min_weight = 0.5;
  EXPECT_EQ(read_everywhere(file.path(), options).numbers, (edges{{0, 1}, {2, 0}}));
  const temporary_file pattern{"p.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n"};
  EXPECT_NE(refusal_everywhere<usage_error>(pattern.path(), options).find("these are pattern"), std::string::npos);
}

std::string large_matrix(int entries, int declared) {
  std::string text = "%%MatrixMarket matrix coordinate pattern symmetric\n1000 1000 " + std::to_string(declared) + "\n";
  for (int i = 0; i < entries; ++i) text += std::to_string(1 + i % 1000) + " " + std::to_string(1 + i * 7 % 1000) + "\n";
  return text;
}

TEST(matrix_market, large) {
  const temporary_file file{"t.mtx", large_matrix(3000, 3000)};
  edges expected;
  for (std::uint64_t i = 0; i < 3000; ++i) expected.push_back({i % 1000, i * 7 % 1000});
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(read_everywhere(file.path()).numbers, expected);
}

// The entry too many lies before a line that is garbage: it is the first thing that is wrong.
TEST(matrix_market, first_error_in_file_order) {
  const temporary_file file{"t.mtx", large_matrix(2000, 1500) + "garbage\n"};
  EXPECT_EQ(refusal_everywhere(file.path()), "t.mtx:1503: found entry 1501, expected the end of the file after the 1500 declared");
  const temporary_file other{"u.mtx", large_matrix(1400, 1500) + "garbage\n" + "1 2\n2 x\n"};
  EXPECT_EQ(refusal_everywhere(other.path()), "u.mtx:1403: found \"garbage\", expected a vertex from 1 to 1000");
}

TEST(dimacs, large_with_letters_weights_and_comments) {
  std::string text = "c head\np sp 500 2000\n";
  edges expected;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const std::uint64_t u = i % 500;
    const std::uint64_t v = i * 13 % 500;
    text += "a " + std::to_string(u + 1) + " " + std::to_string(v + 1) + " " + std::to_string(i) + "\n";
    if (i % 300 == 0) text += "c 1 2 3\n";
    expected.push_back({u, v});
  }
  std::sort(expected.begin(), expected.end());
  const temporary_file file{"t.gr", text};
  const collected found = read_everywhere(file.path());
  EXPECT_EQ(found.vertices, 500u);
  EXPECT_EQ(found.numbers, expected);
}

std::string metis_cycle(std::uint64_t n, std::uint64_t declared) {
  std::string text = std::to_string(n) + " " + std::to_string(declared) + "\n";
  for (std::uint64_t v = 0; v < n; ++v) text += std::to_string((v + 1) % n + 1) + " " + std::to_string((v + n - 1) % n + 1) + "\n";
  return text;
}

TEST(metis, rows_are_sorted_and_symmetric) {
  const temporary_file file{"t.graph", metis_cycle(700, 700)};
  everywhere({}, [&](const io::read_request& options) {
    const graph g = io::read_metis(file.path(), options);
    const auto& rows = std::get<csr<std::uint32_t, std::uint32_t>>(g.shape());
    EXPECT_EQ(rows.symmetric, symmetry::yes);
    EXPECT_TRUE(rows.sorted);
    ASSERT_EQ(rows.view().vertices(), 700u);
    EXPECT_TRUE(std::ranges::equal(rows.view().row(0), std::vector<std::uint32_t>{1, 699}));
    EXPECT_TRUE(std::ranges::equal(rows.view().row(350), std::vector<std::uint32_t>{349, 351}));
  });
}

// parse() gives the same edges as the reader of the format, also where it has to pass on rows.
TEST(parse, passes_rows_and_edges_on) {
  const temporary_file rows{"t.graph", metis_cycle(9000, 9000)};
  const temporary_file list{"t.mtx", large_matrix(100, 100)};
  for (const auto* file : {&rows, &list}) {
    for (const unsigned threads : {1u, 2u, 7u}) {
      const execution on{.threads = threads};
      collecting_sink sink;
      io::parse(file->path(), {}, sink, on);
      EXPECT_EQ(sink.all, read_text(file->path(), {{}, on}));
    }
  }
}

TEST(metis, one_sided_arcs_are_seen) {
  for (const char* text : {"3 2\n2\n3\n1 2\n", "3 2\n2 2\n3\n1\n", "3 2\n2 2\n1 1 \n\n", "2 1\n1\n2\n"}) {
    const temporary_file file{"t.graph", text};
    const graph g = io::read_metis(file.path(), {});
    const bool mutual = std::string_view{text}.starts_with("3 2\n2 2\n1 1") || std::string_view{text}.starts_with("2 1");
    EXPECT_EQ(std::get<0>(g.shape()).symmetric, mutual ? symmetry::yes : symmetry::no) << text;
  }
}

TEST(metis, errors_in_a_large_file_name_their_line) {
  std::string text = metis_cycle(700, 700);
  const temporary_file fewer{"t.graph", text + "1 2\n"};
  EXPECT_EQ(refusal_everywhere(fewer.path()), "t.graph:702: found row 701 or a later one, expected the end of the file after 700 rows");
  const temporary_file arcs{"u.graph", metis_cycle(700, 699)};
  EXPECT_EQ(refusal_everywhere(arcs.path()),
            "u.graph:1: found more than 1398 neighbours in the rows, expected 1398, two for each of the 699 edges declared here");
}

TEST(adj, large_with_any_white_space) {
  std::string text = "AdjacencyGraph\r\n400 800\r\n";
  edges expected;
  for (int v = 0; v < 400; ++v) text += std::to_string(2 * v) + (v % 3 == 0 ? "\n" : " ");
  for (std::uint64_t v = 0; v < 400; ++v) {
    for (const std::uint64_t w : {(v + 1) % 400, (v * 31) % 400}) {
      text += std::to_string(w) + (w % 5 == 0 ? "\t" : "\n");
      expected.push_back({v, w});
    }
  }
  std::sort(expected.begin(), expected.end());
  const temporary_file file{"t.adj", text};
  EXPECT_EQ(read_everywhere(file.path()).numbers, expected);
}

}  // namespace
}  // namespace copse::testing
