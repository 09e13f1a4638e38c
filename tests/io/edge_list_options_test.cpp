// What edge lists as people have them ask for: columns by name, delimiters, headers, comments, missing values, vertices of other tables.
#include "io/text_harness.hpp"
#include "support/noting.hpp"

#include <copse/components.hpp>

namespace copse::testing {
namespace {

/// What is noted of a text, the folder and the file's name taken off.
std::vector<std::string> notes_of(std::string_view text, const io::read_options& options = {}, const std::string& name = "t.csv") {
  const temporary_file file{name, text};
  test::noting listener;
  read_text(file.path(), {options, {.threads = 1, .observer = &listener}});
  for (std::string& note : listener.notes) note.erase(0, file.path().string().size() + 2);
  return listener.notes;
}

TEST(columns, by_name_make_the_first_record_a_header) {
  io::read_options options;
  options.columns = {"id_l", "id_r"};
  const std::string text = "score,id_r,\"id_l\"\n0.9,b,a\n0.5,c,b\n";
  EXPECT_EQ(parsed_csv(text, options).strings, (names{{"a", "b"}, {"b", "c"}}));
  options.weight_column = "score";
  options.min_weight = 0.6;
  EXPECT_EQ(parsed_csv(text, options).strings, (names{{"a", "b"}}));
  options.columns = {"id_l", 2};
  EXPECT_EQ(parsed_csv(text, options).strings, (names{{"a", "b"}}));
}

TEST(columns, that_the_header_lacks_are_refused) {
  io::read_options options;
  options.columns = {"id_l", "id_x"};
  EXPECT_EQ(refused_csv("id_l,id_r\n1,2\n", options),
            R"(t.csv:1: found no column "id_x" in the header "id_l,id_r", expected one that names it)");
  EXPECT_EQ(refused_csv("\n\nid_l,id_x,id_x\n1,2,3\n", options),
            R"(t.csv:3: found the column "id_x" twice in the header "id_l,id_x,id_x", expected its name once, or its number)");
  options.header = false;
  EXPECT_EQ(refused_csv<usage_error>("id_l,id_x\n1,2\n", options),
            "columns by name need a header, which the options say the file does not have");
}

TEST(delimiter, is_told_by_the_first_record_where_the_suffix_is_wrong) {
  EXPECT_EQ(parsed_csv("1;2\n2;3\n").numbers, (edges{{1, 2}, {2, 3}}));
  EXPECT_EQ(notes_of("1;2\n2;3\n"),
            std::vector<std::string>{"separated by semicolons, not by commas (the option delimiter decides otherwise)"});
  EXPECT_TRUE(notes_of("1,2\n2,3\n").empty());
  EXPECT_EQ(parsed_csv("a;b,c\nd;e,f\n", {}, "t.tsv").strings, (names{{"a;b", "c"}, {"d;e", "f"}}));
  EXPECT_EQ(parsed_csv("x|y z\n", {}, "t.txt").strings, (names{{"x|y", "z"}}));
  EXPECT_EQ(parsed_csv("x|y z|w v\n", {}, "t.txt").strings, (names{{"x", "y z"}}));
}

TEST(delimiter, that_could_be_two_is_noted) {
  const auto notes = notes_of("Smith, J\tJones, A\nJones, A\tDoe, B\n", {}, "t.txt");
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0], "separated by tabs rather than by commas or by blanks (the option delimiter decides otherwise)");
}

TEST(delimiter, given_decides) {
  io::read_options options;
  options.delimiter = ';';
  EXPECT_EQ(parsed_csv("1,5;2,5\n", options).strings, (names{{"1,5", "2,5"}}));
  options.delimiter = ' ';
  options.columns = {1, 3};
  EXPECT_EQ(parsed_csv("1  2\n", options).numbers, (edges{{1, 2}}));  // an empty field between
  EXPECT_EQ(parsed_csv("1  7 2\n", options, "t.txt").numbers, (edges{{1, 2}}));
  options.delimiter = '"';
  EXPECT_EQ(refused_csv<usage_error>("1,2\n", options), R"(delimiter """: columns cannot be separated by a quote, a line end or a digit)");
}

TEST(header, by_usual_names_is_noted) {
  EXPECT_EQ(parsed_csv("Source,TARGET\nanna,bert\n").strings, (names{{"anna", "bert"}}));
  EXPECT_EQ(notes_of("Source,TARGET\nanna,bert\n").front(),
            "the first line names columns: it is taken as a header (the option header decides otherwise)");
  EXPECT_EQ(parsed_csv("customer,item\nanna,bert\n").strings, (names{{"anna", "bert"}, {"customer", "item"}}));
  EXPECT_EQ(notes_of("customer,item\nanna,bert\n").front(),
            "the ids are not numeric: read as strings, those of the first line too (the option header decides otherwise)");
  io::read_options options;
  options.header = false;
  EXPECT_EQ(parsed_csv("id1,id2\nanna,bert\n", options).strings, (names{{"anna", "bert"}, {"id1", "id2"}}));
}

