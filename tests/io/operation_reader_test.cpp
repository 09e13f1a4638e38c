// Streams of operations: records in every spelling, in batches of every size, from every kind of source, and what is refused and where.
#include <gtest/gtest.h>
#include <zlib.h>
#include <copse/errors.hpp>
#include <copse/operations.hpp>
#include <core/random.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "support/noting.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace copse::test {
namespace {

using record = std::tuple<char, std::string, std::string>;
using records = std::vector<record>;

class operation_reader : public ::testing::Test {
protected:
  std::filesystem::path write(const std::string& name, std::string_view content) const {
    std::ofstream{folder_ / name, std::ios::binary}.write(content.data(), static_cast<std::streamsize>(content.size()));
    return folder_ / name;
  }

  static void append(records& all, const io::operation_batch& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const char kind = batch.kinds()[i] == operation::insert ? '+' : '?';
      if (batch.named()) {
        all.emplace_back(kind, batch.names(i).u, batch.names(i).v);
      } else {
        all.emplace_back(kind, std::to_string(batch.pairs()[i].u), std::to_string(batch.pairs()[i].v));
      }
    }
  }
  records read(const std::filesystem::path& path, std::size_t limit, std::size_t block, io::id_kind ids = io::id_kind::automatic) const {
    io::stream_read_options options = options_;
    options.ids = ids;
    options.block_bytes = block;
    io::operation_reader reader{path, options};
    records all;
    io::operation_batch batch;
    while (reader.next(batch, limit)) {
      EXPECT_LE(batch.size(), limit);
      append(all, batch);
    }
    EXPECT_FALSE(reader.next(batch, limit)) << "the end stays the end";
    return all;
  }
  void expect_read(const std::filesystem::path& path, const records& expected, io::id_kind ids = io::id_kind::automatic) const {
    for (const std::size_t limit : {1u, 2u, 1000u}) {
      for (const std::size_t block : {1u, 7u, 1u << 20})
        EXPECT_EQ(read(path, limit, block, ids), expected) << path << " " << limit << " " << block;
    }
  }
  void expect_refused(std::string_view content, const std::string& because, io::id_kind ids = io::id_kind::automatic) const {
    const auto path = write("bad.txt", content);
    for (const std::size_t block : {1u, 1u << 20}) {
      try {
        read(path, 10, block, ids);
        ADD_FAILURE() << content << " was read, expected: " << because;
      } catch (const input_error& e) {
        EXPECT_EQ(std::string{e.what()}, path.string() + because);
      }
    }
  }

  temporary_folder folder_;
  io::stream_read_options options_;
};

TEST_F(operation_reader, takes_records_in_every_spelling) {
  const records expected{{'+', "1", "2"}, {'?', "3", "4"}, {'+', "5", "6"}, {'+', "7", "8"}, {'+', "18446744073709551614", "0"}};
  const auto path = write("a.txt", "# a comment\n+ 1 2\n\n  ?\t3 4  \r\n% more\n5 6\r+  7\t8\n18446744073709551614 0");
  expect_read(path, expected);
  expect_read(path, expected, io::id_kind::strings);
  expect_read(write("commas.txt", "+ 1,2\n? 3,4\n# more\n5, 6\n+,7 , 8\n18446744073709551614,0\n"), expected);
  expect_read(write("tabs.tsv", "+\t1\t2\n?\t3\t4\n5\t6\n+ 7\t8\n18446744073709551614\t0\n"), expected);
  expect_read(write("quoted.csv", "\"+\",\"1\",\"2\"\n\"?\",3,4\n5,6\n\"7\",8\n18446744073709551614,0\n"), expected);
  expect_read(write("semicolons.txt", "+;1;2\n?;3;4\n5;6\n7;8\n18446744073709551614;0\n"), expected);
  expect_read(write("empty.txt", ""), {});
  expect_read(write("none.txt", "#\n\n"), {});
}

