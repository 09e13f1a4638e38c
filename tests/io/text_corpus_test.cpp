// Small files, good and bad, each named for what it is about: what is read from the good ones, and the exact words that refuse the bad
// ones.
#include "io/text_harness.hpp"
#include "support/real_graphs.hpp"

namespace copse::testing {
namespace {

std::filesystem::path corpus(const std::string& name) { return std::filesystem::path{COPSE_CORPUS} / "text" / name; }

/// Of a file's name.
constexpr auto test_name = [](const auto& instance) { return test_name_of(instance.param.name); };

struct bad_file {
  const char* name;
  const char* message;  // behind "name:"
};

class bad_text : public ::testing::TestWithParam<bad_file> {};

TEST_P(bad_text, is_refused_with_line_and_reason) {
  const auto& [name, message] = GetParam();
  EXPECT_EQ(refusal_everywhere(corpus(name)), std::string{name} + ":" + message);
}

INSTANTIATE_TEST_SUITE_P(
    corpus, bad_text,
    ::testing::Values(
        bad_file{
            "bad_negative_id.txt",
            R"(2: found the negative number "-9223372036854775809", expected an id from -9223372036854775808 to 18446744073709551615 in column 2)"},
        bad_file{"bad_fractional_id.txt",
                 R"(3: found the fraction "2.5", expected an id from -9223372036854775808 to 18446744073709551615 in column 1)"},
        bad_file{
            "bad_id_overflow.txt",
            R"(2: found the too large number "18446744073709551616", expected an id from -9223372036854775808 to 18446744073709551615 in column 2)"},
        bad_file{"bad_missing_column.txt", R"(4: found 1 column: "7", expected at least 2 separated by blanks)"},
        bad_file{"bad_garbage.txt", R"(2: found "x2", expected an id from -9223372036854775808 to 18446744073709551615 in column 2)"},
        bad_file{"bad_not_utf8.csv", R"(2: found "\xFF\xFE", expected a string id in UTF-8 in column 2)"},
        bad_file{"bad_open_quote.csv", "2: found a quote that is not closed, expected its end within 1048576 bytes"},
        bad_file{"bad_text_behind_quote.csv", "1: found text behind a closing quote, expected a delimiter or the end of the line"},
        bad_file{"bad_lost_comma.csv", R"(3: found 1 column: "5 6", expected at least 2 separated by commas)"},
        bad_file{"bad_empty_name.csv", "2: found an empty field, expected a string id in column 1"},
        bad_file{"bad_leading_zeros.txt",
                 "2: found the id 007 with leading zeros, expected the option ids int, which takes it for 7, or the option ids string, "
                 "which tells them apart"},
        bad_file{"bad_utf16.csv", "1: found the byte order mark of UTF-16, expected UTF-8 (iconv -f UTF-16 -t UTF-8 converts the file)"},
        bad_file{"bad_comment.csv",
                 "1: found a line that begins with #, expected a record: CSV has no comments unless the option comment '#' says so"},
        bad_file{"bad_two_kinds_of_delimiters.csv", R"(2: found 1 column: "2;3", expected at least 2 separated by commas)"},
        bad_file{"bad_no_banner.mtx", "1: found no Matrix Market banner, expected %%MatrixMarket matrix coordinate ..."},
        bad_file{"bad_dense.mtx", R"(1: found "array", expected coordinate as form)"},
        bad_file{"bad_rectangular.mtx", "3: found 3 rows and 4 columns, expected a square matrix: its rows and columns are the vertices"},
        bad_file{"bad_index_zero.mtx", "4: found the vertex 0, expected a vertex from 1 to 3"},
        bad_file{"bad_index_beyond.mtx", "4: found the vertex 4, expected a vertex from 1 to 3"},
        bad_file{"bad_fewer_entries.mtx", "4: found the end of the file after 2 entries, expected the 3 declared"},
        bad_file{"bad_more_entries.mtx", "6: found entry 2, expected the end of the file after the 1 declared"},
        bad_file{"bad_no_value.mtx", "4: found the end of the line, expected a value as third column"},
        bad_file{"bad_short_size_line.mtx", "2: found the end of the line, expected the numbers of rows, columns and entries"},
        bad_file{"bad_no_size_line.mtx", "2: found the end of the file, expected the line of rows, columns and entries"},
        bad_file{"bad_edge_before_p.gr", R"(2: found "a 1 2 3", expected a line p KIND VERTICES EDGES before all others)"},
        bad_file{"bad_no_p.gr", "1: found the end of the file, expected a line p KIND VERTICES EDGES"},
        bad_file{"bad_second_p.gr", "2: found a second p line, expected edges"},
        bad_file{"bad_fewer_edges.gr", "2: found the end of the file after 1 edge lines, expected the 2 declared"},
        bad_file{"bad_more_edges.gr", "4: found edge line 2, expected the end of the file after the 1 declared"},
        bad_file{"bad_vertex_beyond.gr", "2: found the vertex 4, expected a vertex from 1 to 3"},
        bad_file{"bad_neighbour_beyond.graph", "3: found the neighbour 4, expected a vertex from 1 to 3"},
        bad_file{"bad_fewer_rows.graph", "3: found the end of the file after 2 rows, expected 3, one per vertex"},
        bad_file{"bad_more_rows.graph", "6: found row 4 or a later one, expected the end of the file after 3 rows"},
        bad_file{"bad_arcs.graph", "1: found 4 neighbours in the rows, expected 6, two for each of the 3 edges declared here"},
        bad_file{"bad_format.graph", R"(1: found the format "012", expected up to three digits 0 or 1)"},
        bad_file{"bad_edge_weight_missing.graph", "3: found the end of the line, expected the weight of the edge"},
        bad_file{"bad_declares_too_much.graph",
                 "1: found 3000000000 vertices and 5 edges declared in a file of 14 bytes, expected a longer file"},
        bad_file{"bad_cut_off.adj", "9: found the end of the file after 6 numbers, expected 7 behind the numbers of vertices and arcs"},
        bad_file{"bad_target_beyond.adj", "9: found the target 3, expected a vertex below 3"},
        bad_file{"bad_offset_falls.adj", "6: found the offset 1, expected one from 3 to 4"},
        bad_file{"bad_first_offset.adj", "4: found the offset 1, expected one from 0 to 0"},
        bad_file{"bad_number_too_many.adj",
                 "11: found more numbers, expected the end of the file after 7 behind the numbers of vertices and arcs"},
        bad_file{"bad_garbage.adj", R"(8: found "x", expected an offset or a target)"},
        bad_file{"bad_kind.adj", R"(1: found "HyperGraph", expected AdjacencyGraph or WeightedAdjacencyGraph)"}),
    test_name);

struct good_file {
  const char* name;
  std::optional<std::uint64_t> vertices;
  edges expected;  // sorted
};

class good_text : public ::testing::TestWithParam<good_file> {};

TEST_P(good_text, is_read) {
  const auto& [name, vertices, expected] = GetParam();
  const collected found = read_everywhere(corpus(name));
  EXPECT_EQ(found.vertices, vertices);
  EXPECT_EQ(found.numbers, expected);
  EXPECT_FALSE(found.named);
}

INSTANTIATE_TEST_SUITE_P(corpus, good_text,
                         ::testing::Values(good_file{"good_empty.txt", std::nullopt, {}}, good_file{"good_empty.csv", std::nullopt, {}},
                                           good_file{"good_comments_only.txt", std::nullopt, {}},
                                           good_file{"good_bom_crlf_blanks_no_end.txt", std::nullopt, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
                                           good_file{"good_header_quotes.csv", std::nullopt, {{1, 2}, {2, 3}, {3, 1}}},
                                           good_file{"good_wide_ids.txt", std::nullopt, {{7, 7}, {4294967296, UINT64_MAX}}},
                                           good_file{"good_cr_only.txt", std::nullopt, {{1, 2}, {2, 3}, {3, 4}}},
                                           good_file{"good_mixed_line_ends.txt", std::nullopt, {{1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}}},
                                           good_file{"good_semicolons.csv", std::nullopt, {{1, 2}, {2, 3}}},
                                           good_file{"good_blanks_and_tabs.txt", std::nullopt, {{0, 1}, {1, 2}}},
                                           good_file{"good_bars.txt", std::nullopt, {{1, 2}, {2, 3}}},
                                           good_file{"good_blanks.csv", std::nullopt, {{0, 1}, {1, 2}}},
                                           good_file{"good_header_over_tabs.txt", std::nullopt, {{1, 2}, {2, 3}}},
                                           good_file{"good_symmetric_real.mtx", 4, {{1, 0}, {2, 1}, {3, 3}}},
                                           good_file{"good_complex.mtx", 2, {{1, 0}}}, good_file{"good_empty.mtx", 0, {}},
                                           good_file{"good_arcs.gr", 4, {{0, 1}, {1, 2}, {2, 1}}},
                                           good_file{"good_plain.gr", 4, {{0, 1}, {2, 1}}},
                                           good_file{"good_colouring.gr", 4, {{0, 1}, {1, 0}}},
                                           good_file{"good_isolated.graph", 4, {{0, 1}, {1, 0}, {1, 2}, {2, 1}}},
                                           good_file{"good_all_weights.graph", 3, {{0, 1}, {1, 0}, {1, 2}, {2, 1}}},
                                           good_file{"good.adj", 3, {{0, 1}, {1, 0}, {1, 2}, {2, 1}}},
                                           good_file{"good_weighted.adj", 3, {{0, 1}, {1, 0}, {1, 2}, {2, 1}}}),
                         test_name);

struct named_file {
  const char* name;
  names expected;  // sorted
};

class good_names : public ::testing::TestWithParam<named_file> {};

TEST_P(good_names, are_read) {
  const collected found = read_everywhere(corpus(GetParam().name));
  EXPECT_TRUE(found.named);
  EXPECT_EQ(found.strings, GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    corpus, good_names,
    ::testing::Values(named_file{"good_quoted_names.csv", {{"Doe", "x y"}, {"Smith, J", "Doe"}, {"say \"hi\"", "Doe"}}},
                      named_file{"good_commas_in_names.tsv", {{"Jones, A", "Doe, B"}, {"Smith, J", "Jones, A"}}},
                      named_file{"good_known_header.csv", {{"anna", "bert"}, {"bert", "carl"}}},
                      named_file{"good_line_ends_in_quotes.csv", {{"b", "c\r\nd"}, {"c\r\nd", "5\" pipe"}, {"two\nlines", "b"}}},
                      named_file{"good_hash_ids.csv", {{"#1", "%2"}, {"%2", "#3"}}},
                      named_file{"good_bars_in_names.txt", {{"sp|P1|A", "sp|Q2|B"}, {"sp|Q2|B", "sp|R3|C"}}}),
    test_name);

}  // namespace
}  // namespace copse::testing
