// Clusters of files, against their definition: dense, sparse, signed and string ids, and what is read a second time.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <copse/cluster.hpp>
#include <copse/errors.hpp>
#include <support/sweep_length.hpp>
#include <support/temporary_folder.hpp>
#include <support/thrown.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "reference.hpp"

namespace copse::test {
namespace {

using naming = std::function<std::string(std::uint64_t)>;

/// Files of a case: every vertex is in the table, so that the vertices of the answer are those of the case, in their order.
class case_files {
public:
  case_files(const cluster_case& of, const naming& name, const temporary_folder& folder) : case_{of}, folder_{folder} {
    std::string pairs = "a,b,score\n", records = "id", apart = "u,v\n";
    for (const auto& [u, v, score] : of.pairs) pairs += fmt::format("{},{},{}\n", name(u), name(v), score);
    for (std::size_t i = 0; i < of.most.size(); ++i) records += fmt::format(",column{}", i);
    records += "\n";
    for (std::uint64_t v = 0; v < of.vertices; ++v) {
      records += name(v);
      for (const auto& values : of.values) records += values[v] == value_limit::no_value ? "," : fmt::format(",value {}", values[v]);
      records += "\n";
    }
    for (const auto& [u, v] : of.apart) apart += fmt::format("{},{}\n", name(u), name(v));
    write_bytes(folder / "pairs.csv", pairs);
    write_bytes(folder / "records.csv", records);
    write_bytes(folder / "apart.csv", apart);
  }

  [[nodiscard]] cluster_result clusters(unsigned threads, io::id_kind ids) const {
    io::read_options reading;
    reading.ids = ids;
    reading.weight_column = io::column{"score"};
    reading.header = true;
    reading.vertex_tables.push_back({folder_ / "records.csv"});
    reading.block_bytes = 64;
    cluster_file_options options{case_.rules, {}, {}};
    for (std::size_t i = 0; i < case_.most.size(); ++i) options.one_per.push_back({io::column{fmt::format("column{}", i)}, case_.most[i]});
    if (!case_.apart.empty()) options.cannot_link = folder_ / "apart.csv";
    return clusters_of_file(folder_ / "pairs.csv", reading, options, {.threads = threads});
  }

private:
  const cluster_case& case_;
  const temporary_folder& folder_;
};

TEST(cluster_file, of_random_cases_is_as_defined) {
  const temporary_folder folder;
  const std::vector<naming> namings{[](std::uint64_t v) { return std::to_string(v); },
                                    [](std::uint64_t v) { return std::to_string(v * 1000003); },
                                    [](std::uint64_t v) { return std::to_string(static_cast<std::int64_t>(v) * 17 - 100); },
                                    [](std::uint64_t v) { return fmt::format("\"r,{:02}\"", v); }};
  std::mt19937_64 random{11};
  const std::uint64_t cases = quick() ? 72 : 576;
  for (std::uint64_t number = 0; number < cases && !HasFailure(); ++number) {
    cluster_case made = random_case(number, random);
    std::erase_if(made.pairs, [](const scored_edge& p) { return p.score != p.score; });
    const case_files files{made, namings[number % namings.size()], folder};
    const cluster_result found = files.clusters(number % 3 == 0   ? 1
                                                : number % 3 == 1 ? 2
                                                                  : 7,
                                                number % namings.size() == 3 ? io::id_kind::strings : io::id_kind::integers);
    std::vector<double> thresholds = made.rules.thresholds;
    if (thresholds.empty()) thresholds.push_back(-std::numeric_limits<double>::infinity());
    ASSERT_EQ(found.answers.size(), thresholds.size());
    for (std::size_t i = 0; i < thresholds.size(); ++i) {
      const auto expected = clusters_by_definition(made, thresholds[i]);
      EXPECT_EQ(labels_of(found.answers[i].labels), expected.labels) << number << ": " << text_of(made);
      EXPECT_TRUE(found.answers[i].refused == expected.refused) << number << ": " << text_of(made);
      EXPECT_EQ(found.answers[i].cut_bridges, expected.cut_bridges) << number << ": " << text_of(made);
    }
    for (std::size_t limit = 0; limit < made.most.size(); ++limit)
      EXPECT_EQ(found.exempt[limit], static_cast<std::uint64_t>(std::ranges::count(made.values[limit], value_limit::no_value)));
  }
}

class few_people : public testing::Test {
protected:
  few_people() {
    write_bytes(folder / "pairs.csv", "a,b,score\nann,bob,.9\nbob,cid,.8\ncid,dan,.7\n");
    write_bytes(folder / "people.csv", "id,source\nann,crm\nbob,web\ncid,crm\neve,web\n");
    reading.weight_column = io::column{"score"};
    reading.vertex_tables.push_back({folder / "people.csv"});
  }
  [[nodiscard]] cluster_result found(const cluster_file_options& options) const {
    return clusters_of_file(folder / "pairs.csv", reading, options, {.threads = 2});
  }
  template <class Error>
  [[nodiscard]] std::string refusal(const cluster_file_options& options) const {
    std::string text = thrown<Error>([&] { static_cast<void>(found(options)); });
    if (const auto at = text.find(folder.path().string()); at != std::string::npos) text.erase(at, folder.path().string().size() + 1);
    return text;
  }

