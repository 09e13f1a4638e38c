#include "python_host.hpp"

#include <copse/version.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "commands.hpp"
#include "io/arrow/columnar_file.hpp"
#include "io/written_suffix.hpp"

namespace copse::cli {
namespace {

/// The environment variable that is set when the program was handed over to Python, so that this happens once.
constexpr const char* asked_python = "COPSE_ASKED_PYTHON";

/// The script that Python runs; its arguments are the version and the path of this program, then the arguments of the user. It runs
/// _command.py without importing the package, as the import would take most of the time; if the package is not installed, it runs this
/// program again.
constexpr const char* python_script =
    "import importlib.util, os, runpy, sys\n"
    "found = importlib.util.find_spec('copse')\n"
    "path = found and found.origin and os.path.join(os.path.dirname(found.origin), '_command.py')\n"
    "if path and os.path.exists(path): runpy.run_path(path, run_name='__main__')\n"
    "else: os.execv(sys.argv[2], sys.argv[2:])\n";

bool may_be_columnar(std::string_view argument) {
  const std::filesystem::path path{argument.substr(argument.starts_with("--") ? argument.find('=') + 1 : 0)};
  const std::string text = path.string();
  std::error_code unknown;
  return io::is_columnar_suffix(path.extension().string()) || text == "parquet" || text == "arrow" ||
         std::filesystem::is_directory(path, unknown);
}

}  // namespace

void hand_over_to_python(int argc, char** argv) {
  if (argc < 2 || std::getenv(asked_python) != nullptr || std::none_of(argv + 1, argv + argc, may_be_columnar) || arrow::has_plugin())
    return;
  std::error_code unknown;
  std::string program = std::filesystem::read_symlink("/proc/self/exe", unknown).string();
  // Programs with additional variants (cmake/copse_add_variants.cmake) have other names, and the Python package lacks their variants.
  if (unknown || std::filesystem::path{program}.filename() != "copse") return;
  std::string version = COPSE_VERSION_TEXT, beside = (std::filesystem::path{program}.parent_path() / "python3").string(),
              python = "python3", option = "-c", code = python_script;
  std::vector<char*> arguments{python.data(), option.data(), code.data(), version.data(), program.data()};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  arguments.push_back(nullptr);
  setenv(asked_python, "1", 1);
  setenv("PYTHONSAFEPATH", "1", 1);  // Python must not import a folder called copse in the working directory
  execv(beside.c_str(), arguments.data());
  execvp(python.c_str(), arguments.data());
}

}  // namespace copse::cli

/// The version of this program. Python runs the command only if it has the same version.
extern "C" __attribute__((visibility("default"))) const char* copse_command_version() { return COPSE_VERSION_TEXT; }

/// Runs the command inside Python, with `files` reading Parquet and Arrow files.
extern "C" __attribute__((visibility("default"))) int copse_command(int argc, char** argv, const copse_columnar_files* files) {
  copse::arrow::use_plugin(*files);
  return copse::cli::run(argc, argv);
}
