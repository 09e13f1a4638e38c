// Ids in what is written are the ids of the file: formats that count from 1 are written from 1, by every command.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using nlohmann::json;

// Vertices 1 to 5, edges 2-3 and 5-4.
const std::vector<std::string> from_1{"a.mtx", "a.graph", "a.gr"};

class ids_from_1 : public ::testing::TestWithParam<std::string> {
protected:
  ids_from_1() {
    folder.write("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n5 5 2\n2 3\n5 4\n");
    folder.write("a.graph", "5 2\n\n3\n2\n5\n4\n");
    folder.write("a.gr", "p sp 5 2\na 2 3 1\na 5 4 1\n");
  }
  std::string out(std::vector<std::string> arguments) { return folder.output(arguments); }
  /// The numbers of 32 bits that end a file.
  std::vector<std::uint32_t> last_words(const std::string& name, std::size_t count) {
    const std::string bytes = folder.read(name);
    std::vector<std::uint32_t> words(count);
    if (bytes.size() >= 4 * count) std::memcpy(words.data(), bytes.data() + bytes.size() - 4 * count, 4 * count);
    return words;
  }
  workplace folder;
};

TEST_P(ids_from_1, in_labels_and_sizes) {
  const std::string lines = "1\t1\n2\t2\n3\t2\n4\t4\n5\t4\n";
  for (const std::string variant : {"auto", "serial.none.rem", "serial.none.dfs", "threads.none.async.split"}) {
    EXPECT_EQ(out({"components", GetParam(), "--variant", variant, "-o", "-"}), lines) << variant;
  }
  out({"components", GetParam(), "--sizes", "s.txt", "--verify"});
  EXPECT_EQ(folder.read("s.txt"), "1\t1\n2\t2\n4\t2\n");
  EXPECT_EQ(json::parse(out({"components", GetParam(), "--json"}))["largest"]["label"], 2);
  EXPECT_EQ(out({"components", GetParam(), "-o", "-", "--labels", "dense"}), "1\t0\n2\t1\n3\t1\n4\t2\n5\t2\n");
}

TEST_P(ids_from_1, arrays_have_an_entry_per_vertex_and_hold_ids) {
  for (const std::string name : {"l.npy", "l.bin"}) {
    out({"components", GetParam(), "-o", name});
    EXPECT_EQ(last_words(name, 5), (std::vector<std::uint32_t>{1, 2, 2, 4, 4})) << name;
  }
  EXPECT_EQ(folder.read("l.bin").size(), 20u);
  EXPECT_NE(folder.read("l.npy").find("'shape': (5,)"), std::string::npos);
}

TEST_P(ids_from_1, verify_takes_what_components_wrote_and_refuses_ids_from_0) {
  for (const std::string labels : {"l.csv", "l.txt", "l.npy", "l.bin"}) {
    for (const std::string kind : {"min", "dense"}) {
      out({"components", GetParam(), "--labels", kind, "-o", labels});
      EXPECT_EQ(out({"verify", GetParam(), labels, "--labels", kind}), "right: 5 vertices, 3 components\n") << labels << ' ' << kind;
    }
  }
  folder.write("from_0.txt", "0\t0\n1\t1\n2\t1\n3\t3\n4\t3\n");
  EXPECT_EQ(folder.run({"verify", GetParam(), "from_0.txt"}).exit_code, 1);
  folder.write("one_less.txt", "1\t1\n2\t2\n3\t2\n4\t4\n");
  EXPECT_EQ(folder.run({"verify", GetParam(), "one_less.txt"}).exit_code, 1);
  folder.write("one_more.txt", "1\t1\n2\t2\n3\t2\n4\t4\n5\t4\n6\t6\n");
  EXPECT_EQ(folder.run({"verify", GetParam(), "one_more.txt"}).exit_code, 1);
}

TEST_P(ids_from_1, forests) {
  const std::string edges = out({"forest", GetParam(), "-o", "-"});
  EXPECT_TRUE(edges.find_first_of("01") == std::string::npos) << edges;
  out({"forest", GetParam(), "--rooted", "r.csv", "--labels", "l.txt", "--verify"});
  EXPECT_EQ(folder.read("r.csv"), "id,parent,depth\n1,1,0\n2,2,0\n3,2,1\n4,4,0\n5,4,1\n");
  EXPECT_EQ(folder.read("l.txt"), "1\t1\n2\t2\n3\t2\n4\t4\n5\t4\n");
  out({"forest", GetParam(), "--rooted", "r.npy"});
  EXPECT_EQ(last_words("r.npy", 6), (std::vector<std::uint32_t>{4, 4, 0, 5, 4, 1}));
}

TEST_P(ids_from_1, extract_and_convert) {
  const std::string edge = out({"extract", GetParam(), "--component", "5", "-o", "-"});
  EXPECT_TRUE(edge == "5 4\n" || edge == "4 5\n") << edge;
  EXPECT_EQ(folder.run({"extract", GetParam(), "--component", "0", "-o", "-"}).exit_code, 2);
  out({"convert", GetParam(), "b.el"});
  EXPECT_EQ(out({"components", "b.el", "-o", "-"}), "2\t2\n3\t2\n4\t4\n5\t4\n");
  EXPECT_EQ(folder.run({"convert", GetParam(), "b.mtx"}).err, "") << "counts from 1, too";
  EXPECT_EQ(folder.run({"convert", GetParam(), "b.sg"}).err,
            "copse: note: b.sg has no place for the ids of the input: its vertices count from 0, those of the input from 1\n");
  EXPECT_EQ(folder.run({"convert", "b.sg", "c.mtx"}).err,
            "copse: note: c.mtx has no place for the ids of the input: its vertices count from 1, those of the input from 0\n");
}

INSTANTIATE_TEST_SUITE_P(formats, ids_from_1, testing::ValuesIn(from_1), [](const auto& tested) { return tested.param.substr(2); });

TEST(names, of_every_kind_have_the_same_checksum_by_position) {
  const workplace folder;
  folder.write("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 3\n1 2\n4 4\n3 3\n");
  folder.write("zero.el", "0 1\n3 3\n2 2\n");
  folder.write("gaps.el", "5 6\n9 9\n8 8\n");
  folder.write("sparse.el", "1000000000000 2000000000000\n5000000000000 5000000000000\n3000000000000 3000000000000\n");
  folder.write("named.el", "amy bob\ndan dan\ncat cat\n");
  std::set<std::string> by_name, by_position;
  for (const std::string graph : {"a.mtx", "zero.el", "gaps.el", "sparse.el", "named.el"}) {
    for (const std::string variant : {"auto", "serial.none.rem", "serial.none.dfs"}) {
      const json report = json::parse(folder.run({"components", graph, "--variant", variant, "--json"}).out);
      by_name.insert(report["checksum"]);
      by_position.insert(report["positions_checksum"]);
    }
  }
  EXPECT_EQ(by_name.size(), 5u);
  EXPECT_EQ(by_position.size(), 1u);
}

}  // namespace
}  // namespace copse::cli_test
