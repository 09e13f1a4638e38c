// Groups of the records of tables: the same whatever the blocks and the threads, and a proof that refuses wrong ones.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/group_sink.hpp>
#include <copse/verify.hpp>

#include <array>
#include <fstream>
#include <optional>

#include "drive.hpp"
#include "group_reference.hpp"
#include "support/temporary_folder.hpp"

namespace copse::test {
namespace {

using paths = std::vector<std::filesystem::path>;

std::filesystem::path written(const temporary_folder& folder, const std::string& name, std::string_view text) {
  const auto path = folder.path() / name;
  std::ofstream{path, std::ios::binary} << text;
  return path;
}

std::string some_name(std::uint64_t number) {
  return "the value " + std::to_string(number * 7919) + (number % 3 == 0 ? ", \"quoted\"\nline" : "");
}

std::string quoted_field(const std::string& text) {
  std::string field = "\"";
  for (const char c : text) field.append(c == '"' ? 2 : 1, c);
  return field + "\"";
}

io::read_options in_blocks(std::size_t block_bytes, std::vector<std::string> missing = {}) {
  io::read_options options;
  options.block_bytes = block_bytes;
  options.missing = std::move(missing);
  return options;
}

struct table_and_answer {
  std::string text;
  std::map<std::string, std::string> groups;
};

/// Ids come again; values hold line ends and quotes, and a quarter of them is missing.
table_and_answer random_table(std::size_t rows, bool one_namespace) {
  std::mt19937_64 random{4};
  keyed_rows<std::string, std::uint64_t> expected;
  expected.columns.resize(2);
  std::string text = "email,filler,record,phone\n";
  for (std::size_t i = 0; i < rows; ++i) {
    expected.ids.push_back("id " + std::to_string(random() % (2 * rows)));
    std::array<std::string, 2> fields;
    for (std::size_t c = 0; c < 2; ++c) {
      const std::uint64_t value = random() % rows;
      const bool missing = random() % 4 == 0;
      expected.columns[c].push_back(missing ? std::nullopt : std::optional{value});
      fields[c] = missing ? (value % 2 == 0 ? "" : "NA") : quoted_field(some_name(value));
    }
    text += fields[0] + ",x," + expected.ids.back() + ',' + fields[1] + '\n';
  }
  return {text, groups_of(expected, one_namespace)};
}

TEST(groups_of_files, are_the_same_for_all_blocks_threads_and_ways_to_see_ids) {
  const temporary_folder folder;
  for (const bool one_namespace : {false, true}) {
    const auto [text, expected] = random_table(700, one_namespace);
    const paths files{written(folder, "table.csv", text)};
    for (const bool by_line : {false, true}) {
      const io::keyed_table table{.id = "record", .keys = {"email", "phone"}, .one_namespace = one_namespace, .by_line = by_line};
      for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{333}, std::size_t{1} << 20}) {
        for (const unsigned threads : {1u, 4u}) {
          const io::read_options input = in_blocks(block_bytes, {"NA"});
          const auto found = groups_of_files(files, table, input, {}, {.threads = threads});
          EXPECT_EQ(string_answer(found.result.labels), expected) << block_bytes << ' ' << threads << ' ' << by_line;
          EXPECT_EQ(found.counts.rows, 700u);
          EXPECT_EQ(found.counts.keys + found.counts.missing, 1400u);
          const verdict proof = verify_groups(files, table, input, found.result.labels);
          EXPECT_TRUE(proof) << proof.reason;
          EXPECT_EQ(proof.components, found.result.count());
        }
      }
    }
  }
}

TEST(groups_of_files, call_records_by_their_lines) {
  const temporary_folder folder;
  const paths files{written(folder, "table.csv", "\xEF\xBB\xBF\nkey,text\r\na,\"one\n\ntwo\"\r\n\r\nb,x\r\na,y\r\n")};
  const io::keyed_table table{.id = std::nullopt, .keys = {"key"}};
  const std::map<std::uint64_t, std::uint64_t> expected{{3, 3}, {7, 7}, {8, 3}};
  for (const std::size_t block_bytes : {std::size_t{1}, std::size_t{1} << 20}) {
    for (const unsigned threads : {1u, 3u}) {
      const io::read_options input = in_blocks(block_bytes);
      const auto found = groups_of_files(files, table, input, {}, {.threads = threads});
      EXPECT_EQ(integer_answer(found.result.labels), expected) << block_bytes << ' ' << threads;
      EXPECT_TRUE(verify_groups(files, table, input, found.result.labels));
    }
  }
}