TEST_F(operation_reader, reads_as_an_edge_list_is_read) {
  const records expected{{'+', "1", "2"}, {'?', "2", "3"}, {'+', "4", "5"}};
  expect_read(write("header.csv", "source,target\n1,2\n?,2,3\n4,5\n"), expected);
  expect_read(write("numbers_below.txt", "people friends\n1 2\n? 2 3\n4 5\n"), expected);
  expect_read(write("sign_named.csv", "kind,source,target\n+,1,2\n?,2,3\n+,4,5\n"), expected);
  const records names{{'+', "Smith, J", "a\nb"}, {'?', "c", "\"d\""}};
  expect_read(write("names.csv", "id_l,id_r\n+,\"Smith, J\",\"a\nb\"\n?,c,\"\"\"d\"\"\"\n"), names);
  expect_read(write("names.tsv", "Smith, J\tb\n?\tb\tSmith, J\n"), {{'+', "Smith, J", "b"}, {'?', "b", "Smith, J"}});
}

TEST_F(operation_reader, picks_columns_by_name_and_number) {
  options_.columns = {"b", "a"};
  expect_read(write("named.csv", "x,a,b\n9,1,2\n+,8,3,4\n? 7,5,6\n"), {{'+', "2", "1"}, {'+', "4", "3"}, {'?', "6", "5"}});
  expect_read(write("sign_named.csv", "op,x,a,b\n+,9,1,2\n?,8,3,4\n"), {{'+', "2", "1"}, {'?', "4", "3"}});
  options_.columns = {3u, 1u};
  options_.delimiter = ';';
  options_.header = true;
  expect_read(write("numbered.txt", "1;1;1\n+;1;x;2\n3;x;4\n"), {{'+', "2", "1"}, {'+', "4", "3"}});
}

TEST_F(operation_reader, drops_light_edges_and_missing_ends) {
  options_.columns = {"l", "r"};
  options_.weight_column = "p";
  options_.min_weight = 0.5;
  options_.missing = {"NA", ""};
  io::read_counts counts;
  options_.counts = &counts;
  const auto path = write("weights.csv", "l,p,r\n1,.9,2\n2,.4,3\nNA,1,3\n?,1,,\n3,0.5,4\n? 1,,4\n");
  expect_read(path, {{'+', "1", "2"}, {'+', "3", "4"}, {'?', "1", "4"}});
  EXPECT_EQ(counts.missing_ends, 18u) << "two in each of nine readings";
  options_.min_weight.reset();
  EXPECT_THROW(static_cast<void>(read(path, 1, 1)), usage_error);
}

TEST_F(operation_reader, takes_strings_of_any_kind) {
  expect_read(write("s.txt", "+ anna bert\n? -1 +x\n+ ++ ?y\n? \xC3\xA4 1\n"),
              {{'+', "anna", "bert"}, {'?', "-1", "+x"}, {'+', "++", "?y"}, {'?', "\xC3\xA4", "1"}});
  expect_read(write("b.txt", "a \xFF\n"), {{'+', "a", "\xFF"}}, io::id_kind::bytes);
  expect_read(write("mixed.txt", "+ 1 a\n2 3\n"), {{'+', "1", "a"}, {'+', "2", "3"}});
}

TEST_F(operation_reader, takes_raw_pairs_and_compressed_text) {
  const std::vector<std::uint32_t> narrow{1, 2, 4294967295u, 0};
  const std::vector<std::uint64_t> wide{1, 2, std::uint64_t{1} << 40, 0};
  expect_read(write("a.coo", {reinterpret_cast<const char*>(narrow.data()), 16}), {{'+', "1", "2"}, {'+', "4294967295", "0"}});
  expect_read(write("a.coo64", {reinterpret_cast<const char*>(wide.data()), 32}), {{'+', "1", "2"}, {'+', "1099511627776", "0"}});
  const auto path = folder_ / "z.txt.gz";
  gzFile out = gzopen(path.c_str(), "wb");
  gzputs(out, "+ 1 2\n? 1 2\n");
  gzclose(out);
  expect_read(path, {{'+', "1", "2"}, {'?', "1", "2"}});
}

TEST_F(operation_reader, knows_compressed_text_by_its_content) {
  const auto path = folder_ / "z.txt";
  gzFile out = gzopen(path.c_str(), "wb");
  gzputs(out, "+ 1 2\n? 1 2\n");
  gzclose(out);
  expect_read(path, {{'+', "1", "2"}, {'?', "1", "2"}});
}

TEST_F(operation_reader, takes_a_byte_order_mark_off) {
  expect_read(write("bom.txt", "\xEF\xBB\xBF+ 1 2\n? 1 2\n"), {{'+', "1", "2"}, {'?', "1", "2"}});
  expect_read(write("bom_comment.txt", "\xEF\xBB\xBF# x\n1 2\n"), {{'+', "1", "2"}});
}

