// Where answers are wanted: beside the input records, packed, in any format on standard output, with a map of ids.
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

outcome done(const workplace& folder, const std::vector<std::string>& arguments) {
  outcome ended = folder.run(arguments);
  EXPECT_EQ(ended.exit_code, 0) << arguments.front() << ": " << ended.err;
  return ended;
}

TEST(append, copies_the_records_byte_for_byte) {
  const workplace folder;
  folder.write("pairs.csv",
               "id_l , score,id_r\r\n"
               "\"Smith, J\",0.9,\"say \"\"hi\"\"\"\n"
               "\n"
               "plain ,1,\"two\nlines\"\r\n"
               "two,,plain ");
  done(folder, {"components", "pairs.csv", "--columns", "id_l,id_r", "--append", "out.csv"});
  EXPECT_EQ(folder.read("out.csv"),
            "id_l , score,id_r,component\r\n"
            "\"Smith, J\",0.9,\"say \"\"hi\"\"\",\"Smith, J\"\n"
            "\n"
            "plain ,1,\"two\nlines\",plain\r\n"
            "two,,plain ,plain");
}

TEST(append, integers_tabs_blanks_comments_and_dropped_records) {
  const workplace folder;
  folder.write("pairs.tsv", "# of today\nfrom\tto\tw\n30\t20\t1\n20\t10\t1\n7\t10\t0.1\n");
  done(folder, {"components", "pairs.tsv", "--weight", "3", "--min-weight", "0.5", "--append", "out.tsv"});
  EXPECT_EQ(folder.read("out.tsv"), "# of today\nfrom\tto\tw\tcomponent\n30\t20\t1\t10\n20\t10\t1\t10\n7\t10\t0.1\t\n");
  folder.write("pairs.txt", "3 4\n 5   4 \n");
  done(folder, {"components", "pairs.txt", "--append", "out.txt", "--labels", "dense"});
  EXPECT_EQ(folder.read("out.txt"), "3 4 0\n 5   4  0\n");
}

TEST(append, a_component_with_the_delimiter_in_its_name_is_quoted) {
  const workplace folder;
  folder.write("pairs.csv", "\"a;b\";c\nc;d\n");
  done(folder, {"components", "pairs.csv", "--delimiter", ";", "--append", "out.csv"});
  EXPECT_EQ(folder.read("out.csv"), "\"a;b\";c;\"a;b\"\nc;d;\"a;b\"\n");
}

TEST(append, what_has_no_records_is_refused) {
  const workplace folder;
  folder.write("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n");
  for (const std::string graph : {"karate", "a.mtx", "-"}) {
    const std::string complaint = folder.refusal({"components", graph, "--append", "out.csv"}, "1 2\n");
    EXPECT_TRUE(complaint.starts_with("copse: --append takes one file of edges in text, not ")) << complaint;
    EXPECT_FALSE(folder.has("out.csv"));
  }
}

std::string gunzipped(const std::filesystem::path& path) {
  const gzFile file = gzopen(path.c_str(), "rb");
  std::string text(1 << 16, '\0');
  text.resize(static_cast<std::size_t>(std::max(0, gzread(file, text.data(), 1 << 16))));
  gzclose(file);
  return text;
}

std::string unzstd(const std::string& bytes) {
  std::string text(1 << 16, '\0');
  const std::size_t size = ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size());
  EXPECT_EQ(ZSTD_isError(size), 0u);
  text.resize(ZSTD_isError(size) != 0 ? 0 : size);
  return text;
}

/// A table of sizes is joined with the labels, so it calls components as they do.
TEST(outputs, sizes_are_of_the_labels_beside_them) {
  const workplace folder;
  folder.write("g.el", "7 8\n3 4\n4 5\n");
  folder.write("r.csv", "id,key\na,x\nb,x\nc,y\n");
  done(folder, {"components", "g.el", "-o", "l.csv", "--sizes", "s.csv", "--labels", "dense"});
  EXPECT_EQ(folder.read("l.csv"), "id,component\n3,0\n4,0\n5,0\n7,1\n8,1\n");
  EXPECT_EQ(folder.read("s.csv"), "component,size\n0,3\n1,2\n");
  done(folder, {"components", "g.el", "--sizes", "s.csv", "--labels", "dense"});
  EXPECT_EQ(folder.read("s.csv"), "component,size\n0,3\n1,2\n");
  done(folder, {"group", "r.csv", "--id", "id", "--by", "key", "--sizes", "s.txt", "--labels", "dense"});
  EXPECT_EQ(folder.read("s.txt"), "0\t2\n1\t1\n");
  done(folder, {"reduce", "g.el", "-o", "g.forest"});
  done(folder, {"merge", "g.forest", "-o", "l.csv", "--sizes", "s.csv", "--labels", "dense"});
  EXPECT_EQ(folder.read("s.csv"), "component,size\n0,3\n1,2\n");
}

