// How far is it from a caller's arrays to the first parallel loop? Who debugs or profiles a solve reads the files on that road. The linker
// puts a function of this file in the place of the one that engages threads; addr2line names the source files in its backtrace.
#include <dlfcn.h>
#include <execinfo.h>
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/generate.hpp>
#include <core/team.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace {

std::array<void*, 64> return_addresses;
int address_count = -1;  // not asked yet

}  // namespace

// Names that the linker gives with --wrap (CMakeLists.txt).
void engage_threads(unsigned threads, void (*call)(void* work, unsigned number), void* work) asm("__real_" COPSE_RUN_TEAM);
void note_and_engage_threads(unsigned threads, void (*call)(void* work, unsigned number), void* work) asm("__wrap_" COPSE_RUN_TEAM);

void note_and_engage_threads(unsigned threads, void (*call)(void* work, unsigned number), void* work) {
  if (address_count < 0) address_count = backtrace(return_addresses.data(), static_cast<int>(return_addresses.size()));
  engage_threads(threads, call, work);
}

namespace copse::test {
namespace {

std::vector<std::string> lines_of(const std::string& command) {
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

/// The part of a path that begins with src/ or include/copse/; empty for files that are not the library's.
std::string own_file(const std::string& path) {
  if (path.starts_with("/usr/")) return {};
  for (const std::string room : {"/src/", "/include/copse/"}) {
    const std::size_t at = path.rfind(room);
    if (at != std::string::npos) return path.substr(at + 1, path.rfind(':') - at - 1);
  }
  return {};
}

/// The library's files between the test and the first loop: the loop itself, of loops/omp.hpp, is one of them, the threads that it engages
/// (core/team) are not. A function without lines counts as a file of its own.
std::set<std::string> files_on_the_road() {
  Dl_info program;
  if (dladdr(reinterpret_cast<void*>(&note_and_engage_threads), &program) == 0) return {};
  std::string command = "addr2line -i -f -e " + std::filesystem::read_symlink("/proc/self/exe").string();
  for (void* address : std::span{return_addresses}.first(static_cast<std::size_t>(address_count))) {
    const std::uintptr_t called_from = reinterpret_cast<std::uintptr_t>(address) - 1;
    char text[32];
    std::snprintf(text, sizeof text, " 0x%zx", static_cast<std::size_t>(called_from - reinterpret_cast<std::uintptr_t>(program.dli_fbase)));
    command += text;
  }
  std::set<std::string> files;
  const auto answers = lines_of(command);
  for (std::size_t i = 0; i + 1 < answers.size(); i += 2) {
    const std::string& function = answers[i];
    if (const auto file = own_file(answers[i + 1]); !file.empty()) {
      if (file.starts_with("src/core/team")) continue;
      files.insert(file);
    } else if (answers[i + 1].starts_with("??") && function.find("5copse") != std::string::npos && !function.starts_with("__wrap_") &&
               function.find("5copse4test") == std::string::npos) {
      files.insert("without lines: " + function);
    }
  }
  return files;
}

void expect_short_road(bool trusted, const std::string& variant) {
  if (lines_of("command -v addr2line").empty()) GTEST_SKIP() << "there is no addr2line";
  static const graph g = gen::generate("er:n=200000,m=1600000");
  std::vector<std::uint32_t> labels(g.vertices());
  auto rows = std::get<csr_view<std::uint32_t, std::uint32_t>>(g.view());
  rows.trusted = trusted;
  address_count = -1;
  components(rows, std::span{labels}, {.variant = variant, .threads = 2});
  ASSERT_GT(address_count, 0) << "no loop engaged threads";
  const auto files = files_on_the_road();
  std::string listed;
  for (const auto& file : files) listed += "  " + file + "\n";
  EXPECT_TRUE(files.contains("src/api/components.cpp")) << listed;
  EXPECT_LE(files.size(), 6u) << listed;
}

TEST(first_loop, of_rows_that_are_checked_first) { expect_short_road(false, "auto"); }
TEST(first_loop, of_trusted_rows) { expect_short_road(true, "auto"); }
TEST(first_loop, of_the_fast_path) { expect_short_road(true, "omp.hb.fast"); }

}  // namespace
}  // namespace copse::test
