// How far is it from a caller's arrays to the first parallel loop? Who debugs or profiles a solve reads the files on that road. The linker
// puts a function of this file in the place of the one that engages threads.
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/generate.hpp>
#include <core/team.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "support/road.hpp"

namespace {

copse::test::road to_first_loop;

}  // namespace

// Names that the linker gives with --wrap (CMakeLists.txt).
void engage_threads(unsigned threads, void (*call)(void* work, unsigned number), void* work) asm("__real_" COPSE_RUN_TEAM);
void note_and_engage_threads(unsigned threads, void (*call)(void* work, unsigned number), void* work) asm("__wrap_" COPSE_RUN_TEAM);

void note_and_engage_threads(unsigned threads, void (*call)(void* work, unsigned number), void* work) {
  to_first_loop.note();
  engage_threads(threads, call, work);
}

namespace copse::test {
namespace {

void expect_short_road(bool trusted, const std::string& variant) {
  if (!has_addr2line()) GTEST_SKIP() << "there is no addr2line";
  static const graph g = gen::generate("er:n=200000,m=1600000");
  std::vector<std::uint32_t> labels(g.vertices());
  auto rows = std::get<csr_view<std::uint32_t, std::uint32_t>>(g.view());
  rows.trusted = trusted;
  to_first_loop.start();
  components(rows, std::span{labels}, {.variant = variant}, {.threads = 2});
  ASSERT_TRUE(to_first_loop.noted()) << "no loop engaged threads";
  // The loop itself, of loops/threads.hpp, is one of them, the threads that it engages are not.
  const auto files = to_first_loop.files(reinterpret_cast<const void*>(&note_and_engage_threads), "src/core/team");
  EXPECT_TRUE(files.contains("src/api/components.cpp")) << listed(files);
  EXPECT_LE(files.size(), 6u) << listed(files);
}

TEST(first_loop, of_rows_that_are_checked_first) { expect_short_road(false, "auto"); }
TEST(first_loop, of_trusted_rows) { expect_short_road(true, "auto"); }
TEST(first_loop, of_the_fast_path) { expect_short_road(true, "threads.hb.fast"); }

}  // namespace
}  // namespace copse::test