  temporary_folder folder;
  io::read_options reading;
};

TEST_F(few_people, are_read_again_only_when_a_component_breaks_a_constraint) {
  EXPECT_EQ(found({}).passes, 1u);
  cluster_file_options options;
  options.one_per.push_back({io::column{"source"}, 2});
  EXPECT_EQ(found(options).passes, 1u);
  options.one_per[0].most = 1;
  const auto split = found(options);
  EXPECT_EQ(split.passes, 2u);
  EXPECT_EQ(split.careful_pairs, 3u);
  EXPECT_EQ(split.exempt, std::vector<std::uint64_t>{1});  // dan
  EXPECT_EQ(labels_of(split.answers[0].labels), (std::vector<std::uint64_t>{0, 0, 2, 2, 4}));
  options.links = link_rule::mutual;
  EXPECT_EQ(found(options).passes, 1u);
  options = {};
  options.cut_bridges = .7;
  EXPECT_EQ(found(options).passes, 1u);
  options.cut_bridges = .75;
  EXPECT_EQ(found(options).passes, 2u);
}

TEST_F(few_people, may_have_unknown_ids_in_pairs_that_must_not_meet) {
  write_bytes(folder / "apart.csv", "ann,cid\nann,zoe\n");
  cluster_file_options options;
  options.cannot_link = folder / "apart.csv";
  const auto split = found(options);
  EXPECT_EQ(split.unknown_pairs, 1u);
  EXPECT_EQ(labels_of(split.answers[0].labels), (std::vector<std::uint64_t>{0, 0, 2, 2, 4}));
  write_bytes(folder / "apart.csv", "");
  EXPECT_EQ(found(options).unknown_pairs, 0u);
  write_bytes(folder / "apart.csv", "ann,bob\ncid,cid\n");
  EXPECT_EQ(refusal<input_error>(options), "apart.csv: found the pair cid cid, expected two different records");
}

TEST_F(few_people, have_one_value_each) {
  cluster_file_options options;
  options.one_per.push_back({io::column{"source"}, 1});
  write_bytes(folder / "people.csv", "id,source\nann,crm\nbob,web\nann,\nbob,web\n");
  EXPECT_EQ(found(options).exempt, std::vector<std::uint64_t>{2});
  write_bytes(folder / "people.csv", "id,source\nann,crm\nbob,web\nann,web\n");
  EXPECT_EQ(refusal<input_error>(options), "people.csv: found two values in column source for the record ann, expected one");
  options.one_per[0].most = 0;
  EXPECT_EQ(refusal<usage_error>(options), "one_per must allow at least 1 record of a value per cluster, not 0");
  options.one_per[0].most = 1;
  reading.vertex_tables.clear();
  EXPECT_EQ(refusal<usage_error>(options), "one_per needs a table of vertices that has the column source");
}

TEST_F(few_people, of_two_tables_have_prefixes) {
  write_bytes(folder / "pairs.csv", "a,b,score\n1,1,.9\n1,2,.8\n2,2,.7\n");
  write_bytes(folder / "left.csv", "id,source\n1,x\n2,x\n");
  write_bytes(folder / "right.csv", "source,id\nx,1\ny,2\n");
  reading.vertex_tables = {{folder / "left.csv"}, {folder / "right.csv"}};
  reading.prefixes = {"l", "r"};
  cluster_file_options options;
  options.one_per.push_back({io::column{"source"}, 1});
  const auto split = found(options);
  ASSERT_EQ(split.answers[0].labels.names().string(3), "r2");
  EXPECT_EQ(labels_of(split.answers[0].labels), (std::vector<std::uint64_t>{0, 1, 2, 0}));  // l1 and r2
  EXPECT_EQ(split.answers[0].refused.size(), 2u);
}

TEST_F(few_people, may_be_none) {
  write_bytes(folder / "pairs.csv", "");
  reading.weight_column = io::column{3u};
  cluster_file_options options;
  options.one_per.push_back({io::column{"source"}, 1});
  options.cut_bridges = .5;
  options.thresholds = {.5};
  const auto alone = found(options);
  EXPECT_EQ(alone.answers[0].labels.slots(), 4u);
  EXPECT_TRUE(alone.answers[0].refused.empty());
}

TEST_F(few_people, of_a_format_that_is_held_are_the_same) {
  write_bytes(folder / "pairs.mtx", "%%MatrixMarket matrix coordinate real symmetric\n4 4 3\n2 1 .9\n3 2 .8\n4 3 .7\n");
  write_bytes(folder / "pairs.adj", "WeightedAdjacencyGraph\n4\n3\n0\n1\n2\n3\n1\n2\n3\n9\n8\n7\n");
  cluster_file_options options;
  options.max_records = 2;
  for (const char* const name : {"pairs.mtx", "pairs.adj"}) {
    const auto split = clusters_of_file(folder / name, {}, options, {.threads = 2});
    EXPECT_EQ(labels_of(split.answers[0].labels), (std::vector<std::uint64_t>{0, 0, 2, 2})) << name;
    EXPECT_EQ(split.answers[0].refused.size(), 1u) << name;
  }
}

}  // namespace
}  // namespace copse::test
