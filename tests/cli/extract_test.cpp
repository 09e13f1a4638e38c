// copse extract: one component as a graph, its vertices called as they were.
#include <gtest/gtest.h>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

constexpr const char* small = "10 20\n20 30\n7 5\n30 30\n";

TEST(extract, the_largest) {
  const workplace folder;
  folder.write("small.el", small);
  const outcome ended = folder.run({"extract", "small.el", "--largest", "-o", "part.el"});
  ASSERT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_EQ(folder.read("part.el"), "10 20\n20 30\n30 30\n");
}

TEST(extract, the_component_of_any_of_its_vertices) {
  const workplace folder;
  folder.write("small.el", small);
  ASSERT_EQ(folder.run({"extract", "small.el", "--component", "7", "-o", "part.el"}).exit_code, 0);
  EXPECT_EQ(folder.read("part.el"), "7 5\n");
}

TEST(extract, by_a_string) {
  const workplace folder;
  folder.write("people.el", "zoe amy\ncat bob\n");
  ASSERT_EQ(folder.run({"extract", "people.el", "--ids", "string", "--component", "zoe", "-o", "part.el"}).exit_code, 0);
  EXPECT_EQ(folder.read("part.el"), "zoe amy\n");
}

TEST(extract, from_rows_into_rows) {
  const workplace folder;
  ASSERT_EQ(folder.run({"generate", "er:n=2000,m=1500", "-o", "er.sg"}).exit_code, 0);
  ASSERT_EQ(folder.run({"extract", "er.sg", "--largest", "-o", "giant.sg"}).exit_code, 0);
  const outcome whole = folder.run({"components", "er.sg"});
  const std::string part = folder.output({"components", "giant.sg", "--verify"});
  EXPECT_NE(part.find("components  1\n"), std::string::npos) << part;
  const auto size_of_largest = [](const std::string& text) {
    return text.substr(text.find("largest") + 12, text.find(" (label") - text.find("largest") - 12);
  };
  EXPECT_EQ(size_of_largest(part), size_of_largest(whole.out));
}

TEST(extract, an_id_that_is_not_there) {
  const workplace folder;
  folder.write("small.el", small);
  EXPECT_EQ(folder.refusal({"extract", "small.el", "--component", "6", "-o", "part.el"}),
            "copse: --component: no vertex of small.el is called 6\n");
  EXPECT_FALSE(folder.has("part.el"));
}

}  // namespace
}  // namespace copse::cli_test
