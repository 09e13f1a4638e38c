// The real graphs of shared/graphs/INDEX.md: each gives the number of edge lines listed there.
#include "io/text_harness.hpp"
#include "support/real_graphs.hpp"

#include <atomic>

namespace copse::testing {
namespace {

class counting_sink final : public io::edge_sink {
public:
  void begin(const io::source_facts& facts) override { vertices = facts.vertices; }
  void edges(unsigned, const io::edge_batch& batch) override { count += batch.size(); }
  std::optional<std::uint64_t> vertices;
  std::atomic<std::uint64_t> count{0};
};

struct real_graph {
  const char* name;
  std::optional<std::uint64_t> vertices;
  std::uint64_t lines;
  std::array<unsigned, 2> columns{1, 2};
};

class real_text : public ::testing::TestWithParam<real_graph> {};

TEST_P(real_text, has_the_edges_listed) {
  const auto& [name, vertices, lines, columns] = GetParam();
  const auto path = real_graphs_folder(COPSE_SOURCE_DIR) / name;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  for (const unsigned threads : {1u, 3u}) {
    io::read_request options{{}, {.threads = threads}};
    options.columns = {columns[0], columns[1]};
    if (path.extension() == ".dat") options.format = io::format::csv;
    const io::format f = options.format ? *options.format : io::format_of(path);
    if (f == io::format::metis) {
      const graph g = io::read_metis(path, options);
      const auto& rows = std::get<csr<std::uint32_t, std::uint32_t>>(g.shape());
      EXPECT_EQ(g.vertices(), vertices);
      EXPECT_EQ(rows.targets.size(), 2 * lines);
      EXPECT_EQ(rows.symmetric, symmetry::yes);
      continue;
    }
    counting_sink sink;
    parse_list(path, f, options, sink);
    EXPECT_EQ(sink.vertices, vertices);
    EXPECT_EQ(sink.count, lines);
  }
}

INSTANTIATE_TEST_SUITE_P(
    index, real_text,
    ::testing::Values(real_graph{"USA-road-d.NY.rebuilt.gr.gz", 264'346, 730'100}, real_graph{"pace2020_heur_183.gr", 205'957, 287'541},
                      real_graph{"web-NotreDame.txt.gz", std::nullopt, 1'497'134}, real_graph{"email-Enron.txt.gz", std::nullopt, 367'662},
                      real_graph{"p2p-Gnutella31.txt", std::nullopt, 147'892}, real_graph{"ca-CondMat.csv", std::nullopt, 186'936},
                      real_graph{"dblp-2010.mtx", 326'186, 807'700}, real_graph{"bips98_606.mtx", 7'135, 34'738},
                      real_graph{"astro-ph.graph", 16'706, 121'251}, real_graph{"wing.graph", 62'032, 121'544},
                      real_graph{"git_edges.csv", std::nullopt, 289'003}, real_graph{"twitterreferendum.csv", std::nullopt, 251'406},
                      real_graph{"routes.dat", std::nullopt, 67'663, {3, 5}}, real_graph{"WN18RR_train.txt", std::nullopt, 86'835, {1, 3}},
                      real_graph{"coraLarge_gt.csv", std::nullopt, 73'147},
                      real_graph{"git-objects-duckdb.el.zst", std::nullopt, 16'550'931}),
    [](const auto& instance) { return test_name_of(instance.param.name); });

TEST(real_text, a_download_cut_off_is_refused_with_its_byte) {
  const auto path = real_graphs_folder(COPSE_SOURCE_DIR) / "soc-Epinions1.truncated.txt.gz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  counting_sink sink;
  try {
    io::parse(path, {}, sink);
    FAIL() << "nothing was refused";
  } catch (const input_error& e) {
    EXPECT_NE(std::string_view{e.what()}.find("soc-Epinions1.truncated.txt.gz: found the end of the file at byte 1253376"),
              std::string_view::npos);
  }
}

}  // namespace
}  // namespace copse::testing
