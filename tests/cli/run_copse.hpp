// Starts the binary in a folder of its own and hands back all it said.
#pragma once
#include <sys/types.h>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/temporary_folder.hpp"

namespace copse::cli_test {

struct outcome {
  int exit_code = -1;  ///< -1 when a signal ended it
  int signal = 0;
  std::string out;
  std::string err;
};

/// A folder that lives as long as the object; the binary runs in it, so that messages name files without a path.
class workplace {
public:
  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_.path(); }
  void write(const std::string& name, std::string_view content) const;
  [[nodiscard]] std::string read(const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  /// Names of all files, sorted, less those that the harness made.
  [[nodiscard]] std::vector<std::string> files() const;

  /// Runs copse to its end. `input` is its standard input; stdout goes to `stdout_path` instead of `out` when one is given.
  [[nodiscard]] outcome run(const std::vector<std::string>& arguments, std::string_view input = "",
                            const std::string& stdout_path = "") const;
  /// What it prints when all is well, which is expected.
  [[nodiscard]] std::string output(const std::vector<std::string>& arguments, std::string_view input = "") const;
  /// What it complains of where it refuses and prints nothing, which is expected: misuse, or a bad input.
  [[nodiscard]] std::string refusal(const std::vector<std::string>& arguments, std::string_view input = "") const;
  /// Starts it and returns at once; finish() waits.
  [[nodiscard]] pid_t start(const std::vector<std::string>& arguments, std::string_view input = "",
                            const std::string& stdout_path = "") const;
  [[nodiscard]] outcome finish(pid_t started) const;

private:
  test::temporary_folder folder_;
};

/// The real graphs of shared/graphs: environment variable COPSE_GRAPHS, then beside the project; empty when there are none.
std::filesystem::path real_graphs();

}  // namespace copse::cli_test