TEST_F(operation_reader, leading_zeros_are_told_apart_only_where_they_can_be) {
  expect_refused("1 2\n007 3\n",
                 ":2: found the id 007 with leading zeros, expected the option ids int, which takes it for 7, or the option ids string, "
                 "which tells them apart");
  expect_read(write("zeros.txt", "007 7\n7 8\n"), {{'+', "007", "7"}, {'+', "7", "8"}});
  expect_read(write("zeros.txt", "1 2\n007 0\n"), {{'+', "1", "2"}, {'+', "7", "0"}}, io::id_kind::integers);
}

TEST_F(operation_reader, tells_of_a_last_record_without_a_line_end) {
  for (const auto& [text, notes] : {std::pair{"1 2\n3 4", 1u}, {"1 2\r3 4\r", 0u}, {"1 2\n3 4\n", 0u}, {"1 2\n# no record", 0u}}) {
    const auto path = write("cut.txt", text);
    noting listening;
    io::operation_reader reader{path, {}, {.observer = &listening}};
    io::operation_batch batch;
    while (reader.next(batch, 10)) {
    }
    std::erase_if(listening.notes, [](const std::string& note) { return note.find("comment line") != std::string::npos; });
    ASSERT_EQ(listening.notes.size(), notes) << text;
    if (notes == 1) {
      EXPECT_EQ(listening.notes[0], path.string() + ":2: the last record has no line end: it is taken as it is, and may be cut off");
    }
  }
}

TEST_F(operation_reader, keeps_within_its_memory) {
  const auto path = write("long.txt", std::string(std::size_t{4} << 20, 'x') + " y\n");
  tracked_memory memory{std::uint64_t{3} << 20};
  const execution on{.memory = &memory};
  io::operation_reader reader{path, {}, on};
  io::operation_batch batch{&memory};
  EXPECT_THROW(reader.next(batch, 1), resource_error);
  std::string many;
  for (int i = 0; i < 100000; ++i) many += "1 2\n";
  io::operation_reader pairs_reader{write("many.txt", many), {}, on};
  EXPECT_THROW(pairs_reader.next(batch, 1000000), resource_error) << "a batch counts, too";
}

/// Records of all kinds, with comments, empty lines and fields in quotes that hold line ends, for many parts of the text.
std::string many_records(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string u = "user-" + std::to_string(i * 7919 % 5000), v = "user-" + std::to_string(i * 104729 % 5000);
    if (i % 50 == 49) text += "\n";
    if (i % 3 == 1) text += "?,";
    if (i % 40 == 7) {
      text += "\"" + u + "\n\"\"" + v + "\"," + v + (i % 80 == 7 ? "\r\n" : "\n");
    } else {
      text += u + "," + v + "\n";
    }
  }
  return text;
}

