// Where records end and what their fields are, piece by piece; and how a table's layout is decided.
#include "io/records.hpp"

#include "io/table_reading.hpp"
#include "io/text_harness.hpp"

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace copse::testing {
namespace {

using io::record_fault;
using io::record_syntax;
constexpr auto npos = std::string_view::npos;

record_syntax csv() { return {.delimiter = ',', .blanks = false, .quotes = true, .trimmed = false, .comments = ""}; }

std::vector<std::string> fields_of(std::string_view record, const record_syntax& syntax) {
  io::field_picker picker{syntax, {}};
  EXPECT_EQ(picker.pick(record), record_fault::none);
  return {picker.fields().begin(), picker.fields().end()};
}

TEST(records, lines_end_with_lf_crlf_or_cr) {
  std::string_view rest = "a\nb\r\nc\rd\r\r\n\ne";
  std::vector<std::string> lines;
  while (!rest.empty()) lines.emplace_back(io::cut_line(rest));
  EXPECT_EQ(lines, (std::vector<std::string>{"a", "b", "c", "d", "", "", "e"}));
  EXPECT_EQ(io::count_line_ends("a\nb\r\nc\rd\r\r\n\ne"), 6u);
}

TEST(records, a_cr_at_the_end_may_go_on_with_lf) {
  EXPECT_EQ(io::end_of_line("ab\r", false), npos);
  EXPECT_EQ(io::end_of_line("ab\r", true), 3u);
  EXPECT_EQ(io::end_of_line("ab\r\n", false), 4u);
  EXPECT_EQ(io::end_of_line("ab", true), 2u);
  EXPECT_EQ(io::last_end_of_records("ab\ncd\r", csv()), 3u);
}

TEST(records, line_ends_in_quotes_are_no_ends) {
  EXPECT_EQ(io::end_of_record("\"a\nb\",c\nd", csv(), false), 8u);
  EXPECT_EQ(io::end_of_record("\"a\"\"\nb\",c\nd", csv(), false), 10u);
  EXPECT_EQ(io::end_of_record("a 5\" pipe,x\n\"", csv(), false), 12u);  // not at the front of a field
  EXPECT_EQ(io::end_of_record("\"a\nb", csv(), false), npos);
  EXPECT_EQ(io::end_of_record("\"a\nb", csv(), true), 4u);
  EXPECT_EQ(io::end_of_records("a,b\n\"c\nd\",e\nf,g\n", csv(), 6, false), 12u);
}

TEST(records, a_quote_that_is_not_closed_ends_at_the_limit) {
  const std::string text = "\"" + std::string(3 * io::longest_quoted_field, '\n');
  EXPECT_EQ(io::end_of_record(text, csv(), false), 1 + io::longest_quoted_field);
  EXPECT_EQ(io::last_end_of_records(text, csv()), 1 + io::longest_quoted_field);
}

/// However few columns are looked at: otherwise what follows would be lost, or lines of the field would be records.
TEST(records, with_a_quote_that_is_not_closed_are_refused_by_any_column) {
  const std::string long_field = "\"" + std::string(io::longest_quoted_field, 'x');
  const record_syntax syntax = csv();
  const std::vector<unsigned> columns{1};
  io::field_picker picker{syntax, columns};
  for (const std::string& text : {std::string{"a,b,\"c\nd,e\n"}, "a,b," + long_field + "\nd,e\n\"\n"}) {
    std::string_view rest = text;
    EXPECT_EQ(picker.pick(io::cut_record(rest, syntax)), record_fault::open_quote);
  }
  std::string_view closed = "a,b,\"c\nd,e\"\nf";
  EXPECT_EQ(picker.pick(io::cut_record(closed, syntax)), record_fault::none);
  EXPECT_EQ(closed, "f");
}

TEST(records, quotes_of_comments_open_nothing) {
  record_syntax syntax = csv();
  syntax.comments = "#";
  EXPECT_EQ(io::end_of_records("# a,\"b\nc,d\ne,f\n", syntax, 8, false), 11u);
  EXPECT_EQ(io::end_of_records("# a,\"b\nc,\"d\ne\",f\n", syntax, 8, false), 17u);
}

TEST(records, fields) {
  using list = std::vector<std::string>;
  EXPECT_EQ(fields_of("a,,\"b,\"\"c\"\"\",", csv()), (list{"a", "", "b,\"c\"", ""}));
  EXPECT_EQ(fields_of(" a , \"b\" ,c", csv()), (list{" a ", "b", "c"}));
  EXPECT_EQ(fields_of("  a \t b  ", {.blanks = true}), (list{"a", "b"}));
  EXPECT_EQ(fields_of("a  b", {.delimiter = ' ', .blanks = false}), (list{"a", "", "b"}));
  EXPECT_EQ(fields_of(" a | b c ", {.delimiter = '|', .blanks = false}), (list{"a", "b c"}));
}

TEST(records, columns_in_any_order_and_twice) {
  const record_syntax syntax = csv();
  const std::vector<unsigned> columns{3, 1, 3};
  io::field_picker picker{syntax, columns};
  ASSERT_EQ(picker.pick("a,b,c,d"), record_fault::none);
  EXPECT_EQ(picker[0], "c");
  EXPECT_EQ(picker[1], "a");
  EXPECT_EQ(picker[2], "c");
  EXPECT_EQ(picker.pick("a,b"), record_fault::missing_column);
  EXPECT_EQ(picker.pick("a,\"b"), record_fault::open_quote);
  EXPECT_EQ(picker.pick("a,\"b\"c,d"), record_fault::text_behind_quote);
}

// Wherever a text is cut, the records are those of the whole.
TEST(records, cuts_fall_between_records) {
  std::mt19937_64 random{11};
  constexpr std::string_view letters = "ab,\"\n\r# ";
  for (int round = 0; round < 3000; ++round) {
    record_syntax syntax = csv();
    if (round % 3 == 0) syntax.comments = "#";
    std::string text;
    for (int i = 0; i < 40; ++i) text += letters[random() % letters.size()];
    std::vector<std::string> expected;
    for (std::string_view rest = text; !rest.empty();) expected.emplace_back(io::cut_record(rest, syntax));
    std::vector<std::string> found;
    for (std::string_view rest = text; !rest.empty();) {
      const std::size_t end = io::end_of_records(rest, syntax, 1 + random() % 10, true);
      ASSERT_NE(end, npos);
      std::string_view block = rest.substr(0, end);
      rest.remove_prefix(end);
      while (!block.empty()) found.emplace_back(io::cut_record(block, syntax));
    }
    ASSERT_EQ(found, expected) << text;
  }
}

TEST(layout, names_of_columns) {
  for (const char* name : {"id", "Source", "TARGET", "unique_id_l", "id_r", "from", "#src", "u"})
    EXPECT_TRUE(io::names_a_column(name)) << name;
  for (const char* name : {"anna", "_l", "identity", "7", ""}) EXPECT_FALSE(io::names_a_column(name)) << name;
}

}  // namespace
}  // namespace copse::testing
