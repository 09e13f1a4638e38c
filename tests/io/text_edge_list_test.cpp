// Edge lists: options, layouts, kinds of ids, and the simple lines against a plain reading.
#include "core/random.hpp"
#include "io/simple_lines.hpp"
#include "io/text_harness.hpp"
#include "support/noting.hpp"

#include <random>
#include <sstream>

namespace copse::testing {
namespace {

collected parsed(std::string_view text, const io::read_options& options = {}, const std::string& name = "t.txt") {
  const temporary_file file{name, text};
  return read_everywhere(file.path(), options);
}
template <class Error = input_error>
std::string refused(std::string_view text, const io::read_options& options = {}, const std::string& name = "t.txt") {
  const temporary_file file{name, text};
  return refusal_everywhere<Error>(file.path(), options);
}

TEST(edge_list, columns_in_any_order) {
  io::read_options options;
  options.columns = {3, 1};
  EXPECT_EQ(parsed("1 x 2\n3 y 4 z\n", options).numbers, (edges{{2, 1}, {4, 3}}));
  EXPECT_EQ(refused("1 x 2\n3 y\n", options), R"(t.txt:2: found 2 columns: "3 y", expected at least 3 separated by blanks)");
  options.columns = {2, 2};
  EXPECT_EQ(refused<usage_error>("1 2\n", options), "columns 2 for both ids: two different ones are needed");
}

TEST(edge_list, weights_cut) {
  io::read_options options;
  options.weight_column = 3;
  options.min_weight = 0.5;
  EXPECT_EQ(parsed("1\t2\t0.5\n2\t3\t0.49\n3\t4\t1e3\n4\t5\t+7\n6\t7\t1e999\n7\t8\t-1e999\n", options).numbers,
            (edges{{1, 2}, {3, 4}, {4, 5}, {6, 7}}));
  for (const std::string word : {"x", "nan", "-NaN", "", "0.5.1"}) {
    EXPECT_EQ(refused("1\t2\t0.5\n2\t3\t" + word + "\n", options),
              "t.txt:2: found \"" + word + "\", expected a number as weight in column 3");
  }
  options.missing = {"NaN", "", "x"};
  EXPECT_EQ(parsed("1\t2\t0.5\n2\t3\t-nan\n3\t4\t\n4\t5\tx\n", options).numbers, (edges{{1, 2}}));
  options.missing.clear();
  options.weight_column.reset();
  EXPECT_EQ(refused<usage_error>("1 2\n", options), "a least weight (the option min-weight) needs a column of weights (the option weight)");
}

TEST(edge_list, weight_column_without_threshold_is_refused) {
  io::read_options options;
  options.weight_column = 3;
  EXPECT_EQ(refused<usage_error>("1 2 x\n2 3\n", options),
            "a column of weights (the option weight) has no effect without a least weight (the option min-weight)");
}

TEST(edge_list, declared_vertices) {
  io::read_options options;
  options.vertices = 5;
  const collected found = parsed("0 4\n", options);
  EXPECT_EQ(found.vertices, 5u);
  EXPECT_EQ(refused("0 4\n1 5\n", options), "t.txt:2: found the id 5, expected one below 5, the declared vertices");
  EXPECT_EQ(refused("a b\nc d\n", options).substr(0, 17), R"(t.txt:1: found "a)");
  options.vertices = 0;
  EXPECT_EQ(refused("0 0\n", options), "t.txt:1: found the id 0, expected one below 0, the declared vertices");
}

// Long enough for the fast path, which must leave the bad line to the careful one.
TEST(edge_list, declared_vertices_in_a_long_file) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "12 34\n";
  text += "12 99\n";
  for (int i = 0; i < 500; ++i) text += "98 34\n";
  io::read_options options;
  options.vertices = 99;
  EXPECT_EQ(refused(text, options), "t.txt:501: found the id 99, expected one below 99, the declared vertices");
}

TEST(edge_list, header_rules) {
  EXPECT_EQ(parsed("source target\n1 2\n").numbers, (edges{{1, 2}}));
  EXPECT_EQ(parsed("# c\nsource\ttarget\n\n1\t2\n").numbers, (edges{{1, 2}}));
  io::read_options options;
  options.header = true;
  EXPECT_EQ(parsed("1 2\n3 4\n", options).numbers, (edges{{3, 4}}));
  EXPECT_EQ(parsed("only a header\n", options).numbers, edges{});
  io::read_options without;
  without.header = false;
  EXPECT_EQ(parsed("a b\n1 2\n", without).strings, (names{{"1", "2"}, {"a", "b"}}));
  io::read_options integers;
  integers.ids = io::id_kind::integers;
  EXPECT_EQ(refused("a b\nc d\n", integers),
            R"(t.txt:1: found "a", expected an id from -9223372036854775808 to 18446744073709551615 in column 1)");
}

TEST(edge_list, switch_to_strings_is_noted) {
  const temporary_file file{"t.txt", "anna bert\nbert carl\n"};
  test::noting listener;
  io::read_options options;
  EXPECT_TRUE(read_text(file.path(), {options, {.observer = &listener}}).named);
  ASSERT_EQ(listener.notes.size(), 1u);
  EXPECT_NE(listener.notes[0].find("t.txt: the ids are not numeric: read as strings"), std::string::npos);
  listener.notes.clear();
  options.ids = io::id_kind::strings;
  EXPECT_TRUE(read_text(file.path(), {options, {.observer = &listener}}).named);
  EXPECT_TRUE(listener.notes.empty());
}

TEST(edge_list, string_ids) {
  io::read_options options;
  options.ids = io::id_kind::strings;
  EXPECT_EQ(parsed("1 2\n", options).strings, (names{{"1", "2"}}));
  EXPECT_EQ(parsed("New York,Los Angeles\r\n Rome , Oslo\n", options).strings, (names{{"New York", "Los Angeles"}, {"Rome", "Oslo"}}));
  EXPECT_EQ(parsed("a\t\tb c\n",
                   [&] {
                     auto third = options;
                     third.columns = {1, 3};
                     return third;
                   }())
                .strings,
            (names{{"a", "b c"}}));
  EXPECT_EQ(parsed("gr\xC3\xBC\xC3\x9F e\n", options).strings, (names{{"gr\xC3\xBC\xC3\x9F", "e"}}));
  for (const char* bad : {"\x80 a\n", "\xC0\xAF a\n", "\xE0\x80\x80 a\n", "\xED\xA0\x80 a\n", "\xF4\x90\x80\x80 a\n", "\xC3 a\n"}) {
    EXPECT_NE(refused(bad, options).find("expected a string id in UTF-8 in column 1"), std::string::npos);
  }
  options.ids = io::id_kind::bytes;
  EXPECT_EQ(parsed("\xFF a\n", options).strings, (names{{"\xFF", "a"}}));
}

TEST(edge_list, many_names_fill_several_batches) {
  std::string text;
  names expected;
  for (int i = 0; i < 3000; ++i) {
    text += "\"a\"\"" + std::to_string(i) + "\",b\n";
    expected.emplace_back("a\"" + std::to_string(i), "b");
  }
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(parsed(text, {}, "t.csv").strings, expected);
}

/// Blocks of one line, which parsed() takes too, are read by the rules for one byte.
TEST(edge_list, plain_lines_of_names_are_cut_as_the_rules_say) {
  const std::vector<std::string> lines{"a b\n",
                                       "name-1 long-name-of-17-b\n",
                                       "e\tf\n",
                                       " c  d \n",
                                       "# no\n",
                                       "# no record\n",
                                       "g h more\n",
                                       "k l\r\n",
                                       "gr\xC3\xBC\xC3\x9F e\n",
                                       "\"q\" r\n",
                                       "NA b\n",
                                       "a NA\n",
                                       "\n",
                                       "-x +y\n",
                                       "1 22\n",
                                       "a,b c,d\n",
                                       "12345678 1234\n"};
  io::read_options options;
  options.ids = io::id_kind::strings;
  options.comments = "#";
  options.missing = {"NA"};
  options.header = false;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::string text = "first second\n";
    names expected{{"first", "second"}};
    for (std::uint64_t i = 0; i < 3 + seed; ++i) {
      const std::string& line = lines[mix(seed * 100 + i) % lines.size()];
      text += line;
      std::istringstream words{line};
      std::string u, v;
      if (words >> u >> v && u != "#" && u != "NA" && v != "NA") expected.emplace_back(u, v);
    }
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(parsed(text, options).strings, expected) << text;
  }
}