TEST_F(operation_reader, threads_parse_parts_and_nobody_sees_them) {
  const auto path = write("many.csv", many_records(30'000));
  const auto read_by = [&](unsigned threads, std::size_t block, std::size_t limit) {
    io::stream_read_options options;
    options.block_bytes = block;
    io::operation_reader reader{path, options, {.threads = threads}};
    io::operation_batch batch;
    records all;
    while (reader.next(batch, limit)) append(all, batch);
    return all;
  };
  const records expected = read_by(1, 1000, 777);
  ASSERT_EQ(expected.size(), 30'000u);
  EXPECT_EQ(std::get<1>(expected[7]), "user-" + std::to_string(7 * 7919 % 5000) + "\n\"user-" + std::to_string(7 * 104729 % 5000));
  for (const unsigned threads : {2u, 7u}) {
    for (const std::size_t block : {std::size_t{1} << 15, std::size_t{1} << 20}) {
      for (const std::size_t limit : {std::size_t{777}, std::size_t{100'000}}) {
        EXPECT_TRUE(read_by(threads, block, limit) == expected) << threads << " threads, " << block << ", " << limit;
      }
    }
  }
}

/// Lines of random bytes that mean something: what is cut eight bytes at a time is what the rules for one byte give. In small blocks a line
/// ends with the text, where only the rules are.
TEST_F(operation_reader, plain_lines_are_cut_as_the_rules_say) {
  const std::vector<std::string> pieces{
      "a", "bc", "name-1", "long-name-of-17-b", " ",    "  ",  "\t",         ",",       "\"", "#",  "+", "?",
      "-", "\r", "NA",     "\xc3\xa9",          "\xff", "x y", "a b\nc d\n", "? a b\n", "\n", "\n", "\n"};
  const auto read_in = [&](const std::filesystem::path& path, std::size_t block, io::id_kind ids) {
    records all;
    io::stream_read_options options;
    options.ids = ids;
    options.block_bytes = block;
    options.missing = {"NA"};
    options.comments = "#";
    const std::string fault = thrown<error>([&] {
      io::operation_reader reader{path, options, {.threads = 2}};
      io::operation_batch batch;
      while (reader.next(batch, 5)) append(all, batch);
    });
    return std::pair{all, fault};
  };
  std::size_t whole = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    std::string text = seed % 3 == 0 ? "" : "first second\n";
    for (std::uint64_t i = 0; i < 4 + seed % 40; ++i) {
      const std::size_t common = seed % 2 == 0 ? pieces.size() : 5;  // half of the texts have hardly any faults
      text += pieces[mix(seed * 100 + i) % common];
      if (mix(seed * 100 + i + 50) % 3 == 0) text += seed % 2 == 0 ? " " : " b\n";
    }
    const auto path = write(seed % 5 == 0 ? "random.csv" : "random.el", text);
    for (const io::id_kind ids : {io::id_kind::strings, io::id_kind::bytes}) {
      const auto by_rules = read_in(path, 1, ids), found = read_in(path, std::size_t{1} << 20, ids);
      ASSERT_EQ(found.second, by_rules.second) << "seed " << seed << ": " << text;
      ASSERT_TRUE(found.first == by_rules.first) << "seed " << seed << ": " << text;
      whole += static_cast<std::size_t>(found.second.empty() && found.first.size() > 2);
    }
  }
  EXPECT_GT(whole, 40u) << "texts without a fault";
}

TEST_F(operation_reader, of_several_faults_the_first_is_told_behind_all_records_before_it) {
  std::string text = many_records(20'000);
  const std::size_t line = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  text += "alone\n" + many_records(10'000) + "also alone\n";
  const auto path = write("faults.csv", text);
  for (const unsigned threads : {1u, 7u}) {
    io::operation_reader reader{path, {}, {.threads = threads}};
    io::operation_batch batch;
    std::size_t seen = 0;
    const std::string fault = thrown<input_error>([&] {
      while (reader.next(batch, 1000)) seen += batch.size();
    });
    EXPECT_EQ(seen, 20'000u) << threads;
    EXPECT_TRUE(fault.starts_with(path.string() + ":" + std::to_string(line) + ": found no second id in \"alone\"")) << fault;
  }
}

TEST_F(operation_reader, refuses_with_file_and_line) {
  expect_refused("+ 1 2\n+ 3\n", ":2: found no second id in \"+ 3\", expected a record such as + u v or ? u v, separated by blanks");
  expect_refused("+\n1 2\n", ":1: found \"+\", expected a delimiter behind the sign, or a sign before an id that begins with one");
  expect_refused("1 2 3\n",
                 ":1: found more than two ids in \"1 2 3\", expected a record such as + u v or ? u v (the option columns 1,2 passes over "
                 "further columns)");
  expect_refused("#\n1 2\n? 1 x\n", ":3: found \"x\", expected an id from -9223372036854775808 to 18446744073709551615");
  expect_refused(
      "1 2\n3 -9223372036854775809\n",
      ":2: found the negative number \"-9223372036854775809\", expected an id from -9223372036854775808 to 18446744073709551615");
  expect_refused(
      "1 2\n3 18446744073709551616\n",
      ":2: found the too large number \"18446744073709551616\", expected an id from -9223372036854775808 to 18446744073709551615");
  expect_refused("1 2\n?1 2\n", ":2: found \"?1 2\", expected a delimiter behind the sign, or a sign before an id that begins with one");
  expect_refused("a b\nc \xFF\n", ":2: found \"\\xFF\", expected a string id in UTF-8 (the option ids bytes takes any bytes)");
  expect_refused(
      "a \x1B[2J\x07 c\n",
      ":1: found more than two ids in \"a \\x1B[2J\\x07 c\", expected a record such as + u v or ? u v (the option columns 1,2 passes "
      "over further columns)");
  expect_refused("a b\n", ":1: found \"a\", expected an id from -9223372036854775808 to 18446744073709551615", io::id_kind::integers);
  const auto path = write("cut.coo", std::string(19, 'x'));
  try {
    read(path, 10, 1);
    ADD_FAILURE();
  } catch (const input_error& e) {
    EXPECT_EQ(std::string{e.what()}, path.string() + ": found 3 bytes behind the last pair, expected pairs of 8 bytes");
  }
}

TEST_F(operation_reader, weights_stand_beside_their_records) {
  const auto path = write("w.csv", "+,a,b,.5\n?,b,c\nc,d,-3\n# no comment in CSV,x,inf\nNA,a,7\n+,d,a,1e3\n");
  for (const bool least : {false, true}) {
    std::vector<double> expected{.5, 0, -3, std::numeric_limits<double>::infinity(), 1e3};
    if (least) expected.erase(expected.begin() + 2);
    for (const std::size_t limit : {1u, 2u, 1000u}) {
      for (const std::size_t block : {1u, 7u, 1u << 20}) {
        io::stream_read_options options = options_;
        options.weight_column = io::column{3};
        options.weights = true;
        options.missing = {"NA"};
        options.block_bytes = block;
        if (least) options.min_weight = 0;
        io::operation_reader reader{path, options};
        io::operation_batch batch;
        std::vector<double> all;
        std::size_t count = 0;
        while (reader.next(batch, limit)) {
          EXPECT_EQ(batch.size(), batch.weights().size());
          all.insert(all.end(), batch.weights().begin(), batch.weights().end());
          count += batch.size();
        }
        EXPECT_EQ(all, expected) << limit << " " << block;
        EXPECT_EQ(count, expected.size());
      }
    }
  }
}

TEST_F(operation_reader, a_query_has_no_weight_and_tells_what_ids_are_all_the_same) {
  struct one {
    const char *name, *text;
    io::column weight;
    bool named;
  };
  const std::vector<one> cases{
      {"blanks.txt", "? 7 2\n+ 2 30 .1\n", 3u, false},
      {"commas.csv", "?,7,2\n2,30,.1\n", 3u, false},
      {"header.csv", "score,from,to\n?,.1,7,2\n+,.1,2,30\n", 1u, false},
      {"named.csv", "from,to,score\n?,7,2\n+,2,30,.1\n", "score", false},
      {"sign.csv", "op,from,to,score\n?,7,2\n+,2,30,.1\n", "score", false},
      {"quoted.csv", "op,from,to,score\n?,\"b, b\",ann\n+,bob,cy,.1\n", "score", true},
      {"usual.csv", "from,to,score\n?,ann,bob\n+,bob,cy,.1\n", 3u, true},
      {"strings.csv", "?,Ann Lee,Bob B\n+,Bob B,Cy C,.1\n", 3u, true},
  };
  for (const one& c : cases) {
    io::stream_read_options options = options_;
    options.weight_column = c.weight;
    options.weights = true;
    if (c.weight.named()) options.columns = {"from", "to"};
    if (std::string{c.name} == "header.csv") options.columns = {2u, 3u};
    io::operation_reader reader{write(c.name, c.text), options};
    io::operation_batch batch;
    ASSERT_TRUE(reader.next(batch, 10)) << c.name;
    EXPECT_EQ(batch.named(), c.named) << c.name;
    EXPECT_TRUE(std::ranges::equal(batch.weights(), std::vector{0, .1})) << c.name;
  }
}

TEST_F(operation_reader, weights_are_numbers_in_a_column_of_text) {
  io::stream_read_options options = options_;
  options.weights = true;
  EXPECT_THROW((io::operation_reader{write("w.txt", "1 2 3\n"), options}), usage_error);
  options.weight_column = io::column{3};
  EXPECT_THROW((io::operation_reader{write("w.coo", "12345678"), options}), usage_error);
  for (const char* weight : {"nan", "-NaN", "x", "1.5x", "+-1", "++1"}) {
    io::operation_reader reader{write("w.txt", std::string{"1 2 3\n2 3 "} + weight + "\n"), options};
    io::operation_batch batch;
    EXPECT_THROW(reader.next(batch, 10), input_error) << weight;
  }
}

}  // namespace
}  // namespace copse::test