/// components, group and merge tell and write their labels by the same code.
TEST(outputs, of_labels_are_the_same_whichever_command_found_them) {
  const workplace folder;
  folder.write("g.el", "7 8\n3 4\n4 5\n");
  folder.write("keys.txt", "a 7\na 8\nb 3\nb 4\nc 4\nc 5\n");
  done(folder, {"reduce", "g.el", "-o", "g.forest"});
  const std::vector<std::vector<std::string>> commands{{"components", "g.el"}, {"group", "keys.txt", "--by-line"}, {"merge", "g.forest"}};
  std::string archive;
  for (std::vector<std::string> command : commands) {
    command.insert(command.end(), {"--top", "2", "-o"});
    const std::size_t file = command.size();
    command.insert(command.end(), {"-", "--output-format", "csv"});
    const outcome plain = done(folder, command);
    EXPECT_EQ(plain.out, "id,component\n3,3\n4,3\n5,3\n7,7\n8,7\n") << command[0];
    EXPECT_NE(plain.err.find("largest     3 (label 3)\n"), std::string::npos) << plain.err;
    EXPECT_NE(plain.err.find("top 1       3 (label 3)\ntop 2       2 (label 7)\n"), std::string::npos) << plain.err;
    command[file] = "l.npz";
    command[file + 2] = "npz";
    command.push_back("--json");
    const auto answer = nlohmann::json::parse(done(folder, command).out);
    EXPECT_EQ(answer["largest"].dump(), R"({"label":3,"size":3})") << command[0];
    EXPECT_EQ(answer["top"].dump(), R"([{"ids":[3,4,5],"label":3,"size":3},{"ids":[7,8],"label":7,"size":2}])") << command[0];
    if (archive.empty()) archive = folder.read("l.npz");
    EXPECT_EQ(folder.read("l.npz"), archive) << command[0];
    command[file] = "-";
    EXPECT_EQ(folder.run(command).exit_code, 2) << command[0];
  }
  EXPECT_EQ(folder.run({"merge", "g.forest", "-o", "-", "--output-format", "forest"}).err,
            "copse: a .forest cannot go to standard output: give -o FILE.forest\n");
}

TEST(outputs, are_packed_by_suffix) {
  const workplace folder;
  folder.write("g.el", "1 2\n4 5\n");
  for (const std::string name : {"l.csv", "l.npy", "l.txt"}) {
    done(folder, {"components", "g.el", "-o", name, "--sizes", "s.csv"});
    const std::string plain = folder.read(name), sizes = folder.read("s.csv");
    done(folder, {"components", "g.el", "-o", name + ".gz", "--sizes", "s.csv.zst"});
    EXPECT_EQ(gunzipped(folder.folder() / (name + ".gz")), plain);
    EXPECT_EQ(unzstd(folder.read("s.csv.zst")), sizes);
    done(folder, {"components", "g.el", "-o", name + ".zst"});
    EXPECT_EQ(unzstd(folder.read(name + ".zst")), plain);
    done(folder, {"verify", "g.el", name + ".gz"});
  }
  done(folder, {"forest", "g.el", "-o", "f.csv.gz", "--rooted", "r.csv.zst", "--labels", "l.csv.gz"});
  EXPECT_EQ(gunzipped(folder.folder() / "f.csv.gz").substr(0, 4), "u,v\n");
  EXPECT_EQ(unzstd(folder.read("r.csv.zst")).substr(0, 16), "id,parent,depth\n");
  done(folder, {"convert", "g.el", "g.sg.zst"});
  done(folder, {"convert", "g.el", "g.sg"});
  EXPECT_EQ(unzstd(folder.read("g.sg.zst")), folder.read("g.sg"));
}