TEST(edge_list, quotes_mean_nothing_outside_csv) { EXPECT_EQ(parsed("\"a\",b\n").strings, (names{{"\"a\"", "b"}})); }

TEST(edge_list, a_quote_in_a_further_column_of_csv_is_looked_at) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "1,2,x\n";
  text += "3,4,\"a,b\"\n";
  EXPECT_EQ(parsed(text, {}, "t.csv").numbers.back(), (edge<std::uint64_t>{3, 4}));
}

// Every way a line can end or go on, long enough that most are simple lines, against what a plain reading makes of them.
TEST(edge_list, random_lines_agree_with_a_plain_reading) {
  std::mt19937_64 random{7};
  const char* const ends[] = {"\n", "\n", "\n", "\r\n", " \n", " 5\n", " word and word\r\n", "\t0.5\n"};
  const char* const fronts[] = {"", "", "", "", " ", "# 1 2\n", "\n", "\r\n"};
  const char* const gaps[] = {" ", " ", " ", "\t", "  "};
  std::string text = "0 0\n";  // separated by blanks of either kind
  edges expected{{0, 0}};
  for (int i = 0; i < 4000; ++i) {
    const auto number = [&] { return random() >> (random() % 64); };
    const std::uint64_t u = std::min(number(), UINT64_MAX - 1);
    const std::uint64_t v = std::min(number(), UINT64_MAX - 1);
    const std::string front = fronts[random() % std::size(fronts)];
    const std::string gap = gaps[random() % std::size(gaps)];
    const std::string end = ends[random() % std::size(ends)];
    text += front + std::to_string(u) + gap + std::to_string(v) + end;
    expected.push_back({u, v});
  }
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(parsed(text).numbers, expected);
}

