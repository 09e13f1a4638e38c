#include "text_file.hpp"

#include <cerrno>
#include <copse/errors.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace copse::cli {

std::string read_text(const std::string& path) {
  std::error_code unknown;  // opening says what is wrong with it
  if (std::filesystem::is_directory(path, unknown)) throw input_error::at(path, 0, "a directory", "a file");
  errno = 0;
  std::ifstream file{path, std::ios::binary};
  const int reason = errno;
  if (!file && (reason == ENOENT || reason == ENOTDIR)) throw input_error{path + ": no such file"};
  if (!file) throw input_error{path + ": cannot be opened: " + std::generic_category().message(reason)};
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

}  // namespace copse::cli
