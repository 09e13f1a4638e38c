// Weights through the commands: what is refused, dropped, compared, kept and written, whatever the format. One table for each kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/npz_bytes.hpp"
#include "run_copse.hpp"
#include "support/temporary_folder.hpp"

namespace copse::cli_test {
namespace {

using testing::npy;
using testing::packed;
using words = std::vector<std::string>;

const std::string cases = COPSE_ROOT "/tests/corpus/cases/";
constexpr float nine_tenths = .9F;
const double nan = std::numeric_limits<double>::quiet_NaN();

/// The matrix of the edges 0-1 and 1-2 as SciPy saves it, with data of this type.
std::string matrix(const std::string& dtype, const std::string& data, bool coo = true) {
  const std::string places = packed<std::int32_t>({0, 1}), others = packed<std::int32_t>({1, 2});
  const std::string offsets = npy("<i4", false, "(4,)", packed<std::int32_t>({0, 1, 2, 2}));
  return testing::zip({{coo ? "row.npy" : "indptr.npy", coo ? npy("<i4", false, "(2,)", places) : offsets},
                       {coo ? "col.npy" : "indices.npy", npy("<i4", false, "(2,)", others)},
                       {"format.npy", npy("|S3", false, "()", coo ? "coo" : "csr")},
                       {"shape.npy", npy("<i8", false, "(2,)", packed<std::int64_t>({3, 3}))},
                       {"data.npy", npy(dtype, false, "(2,)", data)}});
}

/// An ECL graph of the edge 0-1, of weight 7, and the vertex 2.
std::string ecl() { return packed<std::int32_t>({3, 2, 0, 1, 2, 2, 1, 0, 7, 7}); }

struct input_file {
  std::string name, content;
};
const input_file list{"w.txt", "1 2 nan\n2 3 .9\n"}, csv{"w.csv", "l,r,w\n1,2,.9\n2,3,NaN\n"},
    mtx{"w.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 .9\n2 3 -nan\n"}, gr{"w.gr", "p sp 3 2\na 1 2 nan\na 2 3 2\n"},
    metis{"w.graph", "3 2 1\n2 .9\n1 .9 3 nan\n2 nan\n"}, adj{"w.adj", "WeightedAdjacencyGraph\n3\n2\n0\n1\n2\n1\n2\n.9\nnan\n"},
    floats{"w.npz", matrix("<f4", packed<float>({.9F, NAN}))}, doubles{"w.npz", matrix("<f8", packed<double>({nan, .9}), false)};

words with(words command, const words& further) {
  command.insert(command.end(), further.begin(), further.end());
  return command;
}

TEST(weights, that_are_not_a_number_are_refused_with_their_place) {
  const words third{"--weight", "3", "--min-weight", ".5"}, least{"--min-weight", ".5"};
  struct {
    const input_file& file;
    words command;
    std::string said;
  } const rows[] = {
      {list, with({"components", "w.txt", "-o", "-"}, third), "w.txt:1: found \"nan\", expected a number as weight in column 3"},
      {list, with({"reduce", "w.txt", "-o", "f.forest"}, third), "w.txt:1: found \"nan\", expected a number as weight in column 3"},
      {list, with({"stream", "w.txt"}, third), "w.txt:1: found \"nan\", expected a number as weight in column 3"},
      {list, with({"bridges", "w.txt"}, third), "w.txt:1: found \"nan\", expected a number as weight in column 3"},
      {list, with({"info", "w.txt"}, third), "w.txt:1: found \"nan\", expected a number as weight in column 3"},
      {list, {"thresholds", "w.txt", "--weight", "3"}, "w.txt:1: found \"nan\", expected a number as weight in column 3"},
      {list, {"explain", "w.txt", "1", "3", "--weight", "3"}, "w.txt:1: found \"nan\", expected a number as weight in column 3"},
      {list, {"convert", "w.txt", "o.mtx", "--weight", "3"}, "w.txt:1: found \"nan\", expected a number as weight in column 3"},
      {list,
       {"extract", "w.txt", "--largest", "-o", "o.el", "--weight", "3"},
       "w.txt:1: found \"nan\", expected a number as weight in column 3"},
      {csv,
       {"components", "w.csv", "--weight", "w", "--min-weight", "-inf"},
       "w.csv:3: found \"NaN\", expected a number as weight in column 3"},
      {csv, with({"components", "w.csv", "--na", "NA,"}, third), "w.csv:3: found \"NaN\", expected a number as weight in column 3"},
      {mtx, with({"components", "w.mtx"}, least), "w.mtx:4: found \"-nan\", expected a number as value"},
      {mtx, {"convert", "w.mtx", "o.el"}, "w.mtx:4: found \"-nan\", expected a number as value"},
      {gr, with({"components", "w.gr"}, least), "w.gr:2: found \"nan\", expected a number as value"},
      {gr, with({"extract", "w.gr", "--largest", "-o", "o.mtx"}, least), "w.gr:2: found \"nan\", expected a number as value"},
      {metis, with({"components", "w.graph"}, least), "w.graph:3: found \"nan\", expected a number as the weight of an edge"},
      {adj, with({"reduce", "w.adj", "-o", "f.forest"}, least), "w.adj:10: found \"nan\", expected a number as weight"},
      {floats, with({"components", "w.npz"}, least), "w.npz (data.npy): found nan at byte 132, expected a number as weight"},
      {doubles, with({"bridges", "w.npz"}, least), "w.npz (data.npy): found nan at byte 128, expected a number as weight"},
      {doubles, {"convert", "w.npz", "o.csv"}, "w.npz (data.npy): found nan at byte 128, expected a number as weight"},
  };
  for (const auto& row : rows) {
    const workplace folder;
    folder.write(row.file.name, row.file.content);
    EXPECT_EQ(folder.refusal(row.command), row.said + "\n");
    EXPECT_EQ(folder.files(), words{row.file.name}) << "nothing is written";
  }
  const workplace folder;
  EXPECT_EQ(folder.refusal(with({"components", cases + "nan-weight-dropped/input.txt", "-o", "-"}, third)),
            cases + "nan-weight-dropped/input.txt:1: found \"nan\", expected a number as weight in column 3\n");
}

TEST(weights, that_are_missing_are_dropped_and_counted_where_na_says_so) {
  const words third{"--weight", "3", "--min-weight", ".5", "-o", "-"}, least{"--min-weight", ".5", "-o", "-"};
  struct {
    const input_file& file;
    words command;
    std::string out, note;
  } const rows[] = {
      {list, with({"components", "w.txt", "--na", "nan"}, third), "2\t2\n3\t2\n", "w.txt: 1 edge dropped for a missing weight"},
      {list, with({"components", "w.txt", "--na", "NULL,NaN"}, third), "2\t2\n3\t2\n", "w.txt: 1 edge dropped for a missing weight"},
      {{"e.csv", "a,b,w\n1,2,\n2,3,NULL\n3,4,1\n"},
       with({"components", "e.csv", "--na", ",NULL"}, third),
       "3\t3\n4\t3\n",
       "e.csv: 2 edges dropped for a missing weight"},
      {list,
       {"forest", "w.txt", "--weight", "3", "--maximum", "--na", "nan", "-o", "-"},
       "2 3 0.9\n",
       "w.txt: 1 edge dropped for a missing weight"},
      {mtx, with({"components", "w.mtx", "--na", "nan"}, least), "1\t1\n2\t1\n3\t3\n", "w.mtx: 1 edge dropped for a missing weight"},
      {gr, with({"components", "w.gr", "--na", "nan"}, least), "1\t1\n2\t2\n3\t2\n", "w.gr: 1 edge dropped for a missing weight"},
      {metis, with({"components", "w.graph", "--na", "nan"}, least), "1\t1\n2\t1\n3\t3\n", "w.graph: 2 arcs dropped for a missing weight"},
      {adj, with({"components", "w.adj", "--na", "nan"}, least), "0\t0\n1\t0\n2\t2\n", "w.adj: 1 arc dropped for a missing weight"},
      {floats, with({"components", "w.npz", "--na", "nan"}, least), "0\t0\n1\t0\n2\t2\n", "w.npz: 1 arc dropped for a missing weight"},
      {doubles, {"forest", "w.npz", "--minimum", "--na", "nan", "-o", "-"}, "1 2 0.9\n", "w.npz: 1 arc dropped for a missing weight"},
  };
  for (const auto& row : rows) {
    const workplace folder;
    folder.write(row.file.name, row.file.content);
    const outcome ended = folder.run(row.command);
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_EQ(ended.out, row.out) << ::testing::PrintToString(row.command);
    EXPECT_NE(ended.err.find("copse: note: " + row.note + "\n"), std::string::npos) << ended.err;
  }
  const workplace folder;
  folder.write("w.txt", list.content);
  const auto answer =
      nlohmann::json::parse(folder.output({"components", "w.txt", "--na", "nan", "--weight", "3", "--min-weight", ".5", "--json"}));
  EXPECT_EQ(answer["missing_weights"], 1);
  EXPECT_EQ(answer["missing_ends"], 0);
  const outcome streamed =
      folder.run({"stream", "w.txt", "--na", "nan", "--weight", "3", "--min-weight", ".5", "-o", "l.csv", "--progress", "never"});
  EXPECT_EQ(streamed.err, "copse: note: w.txt: 1 edge dropped for a missing weight\n");
  EXPECT_EQ(folder.read("l.csv"), "id,component\n2,2\n3,2\n");
}

TEST(weights, below_the_threshold_are_counted) {
  const workplace folder;
  folder.write("list.txt", "1 2 .4\n2 3 .9\n3 4 .1\n");
  folder.write("table.csv", "l,r,w\n1,2,.4\n2,3,.9\n3,4,.1\n");
  folder.write("rows.graph", "4 3 1\n2 .4\n1 .4 3 .9\n2 .9 4 .1\n3 .1\n");
  folder.write("coo.npz", matrix("<f4", packed<float>({.9F, .4F})));
  const struct {
    std::string file;
    words weight;
    int below;  // of rows, arcs
  } inputs[] = {{"list.txt", {"--weight", "3"}, 2}, {"table.csv", {"--weight", "w"}, 2}, {"rows.graph", {}, 4}, {"coo.npz", {}, 1}};
  for (const auto& [file, weight, below] : inputs) {
    const words command = with({"components", file, "--min-weight", ".5"}, weight);
    EXPECT_EQ(nlohmann::json::parse(folder.output(with(command, {"--json"})))["below_min_weight"], below) << file;
    const std::string line = "left out    " + std::to_string(below) + " (weight below 0.5)\n";
    EXPECT_NE(folder.output(command).find(line), std::string::npos) << file;
    if (weight.empty()) continue;
    EXPECT_NE(folder.output(with({"cluster", file, "--min-weight", ".5"}, weight)).find(line), std::string::npos) << file;
  }
  EXPECT_EQ(folder.output({"components", "list.txt", "--weight", "3", "--min-weight", "0"}).find("left out"), std::string::npos);
}

TEST(weights, of_32_bits_reach_the_threshold_that_rounds_to_them) {
  const workplace folder;
  const double above = static_cast<double>(nine_tenths);
  folder.write("coo.npz", matrix("<f4", packed<float>({nine_tenths, .5F})));
  folder.write("csr.npz", matrix("<f4", packed<float>({nine_tenths, .5F}), false));
  folder.write("doubles.npz", matrix("<f8", packed<double>({above, .5})));
  folder.write("whole.npz", matrix("<i8", packed<std::int64_t>({(std::int64_t{1} << 53) + 3, 1})));
  const std::string joined = "0\t0\n1\t0\n2\t2\n", apart = "0\t0\n1\t1\n2\t2\n";
  for (const std::string file : {"coo.npz", "csr.npz"}) {
    EXPECT_EQ(folder.output({"components", file, "--min-weight", "0.9", "-o", "-"}), joined) << file;
    EXPECT_EQ(folder.output({"components", file, "--min-weight", "0.9000001", "-o", "-"}), apart) << file;
    EXPECT_NE(folder.output({"thresholds", file, "--at", "0.9"}).find("\n0.9,2,2,1,"), std::string::npos) << file;
    EXPECT_EQ(folder.run({"dendrogram", file, "--threshold", "0.9", "--labels", "l.txt"}).exit_code, 0) << file;
    EXPECT_EQ(folder.read("l.txt"), joined) << file;
    EXPECT_EQ(folder.output({"forest", file, "--maximum", "--min-weight", "0.9", "-o", "-"}), "0 1 0.9\n") << file;
    EXPECT_EQ(folder.run({"reduce", file, "--maximum", "-o", file + ".forest"}).exit_code, 0);
    EXPECT_EQ(folder.output({"merge", file + ".forest", "--min-weight", "0.9", "-o", "-", "--verify"}), joined) << file;
  }
  EXPECT_EQ(folder.output({"components", "doubles.npz", "--min-weight", "0.9", "-o", "-"}), apart) << "a double is compared as it is";
  EXPECT_EQ(folder.output({"components", "whole.npz", "--min-weight", "9007199254740996", "-o", "-"}), apart) << "2^53 + 4";
  EXPECT_EQ(folder.output({"components", "whole.npz", "--min-weight", "9007199254740994", "-o", "-"}), joined) << "2^53 + 2";

  EXPECT_EQ(folder.run({"merge", "coo.npz.forest", "csr.npz.forest", "-o", "both.forest", "--edges", "e.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("e.csv"), "u,v,weight\n0,1,0.9\n1,2,0.5\n");
  EXPECT_EQ(folder.output({"merge", "both.forest", "--min-weight", "0.9", "-o", "-"}), joined) << "merged twice";
  EXPECT_EQ(folder.run({"reduce", "doubles.npz", "--maximum", "-o", "d.forest"}).exit_code, 0);
  EXPECT_EQ(folder.output({"merge", "d.forest", "--min-weight", "0.9", "-o", "-"}), apart);
  EXPECT_EQ(folder.refusal({"merge", "d.forest", "coo.npz.forest", "-o", "-"}),
            "copse: coo.npz.forest: merge: weights must have 64 bits, as those before, not 32\n");
  EXPECT_EQ(folder.refusal({"reduce", "doubles.npz", "csr.npz", "--maximum", "-o", "x.forest"}),
            "copse: csr.npz: merge: weights must have 64 bits, as those before, not 32\n");
}

TEST(weights, are_kept_by_convert_and_extract_where_the_format_holds_them) {
  const input_file people{"p.csv", "l,r,w\nann,\"b, c\",.9\n\"b, c\",d d,2\ned,flo,inf\n"};
  const input_file halves{"s.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n3 2 0.25\n"};
  const input_file road{"r.gr", "c\np sp 4 3\na 1 2 7\na 2 3 5\na 3 2 5\n"}, plain{"q.gr", "p edge 3 2\ne 1 2\ne 2 3\n"};
  const input_file unit{"u.gr", "p sp 2 1\na 1 2 1\n"};
  const input_file rows{"m.graph", "3 2 1\n2 5\n1 5 3 7\n2 7\n"}, arcs{"a.adj", "WeightedAdjacencyGraph\n3\n2\n0\n1\n2\n1\n0\n4\n6\n"};
  const input_file single{"f.npz", matrix("<f4", packed<float>({nine_tenths, .5F}))};
  const input_file ones{"o.npz", matrix("<f8", packed<double>({1, 1}))}, egr{"e.egr", ecl()};
  const std::string head = "%%MatrixMarket matrix coordinate ";
  struct {
    const input_file& file;
    words command;
    std::string written, content;
  } const table[] = {
      {halves, {"convert", "s.mtx", "o.mtx"}, "o.mtx", head + "real general\n3 3 2\n2 1 0.5\n3 2 0.25\n"},
      {halves, {"convert", "s.mtx", "o.el"}, "o.el", "2 1 0.5\n3 2 0.25\n"},
      {halves, {"extract", "s.mtx", "--largest", "-o", "o.csv"}, "o.csv", "u,v,weight\n2,1,0.5\n3,2,0.25\n"},
      {halves, {"convert", "s.mtx", "o.mtx", "--drop-weights"}, "o.mtx", head + "pattern general\n3 3 2\n2 1\n3 2\n"},
      {people, {"convert", "p.csv", "o.csv", "--weight", "w"}, "o.csv", "u,v,weight\nann,\"b, c\",0.9\n\"b, c\",d d,2\ned,flo,inf\n"},
      {people, {"convert", "p.csv", "o.tsv", "--weight", "w"}, "o.tsv", "u\tv\tweight\nann\tb, c\t0.9\nb, c\td d\t2\ned\tflo\tinf\n"},
      {people, {"convert", "p.csv", "o.csv", "--weight", "w", "--min-weight", "1"}, "o.csv", "u,v,weight\n\"b, c\",d d,2\ned,flo,inf\n"},
      {people, {"extract", "p.csv", "--component", "flo", "-o", "o.el", "--weight", "w"}, "o.el", "ed flo inf\n"},
      {people, {"extract", "p.csv", "--largest", "-o", "o.csv"}, "o.csv", "u,v\nann,\"b, c\"\n\"b, c\",d d\n"},
      {people, {"extract", "p.csv", "--largest", "-o", "o.tsv"}, "o.tsv", "u\tv\nann\tb, c\nb, c\td d\n"},
      {road, {"convert", "r.gr", "o.csv"}, "o.csv", "u,v,weight\n1,2,7\n2,3,5\n3,2,5\n"},
      {road, {"extract", "r.gr", "--largest", "-o", "o.mtx"}, "o.mtx", head + "real general\n3 3 3\n1 2 7\n2 3 5\n3 2 5\n"},
      {road, {"convert", "r.gr", "o.egr"}, "o.egr", packed<std::int32_t>({4, 4, 0, 1, 3, 4, 4, 1, 0, 2, 1, 7, 7, 5, 5})},
      {road, {"convert", "r.gr", "o.el", "--symmetrise"}, "o.el", "1 2 7\n2 3 5\n"},
      {plain, {"convert", "q.gr", "o.el"}, "o.el", "1 2\n2 3\n"},
      {unit, {"extract", "u.gr", "--largest", "-o", "o.el"}, "o.el", "1 2\n"},
      {rows, {"convert", "m.graph", "o.csv"}, "o.csv", "u,v,weight\n1,2,5\n2,3,7\n"},
      {rows, {"extract", "m.graph", "--largest", "-o", "o.egr"}, "o.egr", packed<std::int32_t>({3, 4, 0, 1, 3, 4, 1, 0, 2, 1, 5, 5, 7, 7})},
      {arcs, {"convert", "a.adj", "o.el"}, "o.el", "0 1 4\n1 0 6\n"},
      {single, {"convert", "f.npz", "o.csv"}, "o.csv", "u,v,weight\n0,1,0.9\n1,2,0.5\n"},
      {ones, {"convert", "o.npz", "o.el"}, "o.el", "0 1\n1 2\n"},
      {egr, {"convert", "e.egr", "o.txt"}, "o.txt", "0 1 7\n"},
      {egr, {"convert", "e.egr", "again.egr"}, "again.egr", ecl()},
  };
  for (const auto& row : table) {
    const workplace folder;
    folder.write(row.file.name, row.file.content);
    const outcome ended = folder.run(row.command);
    EXPECT_EQ(ended.exit_code, 0) << ::testing::PrintToString(row.command) << ended.err;
    EXPECT_EQ(folder.read(row.written), row.content) << ::testing::PrintToString(row.command);
  }
  const workplace folder;
  EXPECT_EQ(folder.output({"convert", cases + "convert-drops-weights/input.mtx", "-", "--output-format", "mtx"}),
            head + "real general\n3 3 2\n2 1 0.5\n3 2 0.25\n");
}

TEST(weights, are_not_lost_unless_the_user_says_so) {
  const workplace folder;
  folder.write("s.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n3 2 0.25\n");
  folder.write("c.mtx", "%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 1 0\n");
  folder.write("some.gr", "p edge 3 2\ne 1 2\ne 2 3 9\n");
  folder.write("two.txt", "1 2 3\n2 1 4\n");
  folder.write("e.egr", ecl());
  const auto lost = [](const std::string& to, const std::string& from) {
    return "copse: " + to + " cannot hold the weights of " + from +
           ": write .csv .tsv .el .txt .parquet .arrow .mtx or .egr, or give --drop-weights\n";
  };
  struct {
    words command;
    std::string said;
  } const rows[] = {
      {{"convert", "s.mtx", "o.coo"}, lost("o.coo", "s.mtx")},
      {{"convert", "s.mtx", "o.sg"}, lost("o.sg", "s.mtx")},
      {{"convert", "e.egr", "o.sg"}, lost("o.sg", "e.egr")},
      {{"extract", "s.mtx", "--largest", "-o", "o.coo64"}, lost("o.coo64", "s.mtx")},
      {{"convert", "two.txt", "o.coo", "--weight", "3"}, lost("o.coo", "two.txt")},
      {{"convert", "s.mtx", "o.egr"},
       "o.egr: found the weight 0.5, expected integers of 32 bits, which .egr holds (.mtx and .csv hold any weight)\n"},
      {{"convert", "two.txt", "o.egr", "--weight", "3"},
       "found the edge 1 2 with the weights 3 and 4, expected one weight for each edge of rows (.csv and .mtx hold both)\n"},
      {{"convert", "c.mtx", "o.el"},
       "c.mtx:1: found complex values, expected real or integer ones, which are weights, or --drop-weights\n"},
      {{"convert", "some.gr", "o.el"}, "some.gr:3: found the weight \"9\", expected none, as in the edges before, or a weight for each\n"},
  };
  for (const auto& row : rows) EXPECT_EQ(folder.refusal(row.command), row.said);
  EXPECT_EQ(folder.run({"convert", "s.mtx", "o.coo", "--drop-weights"}).exit_code, 0);
  EXPECT_EQ(folder.run({"convert", "e.egr", "o.sg", "--drop-weights"}).exit_code, 0);
  EXPECT_EQ(folder.run({"extract", "s.mtx", "--largest", "-o", "p.sg", "--drop-weights"}).exit_code, 0);
  EXPECT_EQ(folder.run({"convert", "c.mtx", "o.el", "--drop-weights"}).exit_code, 0);
}

TEST(weights, of_a_forest_are_written_in_every_format_that_holds_them) {
  const std::string graph = cases + "weighted-forest-to-stdout/g.csv";
  const words command{"forest", graph, "--weight", "w", "--maximum"};
  const workplace folder;
  struct {
    std::string format, out;
  } const rows[] = {
      {"csv", "u,v,weight\n1,2,0.9\n2,3,0.5\n4,5,0.7\n"},
      {"tsv", "u\tv\tweight\n1\t2\t0.9\n2\t3\t0.5\n4\t5\t0.7\n"},
      {"el", "1 2 0.9\n2 3 0.5\n4 5 0.7\n"},
      {"txt", "1 2 0.9\n2 3 0.5\n4 5 0.7\n"},
      {"mtx", "%%MatrixMarket matrix coordinate real general\n5 5 3\n1 2 0.9\n2 3 0.5\n4 5 0.7\n"},
      {"npy", npy("<f8", false, "(3, 3)", packed<double>({1, 2, .9, 2, 3, .5, 4, 5, .7}))},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(folder.output(with(command, {"-o", "-", "--output-format", row.format})), row.out) << row.format;
    EXPECT_EQ(folder.run(with(command, {"-o", "named", "--output-format", row.format})).exit_code, 0) << row.format;
    EXPECT_EQ(folder.read("named"), row.out) << row.format;
  }
  EXPECT_EQ(folder.output(with(command, {"-o", "-"})), rows[2].out);
  EXPECT_EQ(folder.run(with(command, {"-o", "f.csv.gz"})).exit_code, 0);
  EXPECT_EQ(folder.output({"forest", "f.csv.gz", "--header", "yes", "--weight", "weight", "--minimum", "-o", "-"}), rows[2].out);
  EXPECT_EQ(folder.refusal(with(command, {"-o", "-", "--output-format", "coo"})),
            "-: found the suffix .coo, expected .csv .tsv .el .txt .npy .mtx .parquet or .arrow for edges with weights\n");
}

TEST(names, that_a_text_format_does_not_hold_are_refused) {
  const workplace folder;
  const std::string of_lists = "names without blanks, commas, semicolons, bars, quotes and a leading # or % (.csv takes them)\n";
  const std::string of_tabs = "names without tabs, line ends, blanks at the ends and a leading # or % (.csv takes them)\n";
  for (const std::string name : {"a b", "a,b", "a;b", "a|b", "#a", "%a", "a\tb", "a\nb", " a"}) {
    folder.write("n.csv", "l,r,w\n\"" + name + "\",x,1\n");
    std::string shown = name;
    std::ranges::replace_if(
        shown, [](char c) { return c == '\t' || c == '\n'; }, '?');
    for (const words& weight : {words{}, words{"--weight", "w"}}) {
      for (const std::string out : {"o.el", "o.txt"}) {
        EXPECT_EQ(folder.refusal(with({"convert", "n.csv", out, "--header", "yes", "--ids", "string"}, weight)),
                  out + ": found the name \"" + shown + "\", expected " + of_lists);
      }
      EXPECT_EQ(folder.run(with({"convert", "n.csv", "o.csv", "--header", "yes", "--ids", "string"}, weight)).exit_code, 0) << name;
      const bool quoted = name.find_first_of(",\n") != std::string::npos || std::string{" #%"}.find(name[0]) != std::string::npos;
      const std::string written = quoted ? "\"" + name + "\"" : name;
      EXPECT_EQ(folder.read("o.csv"), weight.empty() ? "u,v\n" + written + ",x\n" : "u,v,weight\n" + written + ",x,1\n");
      const bool fits =
          std::string{"#%"}.find(name[0]) == std::string::npos && name.find_first_of("\t\n") == std::string::npos && name != " a";
      const outcome tabs = folder.run(with({"extract", "n.csv", "--largest", "-o", "o.tsv", "--header", "yes", "--ids", "string"}, weight));
      EXPECT_EQ(tabs.exit_code, fits ? 0 : 2) << name;
      EXPECT_EQ(tabs.err, fits ? "" : "o.tsv: found the name \"" + shown + "\", expected " + of_tabs);
    }
  }
}

TEST(thresholds, that_no_weight_reaches_are_noted) {
  const workplace folder;
  folder.write("w.txt", "1 2 .5\n2 3 .25\n");
  folder.write("w.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 .5\n2 3 .25\n");
  folder.write("w.gr", "p sp 2 1\na 1 2 5\n");
  folder.write("w.graph", "2 1 1\n2 5\n1 5\n");
  folder.write("w.npz", matrix("<f4", packed<float>({.5F, .25F})));
  folder.write("e.egr", ecl());
  ASSERT_EQ(folder.run({"reduce", "w.txt", "--weight", "3", "-o", "w.forest"}).exit_code, 0);
  const std::string none = "no weight reaches the threshold ";
  struct {
    words command;
    std::string note;
  } const rows[] = {
      {{"components", "w.txt", "--weight", "3", "--min-weight", ".9"}, "w.txt: " + none + "0.9: the largest is 0.5"},
      {{"reduce", "w.txt", "--weight", "3", "--min-weight", ".9", "-o", "x.forest"}, "w.txt: " + none + "0.9: the largest is 0.5"},
      {{"stream", "w.txt", "--weight", "3", "--min-weight", ".9"}, "w.txt: " + none + "0.9: the largest is 0.5"},
      {{"components", "w.mtx", "--min-weight", ".9"}, "w.mtx: " + none + "0.9: the largest is 0.5"},
      {{"components", "w.gr", "--min-weight", "6"}, "w.gr: " + none + "6: the largest is 5"},
      {{"components", "w.graph", "--min-weight", "6"}, "w.graph: " + none + "6: the largest is 5"},
      {{"components", "w.npz", "--min-weight", ".9"}, "w.npz: " + none + "0.9: the largest is 0.5"},
      {{"components", "e.egr", "--min-weight", "8"}, "e.egr: " + none + "8: the largest is 7"},
      {{"thresholds", "w.txt", "--weight", "3", "--at", ".3,.9"}, none + "0.9: the largest is 0.5"},
      {{"dendrogram", "w.txt", "--weight", "3", "--threshold", ".9", "--labels", "l.csv"}, none + "0.9: the largest is 0.5"},
      {{"merge", "w.forest", "--min-weight", ".9"}, none + "0.9: the largest is 0.5"},
  };
  for (const auto& row : rows) {
    const outcome ended = folder.run(row.command);
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_NE(ended.err.find("copse: note: " + row.note + "\n"), std::string::npos) << ::testing::PrintToString(row.command) << ended.err;
    words reached = row.command;
    for (const std::string high : {".9", "6", "8"}) std::ranges::replace(reached, high, std::string{".5"});
    std::ranges::replace(reached, std::string{".3,.9"}, std::string{".3,.5"});
    EXPECT_EQ(folder.run(reached).err.find(none), std::string::npos) << ::testing::PrintToString(reached);
  }
}

}  // namespace
}  // namespace copse::cli_test
