// Negative ids through every command: they come out as they went in, and the smallest is the smallest signed number.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

using words = std::vector<std::string>;

constexpr const char* edges = "-1 7\n7 -9223372036854775808\n5 9223372036854775807\n4 4\n";
constexpr const char* labels =
    "id,component\n-9223372036854775808,-9223372036854775808\n-1,-9223372036854775808\n4,4\n5,5\n7,-9223372036854775808\n"
    "9223372036854775807,5\n";

TEST(signed_ids, come_out_of_components_as_they_went_in) {
  const workplace folder;
  folder.write("a.el", edges);
  EXPECT_NE(folder.output({"components", "a.el", "--verify", "-o", "a.csv"}).find("label -9223372036854775808"), std::string::npos);
  EXPECT_EQ(folder.read("a.csv"), labels);
  EXPECT_EQ(folder.run({"verify", "a.el", "a.csv"}).exit_code, 0);
  EXPECT_NE(folder.output({"components", "a.el", "--json"}).find("\"label\": -9223372036854775808"), std::string::npos);
  EXPECT_EQ(folder.refusal({"components", "a.el", "-o", "a.npy"}),
            "a.npy: found negative ids, expected ids of 0 or more in an array indexed by id (or .npz .csv or .txt, or a file for the ids: "
            "--npy-ids)\n");
  ASSERT_EQ(folder.run({"components", "a.el", "-o", "a.npy", "--npy-ids", "ids.npy"}).exit_code, 0);
  EXPECT_NE(folder.read("a.npy").find("<i8"), std::string::npos);
  EXPECT_NE(folder.output({"info", "a.el"}).find("integers -9223372036854775808 to 9223372036854775807"), std::string::npos);
}

TEST(signed_ids, of_raw_pairs_are_signed_where_the_user_says_so) {
  const workplace folder;
  const std::array<std::int64_t, 4> pairs{-1, 7, 7, -5};
  folder.write("a.coo64", {reinterpret_cast<const char*>(pairs.data()), sizeof pairs});
  ASSERT_EQ(folder.run({"components", "a.coo64", "--signed", "-o", "a.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("a.csv"), "id,component\n-5,-5\n-1,-5\n7,-5\n");
  ASSERT_EQ(folder.run({"components", "a.coo64", "-o", "a.csv"}).exit_code, 0);
  EXPECT_NE(folder.read("a.csv").find("18446744073709551615,7\n"), std::string::npos);
  folder.write("a.el", edges);
  EXPECT_NE(folder.refusal({"components", "a.el", "--signed"}).find("--signed is for coo and coo64"), std::string::npos);
}

TEST(signed_ids, are_named_by_the_commands_about_parts_of_a_graph) {
  const workplace folder;
  folder.write("a.el", "-1 7\n7 -5\n-8 -9\n");
  ASSERT_EQ(folder.run({"extract", "a.el", "--component", "-5", "-o", "part.el"}).exit_code, 0);
  EXPECT_EQ(folder.read("part.el"), "-1 7\n7 -5\n");
  ASSERT_EQ(folder.run({"convert", "a.el", "a.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("a.csv"), "u,v\n-1,7\n7,-5\n-8,-9\n");
  ASSERT_EQ(folder.run({"convert", "a.el", "a.sg", "--id-map", "map.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("map.csv"), "position,id\n0,-9\n1,-8\n2,-5\n3,-1\n4,7\n");
  ASSERT_EQ(folder.run({"forest", "a.el", "-o", "f.csv", "--verify"}).exit_code, 0);
  EXPECT_EQ(folder.read("f.csv"), "u,v\n-1,7\n7,-5\n-8,-9\n");
  folder.write("w.csv", "u,v,w\n-1,7,0.5\n7,-5,0.25\n");
  EXPECT_TRUE(
      folder.output({"explain", "w.csv", "--weight", "w", "--", "-1", "-5"}).starts_with("-1  7  weight 0.5, edge 1\n7  -5  weight 0.25"));
}

TEST(signed_ids, of_parts_are_merged) {
  const workplace folder;
  folder.write("a.el", "-1 7\n5 9223372036854775807\n");
  folder.write("b.el", "7 -9223372036854775808\n4 4\n");
  for (const std::string part : {"a", "b"}) ASSERT_EQ(folder.run({"reduce", part + ".el", "-o", part + ".forest"}).exit_code, 0);
  ASSERT_EQ(folder.run({"merge", "a.forest", "b.forest", "--verify", "-o", "all.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("all.csv"), labels);
  folder.write("c.el", "18446744073709551615 7\n");
  ASSERT_EQ(folder.run({"reduce", "c.el", "-o", "c.forest"}).exit_code, 0);
  EXPECT_NE(folder.refusal({"merge", "a.forest", "b.forest", "c.forest", "-o", "all.csv"}).find("18446744073709551615"), std::string::npos);
}

TEST(signed_ids, of_streams_are_answered_and_kept) {
  const workplace folder;
  const words stream{"stream", "-", "--checkpoint", "s.ck", "-o", "s.csv"};
  EXPECT_EQ(folder.run(stream, "+ -1 7\n7 -9223372036854775808\n5 9223372036854775807\n? -1 5\n? -1 -9223372036854775808\n").out,
            "1\tno\n2\tyes\n");
  EXPECT_EQ(folder.run({"stream", "-", "--resume", "s.ck", "-o", "s.csv"}, "4 4\n? 7 -1\n").out, "1\tno\n2\tyes\n3\tyes\n");
  EXPECT_EQ(folder.read("s.csv"), labels);
  EXPECT_EQ(folder.refusal({"stream", "-"}, "1 2\n-5 7\n"),
            "<stdin>:2: found \"-5 7\", expected a sign before an id that is negative, such as + -5 7 or ? -5 7, as a record may not "
            "begin with - and a digit\n");
  EXPECT_EQ(folder.refusal({"stream", "-", "--ids", "int"}, "1 -2\n"),
            "<stdin>:1: found the negative number \"-2\", expected an id from 0 to 4294967294\n");
  folder.write("w.txt", "+ -1 7 0.5\n? -1 7\n+ 7 -3 0.25\n? -1 -3\n");
  EXPECT_EQ(folder.run({"stream", "w.txt", "--weight", "3", "--batch", "1", "--forest", "f.csv"}).out, "1\t0.5\n2\t0.25\n");
  EXPECT_EQ(folder.read("f.csv"), "u,v,weight\n-1,7,0.5\n7,-3,0.25\n");
}

TEST(signed_ids, of_records_are_grouped_and_appended) {
  const workplace folder;
  folder.write("t.csv", "id,key\n-4,a\n3,a\n-9,b\n");
  ASSERT_EQ(folder.run({"group", "t.csv", "--id", "id", "--by", "key", "--append", "out.csv", "-o", "g.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("g.csv"), "id,component\n-9,-9\n-4,-4\n3,-4\n");
  EXPECT_EQ(folder.read("out.csv"), "id,key,component\n-4,a,-4\n3,a,-4\n-9,b,-9\n");
  folder.write("p.csv", "u,v\n-4,3\n");
  ASSERT_EQ(folder.run({"components", "p.csv", "--vertex-file", "t.csv:id", "--append", "out.csv", "-o", "g.csv"}).exit_code, 0);
  EXPECT_EQ(folder.read("g.csv"), "id,component\n-9,-9\n-4,-4\n3,-4\n");
  EXPECT_EQ(folder.read("out.csv"), "u,v,component\n-4,3,-4\n");
}

}  // namespace
}  // namespace copse::cli_test
