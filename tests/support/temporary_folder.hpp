// A folder of a test's own, which goes with it.
#pragma once
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

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

private:
  std::filesystem::path path_;
};

}  // namespace copse::test
