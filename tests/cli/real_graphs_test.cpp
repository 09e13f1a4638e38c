// Every graph of shared/graphs/INDEX.md gives the numbers listed there, proved, through the command line.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

struct known_graph {
  const char* file;
  std::vector<std::string> options;
  std::uint64_t vertices, components, largest;
};

void PrintTo(const known_graph& g, std::ostream* out) { *out << g.file; }

class real_graph : public ::testing::TestWithParam<known_graph> {};

TEST_P(real_graph, has_the_listed_components) {
  const auto folder = real_graphs();
  const auto path = folder / GetParam().file;
  if (folder.empty() || !std::filesystem::exists(path))
    GTEST_SKIP() << "no real graphs: set COPSE_GRAPHS to a folder that has " << GetParam().file;
  std::vector<std::string> arguments{"components", path.string(), "--verify", "--json"};
  arguments.insert(arguments.end(), GetParam().options.begin(), GetParam().options.end());
  const workplace place;
  const auto answer = nlohmann::json::parse(place.output(arguments));
  EXPECT_EQ(answer["vertices"], GetParam().vertices);
  EXPECT_EQ(answer["components"], GetParam().components);
  EXPECT_EQ(answer["largest"]["size"], GetParam().largest);
  EXPECT_EQ(answer["verified"], true);
}

INSTANTIATE_TEST_SUITE_P(
    index, real_graph,
    testing::Values(known_graph{"USA-road-d.NY.rebuilt.gr.gz", {}, 264346, 1, 264346},
                    known_graph{"pace2020_heur_183.gr", {}, 205957, 1, 205957}, known_graph{"web-NotreDame.txt.gz", {}, 325729, 1, 325729},
                    known_graph{"email-Enron.txt.gz", {}, 36692, 1065, 33696}, known_graph{"p2p-Gnutella31.txt", {}, 62586, 12, 62561},
                    known_graph{"ca-CondMat.csv", {}, 23133, 567, 21363}, known_graph{"dblp-2010.mtx", {}, 326186, 48493, 226413},
                    known_graph{"bips98_606.mtx", {}, 7135, 542, 6594}, known_graph{"astro-ph.graph", {}, 16706, 1029, 14845},
                    known_graph{"wing.graph", {}, 62032, 1, 62032}, known_graph{"git_edges.csv", {}, 37700, 1, 37700},
                    known_graph{"twitterreferendum.csv", {}, 10884, 11, 10864},
                    known_graph{"routes.dat", {"--format", "csv", "--ids", "string", "--columns", "3,5"}, 3425, 8, 3397},
                    known_graph{"WN18RR_train.txt", {"--ids", "string", "--columns", "1,3"}, 40714, 51, 40586},
                    known_graph{"coraLarge_gt.csv", {}, 1811, 123, 236}, known_graph{"git-objects-duckdb.el.zst", {}, 1121687, 1, 1121687}),
    [](const auto& tested) {
      std::string name = tested.param.file;
      for (char& c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
      }
      return name;
    });

TEST(real_graphs, a_file_cut_off_is_refused_and_nothing_is_written) {
  const auto path = real_graphs() / "soc-Epinions1.truncated.txt.gz";
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << "no real graphs: set COPSE_GRAPHS to a folder that has soc-Epinions1.truncated.txt.gz";
  const workplace place;
  const std::string complaint = place.refusal({"components", path.string(), "-o", "labels.csv"});
  EXPECT_TRUE(complaint.find("\n" + path.string() + ": found ") != std::string::npos) << complaint;
  EXPECT_NE(complaint.find("byte"), std::string::npos) << complaint;
  EXPECT_TRUE(place.files().empty());
}

}  // namespace
}  // namespace copse::cli_test
