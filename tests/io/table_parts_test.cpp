// The rules by which a table is read (docs/reference/formats.md), where several files make one table and in tables of vertices.
#include "io/text_harness.hpp"

#include <copse/components.hpp>

#include <memory>

namespace copse::testing {
namespace {

using options = io::read_options;

/// Several files, and the vertices that they make together.
struct parts_row {
  std::vector<std::string> files;
  std::string expected;
  void (*asked)(options&) = nullptr;
};

std::string components_of(const std::vector<std::string>& texts, const options& asked, unsigned threads = 0) {
  std::vector<std::unique_ptr<temporary_file>> files;
  std::vector<std::filesystem::path> paths;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    files.push_back(std::make_unique<temporary_file>("part-" + std::to_string(i) + ".csv", texts[i]));
    paths.push_back(files.back()->path());
  }
  try {
    const components_result found = components(paths, asked, {}, {.threads = threads});
    const vertex_names& names = found.labels.names();
    std::string text;
    for (std::uint64_t i = 0; i < names.size(); ++i) {
      if (!found.labels.present(i)) continue;
      const bool strings = names.what() == vertex_names::kind::strings;
      text += (text.empty() ? "" : " ") + (strings ? std::string{names.string(i)} : std::to_string(names.integer(i)));
    }
    return text;
  } catch (const error& problem) {
    std::string text = problem.what();
    const std::string folder = paths.front().parent_path().string() + "/";
    for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder)) text.erase(at, folder.size());
    return text;
  }
}

TEST(table_parts, a_part_with_a_header_only_is_no_error) {
  const std::vector<parts_row> rows{
      {{"match_a,match_b\n", "match_a,match_b\n1,2\n2,3\n"}, "1 2 3"},
      {{"match_a,match_b\n1,2\n2,3\n", "match_a,match_b\n"}, "1 2 3"},
      {{"match_a,match_b\n", "match_a,match_b\nx,y\n", "match_a,match_b\n", "match_a,match_b\ny,z\n"}, "x y z"},
      {{"match_a,match_b", "match_a,match_b\r\n1,2\r\n"}, "1 2"},
      {{"", "match_a,match_b\n", "match_a,match_b\n1,2\n"}, "1 2"},
      {{"\"match, a\",b\n", "\"match, a\",b\n1,2\n"}, "1 2"},
      {{"score,id_l,id_r\n", "score,id_l,id_r\n9,1,2\n"}, "1 2"},
      {{"anna,bert\n", "bert,carl\n"}, "anna bert carl"},  // an edge each
      {{"anna,bert\n", "anna,bert\n"}, "anna bert"},       // the same edge
      {{"1,2\n", "1,2\n2,3\n"}, "1 2 3"},                  // numbers are no header
      {{"match_a,match_b\n", "match_a,match_b\nx,y\n"}, "match_a match_b x y", [](options& o) { o.header = false; }},
      {{"a,b\n", "1,2\n"}, "part-1.csv: found integer ids, expected string ids as in part-0.csv"},
  };
  for (const parts_row& r : rows) {
    for (const unsigned threads : {1u, 3u}) {
      options asked;
      if (r.asked != nullptr) r.asked(asked);
      EXPECT_EQ(components_of(r.files, asked, threads), r.expected) << r.files.front();
    }
  }
}

TEST(table_parts, tables_of_vertices_are_read_by_the_same_rules) {
  const auto with = [](const std::string& edges_text, const std::string& vertices, std::optional<io::id_columns> id = std::nullopt) {
    const temporary_file table{"v.csv", vertices};
    options asked;
    asked.vertex_tables.push_back({.path = table.path()});
    if (id) asked.vertex_tables.back().id = *id;
    return components_of({edges_text}, asked);
  };
  EXPECT_EQ(with("1,2\n", ",id,name\n0,7,anna\n"), "1 2 7");
  EXPECT_EQ(with("1,2\n", "name,Unique_ID\nanna,7\n"), "1 2 7");
  EXPECT_EQ(with("1,2\n", ",name,person\n0,anna,7\n"),
            "v.csv:1: found a header without a name for column 1, expected the column of the ids to be chosen");
  EXPECT_EQ(with("1,2\n", ",name,person\n0,anna,7\n", io::id_columns{"person"}), "1 2 7");
  EXPECT_EQ(with("0151 1,0151 2\n", "0151 2\n0151 3\n"), "0151 1 0151 2 0151 3");
  EXPECT_EQ(with("a,b\n", "id\n c \n\" d\"\n"), " d a b c");
  EXPECT_EQ(with("source_dataset_l,unique_id_l,source_dataset_r,unique_id_r\na,1,b,1\n", "unique_id,source_dataset\n2,a\n"), "a:1 a:2 b:1");
  EXPECT_EQ(with("source_dataset_l,unique_id_l,source_dataset_r,unique_id_r\na,1,b,1\n", "x,y\n2,a\n", io::id_columns{2u}),
            "v.csv: its ids must be of 2 columns, as those of the edges are, not of the columns 2");
}

}  // namespace
}  // namespace copse::testing