// All texts of the fast path, with every option, stop where they must and agree on what lies before.
TEST(simple_lines, all_texts_agree) {
  std::mt19937_64 random{3};
  io::line_shape shapes[5];
  shapes[1].arc_letter = true;
  shapes[1].first_id = 1;
  shapes[1].last_id = 1'000'000;
  shapes[2].may_go_on = false;
  shapes[3].may_end = false;
  shapes[3].other_separator = '\t';
  shapes[4].leading_zeros = false;
  std::size_t lines_taken = 0;
  for (int round = 0; round < 500; ++round) {
    const io::line_shape& shape = shapes[round % 5];
    std::string text;
    const bool plain = round % 2 == 0;  // many lines that end behind the second id
    for (int i = 0; i < (plain ? 300 : 60); ++i) {
      if (shape.arc_letter && random() % 2 == 0) text += "a ";
      const int digits = static_cast<int>(1 + random() % (shape.arc_letter ? 5 : 15));
      const bool nought = digits == 1 && random() % 2 == 0;
      for (int d = 0; d < digits; ++d) text += static_cast<char>(nought ? '0' : '0' + random() % 10);
      text.append(1, ' ').append(std::to_string(1 + random() % 99999));
      if (!shape.may_end || (shape.may_go_on && random() % 4 == 0 && !plain))
        text += " 7 long tail that may well leave the window of one step";
      text += random() % 8 == 0 && !plain ? "\r\n" : "\n";
    }
    if (round % 3 == 0) text.insert(text.size() / 2, 1, 'x');
    if (round % 7 == 0) text.insert(text.size() / 3, 200, ' ');
    const std::size_t room = round % 4 == 0 ? 20 : 1024;
    std::size_t portable_made = 0;
    for (io::parse_simple_lines* const parse : io::all_parse_simple_lines()) {
      edges found(room);
      std::size_t count = 0;
      const char* const end = parse(text, shape, found.data(), room, count);
      // The fast texts look for room and for the end of the text once a window, so they may stop a few lines earlier or later.
      if (parse == io::parse_simple_lines_portable) portable_made = count;
      ASSERT_LE(std::max(count, portable_made) - std::min(count, portable_made), 40u);
      ASSERT_TRUE(end == text.data() || end[-1] == '\n');
      std::istringstream lines{text};
      std::string line;
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_TRUE(std::getline(lines, line));
        std::istringstream words{line.substr(line.starts_with("a ") ? 2 : 0)};
        std::string u, v;
        words >> u >> v;
        ASSERT_TRUE(shape.leading_zeros || (u == "0" || u[0] != '0')) << line;
        ASSERT_EQ(found[i], (edge<std::uint64_t>{std::stoull(u) - shape.first_id, std::stoull(v) - shape.first_id})) << line;
      }
    }
    lines_taken += portable_made;
  }
  EXPECT_GT(lines_taken, 10000u);  // of 90000, many behind a line that is not simple
}

}  // namespace
}  // namespace copse::testing
