// Where the real graphs of shared/graphs/INDEX.md lie, and how those are read of which every problem has an answer. They are not in the
// repository: a test skips what is not there.
#pragma once
#include <copse/io.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace copse::testing {

/// Environment variable COPSE_GRAPHS, or else beside the project `source_dir`, or else where our machines have them.
inline std::filesystem::path real_graphs_folder(const std::filesystem::path& source_dir) {
  if (const char* given = std::getenv("COPSE_GRAPHS")) return given;
  const auto beside = source_dir / "../shared/graphs";
  return std::filesystem::exists(beside) ? beside : "/work/shared/graphs";
}

struct real_file {
  const char* name;
  io::read_options options = {};
};
inline void PrintTo(const real_file& file, std::ostream* out) { *out << file.name; }

inline std::vector<real_file> real_files() {
  io::read_options routes;
  routes.format = io::format::csv;
  routes.ids = io::id_kind::strings;
  routes.columns = {3, 5};
  io::read_options triples;
  triples.ids = io::id_kind::strings;
  triples.columns = {1, 3};
  return {{"USA-road-d.NY.rebuilt.gr.gz"},
          {"pace2020_heur_183.gr"},
          {"web-NotreDame.txt.gz"},
          {"email-Enron.txt.gz"},
          {"p2p-Gnutella31.txt"},
          {"ca-CondMat.csv"},
          {"dblp-2010.mtx"},
          {"bips98_606.mtx"},
          {"astro-ph.graph"},
          {"wing.graph"},
          {"git_edges.csv"},
          {"twitterreferendum.csv"},
          {"routes.dat", routes},
          {"WN18RR_train.txt", triples},
          {"coraLarge_gt.csv"},
          {"git-objects-duckdb.el.zst"}};
}

/// A file's name as part of a test's.
inline std::string test_name_of(const char* file) {
  std::string name = file;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

}  // namespace copse::testing
