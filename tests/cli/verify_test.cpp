// copse verify: right labels pass, every wrong one is refused with exit code 1.
#include <gtest/gtest.h>

#include "run_copse.hpp"

namespace copse::cli_test {
namespace {

constexpr const char* small = "10 20\n20 30\n7 5\n";

TEST(verify, what_components_wrote) {
  const workplace folder;
  folder.write("small.el", small);
  for (const std::string labels : {"labels.csv", "labels.txt"}) {
    ASSERT_EQ(folder.run({"components", "small.el", "-o", labels}).exit_code, 0);
    EXPECT_EQ(folder.output({"verify", "small.el", labels}), "right: 5 vertices, 2 components\n");
  }
}

TEST(verify, every_format_of_labels_over_rows_and_lists) {
  const workplace folder;
  ASSERT_EQ(folder.run({"generate", "er:n=500,m=300", "-o", "er.mtx"}).exit_code, 0);
  ASSERT_EQ(folder.run({"convert", "er.mtx", "er.sg"}).exit_code, 0);
  for (const std::string graph : {"er.mtx", "er.sg", "er:n=500,m=300"}) {
    for (const std::string labels : {"labels.csv", "labels.txt", "labels.npy", "labels.bin"}) {
      for (const std::string kind : {"min", "dense"}) {
        ASSERT_EQ(folder.run({"components", graph, "-o", labels, "--labels", kind}).exit_code, 0) << graph << " " << labels;
        const outcome ended = folder.run({"verify", graph, labels, "--labels", kind});
        EXPECT_EQ(ended.exit_code, 0) << graph << " " << labels << " " << kind << ": " << ended.err;
      }
    }
  }
}

TEST(verify, dense_labels_of_ids_with_gaps) {
  const workplace folder;
  folder.write("small.el", small);
  ASSERT_EQ(folder.run({"components", "small.el", "--labels", "dense", "-o", "labels.csv"}).exit_code, 0);
  EXPECT_EQ(folder.run({"verify", "small.el", "labels.csv", "--labels", "dense"}).exit_code, 0);
  EXPECT_NE(folder.run({"verify", "small.el", "labels.csv"}).exit_code, 0) << "dense labels are no smallest ids";
  folder.write("labels.csv", "id,component\n5,0\n7,0\n10,1\n20,1\n31,1\n");
  EXPECT_EQ(folder.run({"verify", "small.el", "labels.csv", "--labels", "dense"}).exit_code, 1) << "31 is no id of the graph";
}

TEST(verify, wrong_labels) {
  const workplace folder;
  folder.write("small.el", small);
  for (const std::string body : {"5,5\n7,5\n10,10\n20,10\n30,30\n",            // one split off
                                 "5,5\n7,5\n10,5\n20,5\n30,5\n",               // two merged
                                 "5,7\n7,7\n10,10\n20,10\n30,10\n",            // not the smallest
                                 "5,5\n7,5\n10,10\n20,10\n",                   // one missing
                                 "5,5\n7,5\n10,10\n20,10\n30,10\n31,31\n"}) {  // one too many
    folder.write("labels.csv", "id,component\n" + body);
    const outcome ended = folder.run({"verify", "small.el", "labels.csv"});
    EXPECT_EQ(ended.exit_code, 1) << body;
    EXPECT_TRUE(ended.err.starts_with("labels.csv: wrong labels: ")) << ended.err;
    EXPECT_EQ(ended.out, "");
  }
}

TEST(verify, wrong_labels_of_rows) {
  const workplace folder;
  ASSERT_EQ(folder.run({"generate", "path:n=4", "-o", "path.sg"}).exit_code, 0);
  folder.write("labels.csv", "id,component\n0,0\n1,0\n2,2\n3,2\n");
  EXPECT_EQ(folder.run({"verify", "path.sg", "labels.csv"}).exit_code, 1);
  folder.write("labels.csv", "id,component\n0,0\n1,0\n2,0\n3,0\n");
  EXPECT_EQ(folder.run({"verify", "path.sg", "labels.csv"}).exit_code, 0);
}

}  // namespace
}  // namespace copse::cli_test
