// A folder of a test's own, which goes with it, and files in it.
#pragma once
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace copse::test {

class temporary_folder {
public:
  temporary_folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "copse_test_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::system_error{errno, std::generic_category(), pattern};
    path_ = pattern;
  }
  temporary_folder(const temporary_folder&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }
  /// Of all that is in it, sorted.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator{path_}) all.push_back(entry.path().filename());
    std::sort(all.begin(), all.end());
    return all;
  }

private:
  std::filesystem::path path_;
};

inline void write_bytes(const std::filesystem::path& path, std::string_view content) {
  std::ofstream{path, std::ios::binary}.write(content.data(), static_cast<std::streamsize>(content.size()));
}
inline std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace copse::test
