// Where the real graphs of shared/graphs/INDEX.md lie. They are not in the repository: a test skips what is not there.
#pragma once
#include <cstdlib>
#include <filesystem>

namespace copse::testing {

/// Environment variable COPSE_GRAPHS, or else beside the project `source_dir`, or else where our machines have them.
inline std::filesystem::path real_graphs_folder(const std::filesystem::path& source_dir) {
  if (const char* given = std::getenv("COPSE_GRAPHS")) return given;
  const auto beside = source_dir / "../shared/graphs";
  return std::filesystem::exists(beside) ? beside : "/work/shared/graphs";
}

}  // namespace copse::testing