TEST(comments, are_none_in_csv_unless_they_are_asked_for) {
  const std::string text = "#a,b\nc,d\n#e,f\n";
  io::read_options options;
  options.header = false;
  EXPECT_EQ(parsed_csv(text, options).strings, (names{{"#a", "b"}, {"#e", "f"}, {"c", "d"}}));
  EXPECT_EQ(notes_of(text, options).front(),
            "the first line begins with # and is a record: CSV has no comments unless the option comment '#' says so");
  EXPECT_EQ(refused_csv(text, options, "t.txt"),
            "t.txt:3: found a line that begins with # and splits like a record, expected comments above the first record only");
  options.comments = "#";
  EXPECT_EQ(parsed_csv(text, options, "t.txt").strings, (names{{"c", "d"}}));
  EXPECT_EQ(parsed_csv(text, options).strings, (names{{"c", "d"}}));
  options.comments = "";
  EXPECT_EQ(parsed_csv(text, options, "t.txt").strings, (names{{"#a", "b"}, {"#e", "f"}, {"c", "d"}}));
}

TEST(counts, are_of_comments_and_missing_ends) {
  io::read_options options;
  options.missing = {"NULL", ""};
  options.comments = "#";
  io::read_counts counts;
  options.counts = &counts;
  const temporary_file file{"t.csv", "# x\nid1,id2\n1,2\n# y\n3,\nNULL,4\n5,6\n"};
  EXPECT_EQ(read_text(file.path(), {options, {}}).numbers, (edges{{1, 2}, {5, 6}}));
  EXPECT_EQ(counts.comment_lines, 2u);
  EXPECT_EQ(counts.missing_ends, 2u);
  options.counts = nullptr;
  EXPECT_EQ(notes_of("1,2\n3,\nNULL,4\n", options), std::vector<std::string>{"2 edges dropped for a missing end"});
}

TEST(missing, values_may_be_numbers_and_may_come_first) {
  io::read_options options;
  options.missing = {"0", "NA"};
  std::string text = "NA,7\n";
  for (int i = 0; i < 300; ++i) text += "0,5\n6,7\n";
  EXPECT_EQ(parsed_csv(text, options).numbers, edges(300, {6, 7}));
  options.missing = {"n/a"};
  EXPECT_EQ(parsed_csv("anna,n/a\nanna,bert\n", options).strings, (names{{"anna", "bert"}}));
}

TEST(missing, an_id_in_more_than_a_tenth_of_all_edges_is_noted) {
  std::string strings, integers, usual;
  for (int i = 0; i < 20000; ++i) {
    strings += "a" + std::to_string(i) + (i % 7 == 0 ? ",NULL\n" : ",b" + std::to_string(i) + "\n");
    integers += std::to_string(100 + i) + (i % 7 == 0 ? ",5\n" : "," + std::to_string(30000 + i) + "\n");
    usual += std::to_string(100 + i) + (i % 20 == 0 ? ",5\n" : "," + std::to_string(30000 + i) + "\n");
  }
  const auto of_strings = notes_of(strings);
  ASSERT_EQ(of_strings.size(), 2u);
  EXPECT_TRUE(of_strings[1].starts_with("the id \"NULL\" takes part in about 1")) << of_strings[1];
  const auto of_integers = notes_of(integers);
  ASSERT_EQ(of_integers.size(), 1u);
  EXPECT_TRUE(of_integers[0].starts_with("the id 5 takes part in about 1")) << of_integers[0];
  EXPECT_TRUE(notes_of(usual).empty());
}

TEST(ids, with_leading_zeros_are_told_apart_or_merged_only_when_told) {
  EXPECT_EQ(parsed_csv("007,8\n7,8\n").strings, (names{{"007", "8"}, {"7", "8"}}));
  EXPECT_EQ(notes_of("007,8\n"), std::vector<std::string>{"ids with leading zeros: read as strings"});
  io::read_options options;
  options.ids = io::id_kind::integers;
  std::string text;
  for (int i = 0; i < 300; ++i) text += "7,0\n007,00\n";
  EXPECT_EQ(parsed_csv(text, options).numbers, edges(600, {7, 0}));
  std::string late;
  for (int i = 0; i < 200; ++i) late += "10,20,2020-01-01 05:06\n";
  EXPECT_EQ(parsed_csv(late).numbers, edges(200, {10, 20}));
  EXPECT_EQ(refused_csv(late + "3,04\n" + late).substr(0, 46), "t.csv:201: found the id 04 with leading zeros,");
}

