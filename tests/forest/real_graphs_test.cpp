// Every row on one real graph, and one row of each kind on all of shared/graphs: the oracle accepts the forest.
#include <copse/copse.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "forests.hpp"
#include "support/real_graphs.hpp"

namespace copse::test {
namespace {

struct real_file {
  const char* name;
  io::read_options how;
};

std::vector<real_file> real_files() {
  io::read_options routes;
  routes.format = io::format::csv;
  routes.ids = io::id_kind::strings;
  routes.columns = {3, 5};
  io::read_options triples;
  triples.ids = io::id_kind::strings;
  triples.columns = {1, 3};
  return {{"USA-road-d.NY.rebuilt.gr.gz", {}},
          {"pace2020_heur_183.gr", {}},
          {"web-NotreDame.txt.gz", {}},
          {"email-Enron.txt.gz", {}},
          {"p2p-Gnutella31.txt", {}},
          {"ca-CondMat.csv", {}},
          {"dblp-2010.mtx", {}},
          {"bips98_606.mtx", {}},
          {"astro-ph.graph", {}},
          {"wing.graph", {}},
          {"git_edges.csv", {}},
          {"twitterreferendum.csv", {}},
          {"routes.dat", routes},
          {"WN18RR_train.txt", triples},
          {"coraLarge_gt.csv", {}},
          {"git-objects-duckdb.el.zst", {}}};
}

class real_forest : public ::testing::TestWithParam<real_file> {};
void PrintTo(const real_file& file, std::ostream* out) { *out << file.name; }

void expect_forest(const graph& g, const std::string& variant, std::uint64_t components) {
  for (const unsigned threads : {1u, 2u, 7u}) {
    if (threads > 1 && variant.starts_with("serial")) break;
    const auto found = spanning_forest(g, {.variant = variant, .threads = threads});
    const verdict proved = verify_forest(g.view(), found.edges);
    EXPECT_TRUE(proved) << variant << ", " << threads << " threads: " << proved.reason;
    EXPECT_EQ(found.count(), components) << variant << ", " << threads << " threads";
  }
}

TEST_P(real_forest, is_proved) {
  const auto path = copse::testing::real_graphs_folder(COPSE_ROOT) / GetParam().name;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no real graphs: set COPSE_GRAPHS to a folder that has " << GetParam().name;
  const graph held = io::read_graph(path, GetParam().how);
  const graph rows = build_csr(held);
  const auto components = copse::components(held).count();
  for (const std::string variant : {"auto", "serial.none.rem", "omp.hb.rem_cas.naive.halve_one", "omp.kout.async.halve", "omp.bfs.ecl",
                                    "omp.ldd.jtb.two_try_split", "omp.none.afforest", "omp.kout_maxdeg.hooks.split"}) {
    expect_forest(rows, variant, components);
  }
  if (!held.has_rows()) {
    for (const std::string variant : {"auto", "omp.none.early.naive", "omp.stages.rem_lock.compress.split_one"}) {
      expect_forest(held, variant, components);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(index, real_forest, ::testing::ValuesIn(real_files()), [](const auto& tested) {
  std::string name = tested.param.name;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});

TEST(real_forests, every_row_of_many_threads_on_the_enron_mails) {
  const auto path = copse::testing::real_graphs_folder(COPSE_ROOT) / "email-Enron.txt.gz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no real graphs: set COPSE_GRAPHS to a folder that has email-Enron.txt.gz";
  const graph held = io::read_graph(path), rows = build_csr(held);
  for (const auto& row : variants(problem_kind::forest)) {
    if (row.backend == "cuda") continue;
    const graph& g = row.input == input_kind::csr ? rows : held;
    const auto found = spanning_forest(g, {.variant = row.name, .threads = 2});
    const verdict proved = verify_forest(g.view(), found.edges);
    ASSERT_TRUE(proved) << row.name << ": " << proved.reason;
    ASSERT_EQ(found.count(), 1065u) << row.name;
  }
}

}  // namespace
}  // namespace copse::test
