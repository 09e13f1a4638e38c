// copse reduce and copse merge of edges with weights, end to end: what one process says of every threshold.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using nlohmann::json;

std::string random_weighted_text(const std::string& before, std::uint64_t times) {
  std::mt19937 random{3};
  std::string text;
  const auto name = [&] { return before + std::to_string(random() % 300 * times); };
  for (int i = 0; i < 500; ++i) {
    const std::string u = name();
    text += u + " " + name() + " 0." + std::to_string(random() % 10) + "\n";
  }
  return text;
}

std::vector<std::string> reduced(const workplace& folder, const std::string& file, int parts, const std::vector<std::string>& options) {
  std::vector<std::string> files;
  for (int part = parts; part >= 1; --part) {
    files.push_back(std::to_string(part) + ".forest");
    std::vector<std::string> arguments{"reduce", file,         "--part",  std::to_string(part) + "/" + std::to_string(parts),
                                       "-o",     files.back(), "--verify"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const std::string printed = folder.output(arguments);
    EXPECT_NE(printed.find("verified    yes"), std::string::npos) << printed;
  }
  return files;
}

outcome merge(const workplace& folder, const std::vector<std::string>& files, const std::vector<std::string>& options) {
  std::vector<std::string> arguments{"merge"};
  arguments.insert(arguments.end(), files.begin(), files.end());
  arguments.insert(arguments.end(), options.begin(), options.end());
  return folder.run(arguments);
}

TEST(merged_forests_with_weights, say_of_thresholds_what_one_process_says) {
  for (const auto& [before, times] : {std::pair{std::string{}, 1}, std::pair{std::string{}, 1000003}, std::pair{std::string{"v"}, 1}}) {
    const workplace folder;
    folder.write("g.el", random_weighted_text(before, static_cast<std::uint64_t>(times)));
    ASSERT_EQ(folder.run({"thresholds", "g.el", "--weight", "3", "-o", "curve.csv"}).exit_code, 0);
    ASSERT_EQ(folder.run({"thresholds", "g.el", "--weight", "3", "--at", ".8,.5", "--labels", "columns.csv", "-o", "two.csv"}).exit_code,
              0);
    ASSERT_EQ(folder.run({"components", "g.el", "--columns", "1,2", "-o", "all.csv"}).exit_code, 0);
    for (const int parts : {1, 3, 7}) {
      const auto files = reduced(folder, "g.el", parts, {"--weight", "3"});
      const outcome ended = merge(folder, files,
                                  {"-o", "labels.csv", "--curve", "merged.csv", "--edges", "edges.el", "--json", "--verify",
                                   "--verify-against", "g.el", "--weight", "3"});
      ASSERT_EQ(ended.exit_code, 0) << ended.err;
      EXPECT_EQ(folder.read("labels.csv"), folder.read("all.csv")) << parts;
      EXPECT_EQ(folder.read("merged.csv"), folder.read("curve.csv")) << parts;
      const json said = json::parse(ended.out);
      EXPECT_EQ(said["verified"], true);
      EXPECT_EQ(said["weighted"]["goal"], "maximum");
      EXPECT_EQ(said["weighted"]["forest_edges"], said["vertices"].get<int>() - said["components"].get<int>());
      ASSERT_EQ(merge(folder, files, {"--at", ".8,.5", "--label-columns", "own.csv", "--curve", "own_two.csv"}).exit_code, 0);
      EXPECT_EQ(folder.read("own.csv"), folder.read("columns.csv")) << parts;
      EXPECT_EQ(folder.read("own_two.csv"), folder.read("two.csv")) << parts;
      ASSERT_EQ(merge(folder, files, {"--min-weight", ".8", "-o", "heavy.csv", "--verify"}).exit_code, 0);
      std::string first_column = "id,component\n";
      std::istringstream lines{folder.read("columns.csv")};
      std::string line;
      std::getline(lines, line);
      while (std::getline(lines, line)) first_column += line.substr(0, line.rfind(',')) + "\n";
      EXPECT_EQ(folder.read("heavy.csv"), first_column) << parts;
    }
  }
}

TEST(merged_forests_with_weights, go_on_in_a_tree_and_as_edges) {
  const workplace folder;
  folder.write("g.csv", "l,r,p\na,b,0.9\nb,c,0.2\nd,e,0.8\nc,d,0.95\na,c,0.1\n");
  const auto files = reduced(folder, "g.csv", 3, {"--weight", "p"});
  ASSERT_EQ(merge(folder, {files[0], files[1]}, {"-o", "inner.forest"}).exit_code, 0);
  ASSERT_EQ(merge(folder, {"inner.forest", files[2], files[0]}, {"-o", "tree.forest", "--edges", "tree.csv"}).exit_code, 0);
  ASSERT_EQ(merge(folder, files, {"-o", "flat.forest"}).exit_code, 0);
  EXPECT_EQ(folder.read("tree.forest"), folder.read("flat.forest"));
  EXPECT_EQ(folder.read("tree.csv"), "u,v,weight\na,b,0.9\nb,c,0.2\nc,d,0.95\nd,e,0.8\n");
}

TEST(merged_forests_with_weights, of_the_lightest_edges) {
  const workplace folder;
  folder.write("g.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 5\n3 1 7\n3 2 6\n");
  const auto files = reduced(folder, "g.mtx", 2, {"--minimum"});
  ASSERT_EQ(merge(folder, files, {"--edges", "edges.el"}).exit_code, 0);
  EXPECT_EQ(folder.read("edges.el"), "1 2 5\n2 3 6\n");
  const outcome refused = merge(folder, files, {"--min-weight", "2", "-o", "labels.csv"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("need maximum forests"), std::string::npos) << refused.err;
}

TEST(merged_forests_with_weights, may_be_packed) {
  const workplace folder;
  folder.write("g.el", "0 1 0.5\n1 2 0.25\n");
  ASSERT_EQ(folder.run({"reduce", "g.el", "--weight", "3", "-o", "w.forest"}).exit_code, 0);
  if (std::system(("gzip '" + (folder.folder() / "w.forest").string() + "'").c_str()) != 0) GTEST_SKIP() << "no gzip here";
  EXPECT_EQ(folder.run({"merge", "w.forest.gz", "--min-weight", ".4", "-o", "-"}).out, "0\t0\n1\t0\n2\t2\n");
}

TEST(merged_forests_with_weights, are_refused_where_nothing_sensible_was_asked) {
  const workplace folder;
  folder.write("g.el", "0 1 0.5\n1 2 0.25\n");
  ASSERT_EQ(folder.run({"reduce", "g.el", "--weight", "3", "-o", "w.forest"}).exit_code, 0);
  ASSERT_EQ(folder.run({"reduce", "g.el", "-o", "plain.forest"}).exit_code, 0);
  EXPECT_EQ(folder.refusal({"merge", "w.forest", "plain.forest"}),
            "copse: w.forest has weights, and plain.forest has none: forests must all have weights, or none of them\n");
  EXPECT_EQ(folder.refusal({"merge", "plain.forest", "w.forest"}),
            "copse: plain.forest has no weights, and w.forest has some: forests must all have weights, or none of them\n");
  EXPECT_EQ(folder.refusal({"merge", "plain.forest", "--min-weight", ".4"}),
            "copse: --min-weight needs --verify-against, or forests with weights, which copse reduce --weight or --maximum writes\n");
  EXPECT_EQ(folder.refusal({"merge", "plain.forest", "--curve", "c.csv"}),
            "copse: --curve, --edges and --label-columns need forests with weights, which copse reduce --weight or --maximum writes\n");
  EXPECT_EQ(folder.refusal({"merge", "w.forest", "--min-weight", ".4", "-o", "x.forest"}),
            "copse: --min-weight needs a file of labels, as a .forest keeps all thresholds: give -o FILE.csv\n");
  EXPECT_EQ(folder.refusal({"merge", "w.forest", "--at", ".4"}), "copse: --at needs --curve or --label-columns\n");
  EXPECT_EQ(folder.refusal({"reduce", "g.el", "--maximum", "-o", "x.forest"}),
            "copse: --maximum needs --weight C, which names the column of weights of an edge list\n");
  EXPECT_EQ(folder.refusal({"reduce", "g.el", "--weight", "3", "--variant", "serial.none.uf", "-o", "x.forest"}),
            "copse: --weight cannot be used with --variant or --device: the edges of a part are united while they are parsed\n");
  std::string damaged = folder.read("w.forest");
  damaged[100] = static_cast<char>(damaged[100] ^ 1);
  folder.write("damaged.forest", damaged);
  EXPECT_EQ(folder.refusal({"merge", "damaged.forest", "-o", "labels.csv"}),
            "damaged.forest: found a wrong checksum, expected the bytes that were saved (the file is damaged)\n");
  EXPECT_FALSE(folder.has("labels.csv"));
  EXPECT_FALSE(folder.has("x.forest"));
}

TEST(merged_forests_with_weights, that_are_wrong_are_not_written) {
  const workplace folder;
  folder.write("g.el", "0 1 0.5\n1 2 0.25\n");
  folder.write("more.el", "0 1 0.5\n1 2 0.25\n0 2 0.75\n");
  ASSERT_EQ(folder.run({"reduce", "g.el", "--weight", "3", "-o", "w.forest"}).exit_code, 0);
  const outcome ended = folder.run({"merge", "w.forest", "-o", "labels.csv", "--verify-against", "more.el", "--weight", "3"});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_NE(ended.err.find("nothing written"), std::string::npos) << ended.err;
  EXPECT_FALSE(folder.has("labels.csv"));
}

}  // namespace
}  // namespace copse::cli_test
