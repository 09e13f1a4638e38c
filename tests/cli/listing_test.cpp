// copse variants NAME --listing: every variant has a page, and the page holds its texts.
#include <gtest/gtest.h>
#include <copse/variants.hpp>

#include <string>

#include "../../cli/variant_listing.hpp"
#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

TEST(listing, of_every_variant_defines_what_its_name_says) {
  for (const problem_kind problem : {problem_kind::components, problem_kind::forest, problem_kind::incremental}) {
    for (const variant_info& variant : variants(problem)) {
      const std::string page = cli::variant_listing(variant);
      const auto expect_word = [&](std::string_view word) {
        const std::string definition = word.empty() ? "" : std::string{"name = \""}.append(word).append("\"");
        EXPECT_NE(page.find(definition), std::string::npos) << variant.name << " " << word;
      };
      EXPECT_TRUE(page.starts_with(variant.name + ": ")) << page.substr(0, 80);
      EXPECT_EQ(page.find("#include"), std::string::npos) << variant.name;
      if (variant.finish == "fast") {
        EXPECT_NE(page.find(variant.input == input_kind::csr ? "solve_fast" : "solve_list"), std::string::npos) << variant.name;
        continue;
      }
      expect_word(variant.sampler);
      expect_word(variant.finish);
      if (variant.finish != "liu_tarjan" && variant.finish != "rem_verify") expect_word(variant.find);
      expect_word(variant.splice);
    }
  }
}

TEST(listing, has_the_texts_in_reading_order) {
  const workplace folder;
  const std::string page = folder.output({"variants", "threads.kout.rem_cas.naive.halve_one", "--listing"});
  std::size_t at = 0;
  for (const char* file : {"src/sample/kout.hpp", "src/finish/united.hpp", "include/copse/extend/rules/unite/rem_cas.hpp",
                           "include/copse/extend/rules/find/naive.hpp", "include/copse/extend/rules/splice/halve_one.hpp"}) {
    const std::size_t found = page.find(std::string{"\n==== "}.append(file).append("\n\n"));
    ASSERT_NE(found, std::string::npos) << file;
    EXPECT_GT(found, at) << file;
    at = found;
  }
  EXPECT_EQ(folder.refusal({"variants", "threads.kout.*", "--listing"}).substr(0, 24), "copse: --listing takes t");
  EXPECT_EQ(folder.refusal({"variants", "--problem", "weighted", "--listing"}),
            "copse: --listing takes the name of one variant, such as threads.kout.rem_cas.naive.halve_one, not --problem weighted\n");
}

}  // namespace
}  // namespace copse::cli_test