TEST(outputs, large_ones_are_packed_whole) {
  const workplace folder;
  done(folder, {"generate", "path:n=400000", "-o", "p.el.gz"});
  done(folder, {"generate", "path:n=400000", "-o", "p.el.zst"});
  for (const std::string graph : {"p.el.gz", "p.el.zst"}) {
    const std::string text = done(folder, {"components", graph}).out;
    EXPECT_TRUE(text.starts_with("vertices    400000\nedges       399999\ncomponents  1\n")) << text;
  }
}

TEST(outputs, have_any_format_on_standard_output) {
  const workplace folder;
  folder.write("g.el", "1 2\n");
  EXPECT_EQ(done(folder, {"components", "g.el", "-o", "-", "--output-format", "csv"}).out, "id,component\n1,1\n2,1\n");
  EXPECT_TRUE(done(folder, {"components", "g.el", "-o", "-", "--output-format", "npy"}).out.starts_with("\x93NUMPY"));
  EXPECT_EQ(done(folder, {"forest", "g.el", "-o", "-", "--output-format", "csv"}).out, "u,v\n1,2\n");
  EXPECT_TRUE(done(folder, {"convert", "g.el", "-", "--output-format", "mtx"}).out.starts_with("%%MatrixMarket"));
  done(folder, {"components", "g.el", "-o", "labels", "--output-format", "csv"});
  EXPECT_EQ(folder.read("labels"), "id,component\n1,1\n2,1\n");
  EXPECT_EQ(folder.run({"components", "g.el", "-o", "-", "--output-format", "sg"}).exit_code, 2);
}

TEST(outputs, say_which_id_a_vertex_had) {
  const workplace folder;
  folder.write("g.el", "30 10\n10 20\n");
  EXPECT_EQ(done(folder, {"convert", "g.el", "g.mtx", "--id-map", "ids.csv"}).err, "");
  EXPECT_EQ(folder.read("ids.csv"), "position,id\n1,10\n2,20\n3,30\n");
  done(folder, {"convert", "g.el", "g.sg", "--id-map", "ids.txt"});
  EXPECT_EQ(folder.read("ids.txt"), "0\t10\n1\t20\n2\t30\n");
  done(folder, {"convert", "g.el", "g.egr", "--id-map", "ids.npy"});
  const std::string bytes = folder.read("ids.npy");
  std::uint32_t last = 0;
  std::memcpy(&last, bytes.data() + bytes.size() - 4, 4);
  EXPECT_EQ(last, 30u);
  folder.write("s.el", "zoe amy\n");
  done(folder, {"extract", "s.el", "--largest", "-o", "s.sg", "--id-map", "ids.csv"});
  EXPECT_EQ(folder.read("ids.csv"), "position,id\n0,amy\n1,zoe\n");
  EXPECT_EQ(folder.run({"convert", "g.el", "h.el", "--id-map", "ids.csv"}).exit_code, 2);
}

TEST(outputs, of_lists_say_that_isolated_vertices_are_left_out) {
  const workplace folder;
  folder.write("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n5 5 2\n1 2\n3 3\n");
  EXPECT_EQ(done(folder, {"convert", "a.mtx", "a.el"}).err, "copse: note: a.el lists edges: 2 isolated vertices are not in it\n");
  EXPECT_EQ(done(folder, {"convert", "a.mtx", "b.mtx"}).err, "");
}

TEST(append, knows_the_ids_with_their_prefix) {
  const workplace folder;
  folder.write("pairs.csv", "1,2\n7,1\n");
  const std::vector<std::string> command{"components", "pairs.csv", "--append", "out.csv", "--prefix-left", "a"};
  ASSERT_EQ(folder.run(command).exit_code, 0);
  EXPECT_EQ(folder.read("out.csv"), "1,2,2\n7,1,1\n");
  ASSERT_EQ(
      folder.run({"components", "pairs.csv", "--append", "out.csv", "--prefix-left", "a", "--prefix-right", "b", "--ids", "int"}).exit_code,
      0);
  EXPECT_EQ(folder.read("out.csv"), "1,2,a1\n7,1,a7\n");
}

}  // namespace
}  // namespace copse::cli_test
