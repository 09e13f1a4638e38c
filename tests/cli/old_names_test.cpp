// Names from before the fast path was called so: refused on the command line, and understood in files that commit 81b8f81 wrote.
#include <gtest/gtest.h>
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/variants.hpp>

#include "../../cli/machine.hpp"
#include "run_copse.hpp"
#include "support/thrown.hpp"

namespace copse::cli_test {
namespace {

const std::string corpus = COPSE_ROOT "/tests/corpus/81b8f81/";

std::string complaint_about_names(const std::vector<std::string>& arguments) {
  const workplace here;
  here.write("graph.el", "0 1\n");
  return here.refusal(arguments);
}

TEST(old_names, are_refused_with_the_new_one) {
  EXPECT_EQ(complaint_about_names({"components", "graph.el", "--variant", "omp.hb.own"}),
            "copse: --variant omp.hb.own: the finish 'own' is now called 'fast': use omp.hb.fast (copse variants lists all)\n");
  EXPECT_EQ(complaint_about_names({"components", "graph.el", "--variant", "cuda.none.own"}),
            "copse: --variant cuda.none.own: the finish 'own' is now called 'fast': use cuda.none.fast (copse variants lists all)\n");
  EXPECT_EQ(complaint_about_names({"components", "graph.el", "--variant", "hybrid.own.hb.own"}),
            "copse: --variant hybrid.own.hb.own: the finish 'own' is now called 'fast': use hybrid.fast.hb.fast\n");
  EXPECT_EQ(complaint_about_names({"components", "graph.el", "--variant", "hybrid.own.none.ecl_cc"}),
            "copse: --variant hybrid.own.none.ecl_cc: the CPU part 'own' is now called 'fast': use hybrid.fast.none.ecl_cc\n");
  EXPECT_EQ(
      complaint_about_names({"forest", "graph.el", "--variant", "serial.none.own"}),
      "copse: --variant serial.none.own: the finish 'own' is now called 'fast': use serial.none.fast (copse variants --problem forest "
      "lists all)\n");
  if (cli::unfit_to_measure.empty()) {  // others refuse to measure at all
    EXPECT_EQ(complaint_about_names({"bench", "graph.el", "--variants", "auto,serial.*.own"}),
              "copse: --variants serial.*.own: the finish 'own' is now called 'fast': use serial.*.fast (copse variants lists all)\n");
  }
  EXPECT_EQ(complaint_about_names({"bench", "compare", corpus + "bench.json", "--against", "serial.hb.own"}),
            "copse: --against: found serial.hb.own, which is now called serial.hb.fast\n");
  EXPECT_EQ(complaint_about_names({"variants", "omp.hb.own"}),
            "copse: found no variant that matches omp.hb.own, expected omp.hb.fast (copse variants lists all)\n");
}

TEST(old_names, are_refused_by_the_library) {
  for (const auto input : {input_kind::csr, input_kind::coo}) {
    EXPECT_EQ(refusal("serial.hb.own", input), "the finish 'own' is now called 'fast': use serial.hb.fast");
  }
  EXPECT_FALSE(refusal("serial.hb.fast", input_kind::csr));
  EXPECT_EQ(test::thrown<usage_error>([&] { components(gen::generate("karate"), {.variant = "hybrid.own.none.ecl_cc"}); }),
            "hybrid.own.none.ecl_cc: the CPU part 'own' is now called 'fast': use hybrid.fast.none.ecl_cc");
}

TEST(old_names, files_of_bench_are_compared_with_new_ones) {
  const workplace here;
  std::string current = here.read(corpus + "bench.json");
  std::size_t names = 0;
  for (std::size_t at = 0; (at = current.find(".own\"", at)) != std::string::npos; ++names) current.replace(at, 4, ".fast");
  ASSERT_GE(names, 3u);
  here.write("now.json", current);
  for (const auto& files : {std::vector<std::string>{corpus + "bench.json", "now.json"}, {"now.json", corpus + "bench.json"}}) {
    const outcome ended = here.run({"bench", "compare", files[0], files[1]});
    EXPECT_EQ(ended.exit_code, 0);
    EXPECT_EQ(ended.err, "") << "none is left out";
    EXPECT_NE(ended.out.find("      14.658        14.658     1.000   1.0000  no difference          1  serial.hb.fast\n"),
              std::string::npos)
        << ended.out;
    EXPECT_EQ(ended.out.find("own"), std::string::npos) << ended.out;
  }
  const std::string within = here.output({"bench", "compare", corpus + "bench.json", "--against", "serial.hb.fast"});
  EXPECT_TRUE(within.starts_with("base: serial.hb.fast\n")) << within;
}

TEST(old_files, a_checkpoint_goes_on_where_it_stood) {
  const workplace place;
  const struct {
    std::string ids, rest, labels;
  } cases[]{{"int", "3 5\n? 1 6\n", "id,component\n1,1\n2,1\n3,1\n5,1\n6,1\n"},
            {"string", "cid dot\n? ann eve\n", "id,component\nann,ann\nbob,ann\ncid,ann\ndot,ann\neve,ann\n"}};
  for (const auto& c : cases) {
    EXPECT_EQ(place.output({"stream", "-", "--resume", corpus + "stream_" + c.ids + ".ck", "--replay", "rest", "--progress", "never", "-o",
                            "labels.csv"},
                           c.rest),
              "3\tyes\n")
        << c.ids;
    EXPECT_EQ(place.read("labels.csv"), c.labels);
  }
}

}  // namespace
}  // namespace copse::cli_test