TEST(groups_of_files, leave_out_what_comes_too_often) {
  const temporary_folder folder;
  const paths files{written(folder, "a.csv", "id,k\n1,x\n2,x\n3,y\n"), written(folder, "b.csv", "id,k\n4,x\n5,y\n")};
  const io::keyed_table table{.id = "id", .keys = {"k"}};
  EXPECT_THROW(groups_of_files(files, table, {}, {.max_group = 2}), large_value_error);
  for (const unsigned threads : {1u, 3u}) {
    const auto found = groups_of_files(files, table, {}, {.max_group = 2, .leave_out = true}, {.threads = threads});
    EXPECT_EQ(found.left_out, (std::vector<large_value>{{0, "x", 3}}));
    EXPECT_EQ(integer_answer(found.result.labels), (std::map<std::uint64_t, std::uint64_t>{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 3}}));
    EXPECT_TRUE(verify_groups(files, table, {}, found.result.labels, 2));
    EXPECT_FALSE(verify_groups(files, table, {}, found.result.labels));
  }
  EXPECT_THROW(groups_of_files(files, table, {}, {.leave_out = true}), usage_error);
  EXPECT_THROW(groups_of_files(paths{"-"}, table, {}, {.max_group = 2, .leave_out = true}), usage_error);
}

/// The labels of records 1 .. 4 by position; the record of line i is called i.
labelling labels_of(std::initializer_list<std::uint32_t> labels, std::initializer_list<std::uint64_t> names = {1, 2, 3, 4}) {
  buffer<std::uint32_t> values{labels.size()};
  std::ranges::copy(labels, values.begin());
  buffer<std::uint64_t> ids{names.size()};
  std::ranges::copy(names, ids.begin());
  return {std::move(values), vertex_names::integers(std::move(ids))};
}

TEST(verify_groups, refuses_wrong_labels) {
  const temporary_folder folder;
  const paths files{written(folder, "table.csv", "id,k,l\n1,x,p\n2,x,q\n3,y,q\n4,,\n")};
  const io::keyed_table table{.id = "id", .keys = {"k", "l"}};
  const auto reason = [&](const labelling& labels) { return verify_groups(files, table, {}, labels).reason; };
  EXPECT_EQ(reason(labels_of({0, 0, 0, 3})), "");
  EXPECT_EQ(reason(labels_of({0, 0, 2, 3})), "records 2 and 3 share 'q', but have different labels");
  EXPECT_EQ(reason(labels_of({0, 0, 0, 0})), "vertex 4 has label 1, but no path joins them");
  EXPECT_NE(reason(labels_of({1, 1, 1, 3})), "");
  EXPECT_EQ(reason(labels_of({0, 0, 0}, {1, 2, 3})), "record 4 has no label");
  EXPECT_EQ(reason(labels_of({0, 0, 0, 3, 4}, {1, 2, 3, 4, 9})), "record 9 has a label, but is not in the table");
  const io::keyed_table joined{.id = "id", .keys = {"k", "l"}, .one_namespace = true};
  EXPECT_TRUE(verify_groups(files, joined, {}, labels_of({0, 0, 0, 3})));
}

TEST(groups_of_files, refuse_what_is_no_table) {
  const temporary_folder folder;
  const paths files{written(folder, "table.csv", "id,k\n1,x\n")};
  EXPECT_THROW(groups_of_files(files, {.id = "id", .keys = {}}), usage_error);
  EXPECT_THROW(groups_of_files(paths{}, {.id = "id", .keys = {"k"}}), usage_error);
  EXPECT_THROW(groups_of_files(paths{files[0], files[0]}, {.id = std::nullopt, .keys = {"k"}}), usage_error);
  EXPECT_THROW(groups_of_files(files, {.id = "id", .keys = {"none"}}), input_error);
  io::read_options matrix;
  matrix.format = io::format::mtx;
  EXPECT_THROW(groups_of_files(files, {.id = "id", .keys = {"k"}}, matrix), usage_error);
  EXPECT_THROW(groups_of_files(files, {.id = "id", .keys = {"k"}}, {}, {.max_group = 0}), usage_error);
}

}  // namespace
}  // namespace copse::test