TEST(vertices, from_one_on) {
  io::read_options options;
  options.vertices = 3;
  options.first_vertex = 1;
  std::string text;
  for (int i = 0; i < 200; ++i) text += "1 3\n";
  EXPECT_EQ(parsed_csv(text, options, "t.txt").numbers, edges(200, {0, 2}));
  EXPECT_EQ(refused_csv(text + "0 3\n", options, "t.txt"), "t.txt:201: found the id 0, expected one from 1 to 3, the declared vertices");
  EXPECT_EQ(refused_csv(text + "1 4\n", options, "t.txt"), "t.txt:201: found the id 4, expected one from 1 to 3, the declared vertices");
  const temporary_file file{"t.txt", "1 3\n"};
  const components_result result = components(file.path(), options);
  EXPECT_EQ(result.count(), 2u);
  EXPECT_EQ(result.labels.names().integer(1), 2u);
}

TEST(vertex_tables, add_vertices_but_no_edges) {
  const temporary_file edges_file{"e.csv", "3,5\n"};
  const temporary_file people{"p.csv", "name,id\nanna,3\nbert,4\ncarl,70000000000\n"};
  io::read_options options;
  options.vertex_tables.push_back({people.path(), "id"});
  for (const unsigned threads : {1u, 3u}) {
    options.block_bytes = 1;
    const components_result streamed = components(edges_file.path(), options, {}, {.threads = threads});
    EXPECT_EQ(streamed.report.edges, 1u);
    EXPECT_EQ(streamed.count(), 3u);
    const graph held = io::read_graph(edges_file.path(), options, {.threads = threads});
    EXPECT_EQ(held.vertices(), 4u);
    EXPECT_EQ(components(held).count(), 3u);
    EXPECT_EQ(std::visit(
                  [](const auto& view) -> std::uint64_t {
                    if constexpr (requires { view.edges; }) return view.edges.size();
                    return 0;
                  },
                  held.view()),
              1u);
  }
  const temporary_file bad{"b.csv", "id\n3\nx\n"};
  options.vertex_tables = {{bad.path(), "id"}};
  EXPECT_THROW(components(edges_file.path(), options), input_error);
}

TEST(vertex_tables, of_strings_and_of_several_files) {
  const temporary_file first{"e.csv", "a,b\n"};
  const temporary_file second{"f.csv", "c,b\n"};
  const temporary_file people{"p.txt", "z\na\n\n# none\n"};
  const temporary_file empty{"empty.csv", ""};
  io::read_options options;
  options.vertex_tables.push_back({people.path(), 1});
  const std::vector<std::filesystem::path> files{first.path(), second.path()};
  const components_result both = components(files, options);
  EXPECT_EQ(both.count(), 2u);
  EXPECT_EQ(both.report.edges, 2u);
  EXPECT_EQ(components(empty.path(), options).count(), 2u);
  EXPECT_EQ(components(io::read_graph(empty.path(), options)).count(), 2u);
}

TEST(prefixes, keep_the_ids_of_two_tables_apart) {
  io::read_options options;
  options.prefixes = {"A:", "B:"};
  EXPECT_EQ(parsed_csv("1,2\n2,1\n", options).strings, (names{{"A:1", "B:2"}, {"A:2", "B:1"}}));
  options.ids = io::id_kind::integers;
  EXPECT_EQ(parsed_csv("007,2\n", options).strings, (names{{"A:7", "B:2"}}));
  const temporary_file edges_file{"e.csv", "1,2\n"};
  const temporary_file left{"l.csv", "id\n1\n3\n"};
  const temporary_file right{"r.csv", "id\n1\n"};
  options.vertex_tables = {{left.path(), "id"}, {right.path(), "id"}};
  EXPECT_EQ(components(edges_file.path(), options).count(), 3u);  // A:1 B:2, A:3, B:1
  options.prefixes = {"A:", "A:"};
  EXPECT_EQ(refused_csv<usage_error>("1,2\n", options), R"(the prefix "A:" for both columns of ids: two different ones are needed)");
}

TEST(heads, that_declare_far_too_much_are_refused_unless_they_are_trusted) {
  const std::string mtx = "%%MatrixMarket matrix coordinate pattern general\n2000000000 2000000000 1\n1 2\n";
  EXPECT_EQ(refused_csv(mtx, {}, "t.mtx"),
            "t.mtx:2: found 2000000000 vertices declared in a file of 77 bytes, expected at most 67108864 in so short a file (the option "
            "memory LIMIT says that there is room for more)");
  EXPECT_EQ(refused_csv("p sp 2000000000 1\na 1 2 3\n", {}, "t.gr").substr(0, 46), "t.gr:1: found 2000000000 vertices declared in ");
  io::read_options options;
  options.trust_head = true;
  EXPECT_EQ(parsed_csv(mtx, options, "t.mtx").vertices, 2000000000u);
}

}  // namespace
}  // namespace copse::testing
