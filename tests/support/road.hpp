// The library's source files between a test and a place that it has reached: what a debugger or a profile would show. A test has the linker
// put a function of its own in the place of one that the library calls there; that function calls note(). addr2line, of binutils, names the
// files.
#pragma once
#include <dlfcn.h>
#include <execinfo.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse::test {

inline std::vector<std::string> lines_of(const std::string& command) {
  std::vector<std::string> lines;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return lines;
  std::array<char, 4096> line;
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    lines.emplace_back(line.data());
    lines.back().erase(lines.back().find_last_not_of("\r\n") + 1);
  }
  pclose(pipe);
  return lines;
}

inline bool has_addr2line() { return !lines_of("command -v addr2line").empty(); }

class road {
public:
  /// The next call of note() counts, and no later one.
  void start() noexcept { count_ = -1; }
  void note() noexcept {
    if (count_ < 0) count_ = backtrace(addresses_.data(), static_cast<int>(addresses_.size()));
  }
  [[nodiscard]] bool noted() const noexcept { return count_ > 0; }

  /// Those of the library but the files that begin with `but`. A function without lines counts as a file of its own. `of_program`: an
  /// address of the program.
  [[nodiscard]] std::set<std::string> files(const void* of_program, std::string_view but) const {
    Dl_info program;
    if (dladdr(of_program, &program) == 0) return {};
    std::string command = "addr2line -i -f -e " + std::filesystem::read_symlink("/proc/self/exe").string();
    for (void* address : std::span{addresses_}.first(static_cast<std::size_t>(count_))) {
      const std::uintptr_t called_from = reinterpret_cast<std::uintptr_t>(address) - 1;
      char text[32];
      std::snprintf(text, sizeof text, " 0x%zx",
                    static_cast<std::size_t>(called_from - reinterpret_cast<std::uintptr_t>(program.dli_fbase)));
      command += text;
    }
    std::set<std::string> found;
    const auto answers = lines_of(command);
    for (std::size_t i = 0; i + 1 < answers.size(); i += 2) {
      const std::string& function = answers[i];
      if (const auto file = own_file(answers[i + 1]); !file.empty()) {
        if (!file.starts_with(but)) found.insert(file);
      } else if (answers[i + 1].starts_with("??") && function.find("5copse") != std::string::npos && !function.starts_with("__wrap_") &&
                 function.find("5copse4test") == std::string::npos) {
        found.insert("without lines: " + function);
      }
    }
    return found;
  }

private:
  /// The part of a path that begins with src/ or include/copse/; empty for files that are not the library's.
  static std::string own_file(const std::string& path) {
    if (path.starts_with("/usr/")) return {};
    for (const std::string room : {"/src/", "/include/copse/"}) {
      const std::size_t at = path.rfind(room);
      if (at != std::string::npos) return path.substr(at + 1, path.rfind(':') - at - 1);
    }
    return {};
  }

  std::array<void*, 64> addresses_;
  int count_ = 0;
};

inline std::string listed(const std::set<std::string>& files) {
  std::string text;
  for (const auto& file : files) text += "  " + file + "\n";
  return text;
}

}  // namespace copse::test
