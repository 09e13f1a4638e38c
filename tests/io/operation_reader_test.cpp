// Streams of operations: records in every spelling, in batches of every size, from every kind of source, and what is refused and where.
#include <gtest/gtest.h>
#include <zlib.h>
#include <copse/errors.hpp>
#include <copse/operations.hpp>

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

#include "support/temporary_folder.hpp"

namespace copse::test {
namespace {

using record = std::tuple<char, std::string, std::string>;
using records = std::vector<record>;

class operation_reader : public testing::Test {
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
  static records read(const std::filesystem::path& path, std::size_t limit, std::size_t block,
                      io::stream_ids ids = io::stream_ids::automatic) {
    io::operation_reader reader{path, io::stream_format_of(path), ids, block};
    records all;
    io::operation_batch batch;
    while (reader.next(batch, limit)) {
      EXPECT_LE(batch.size(), limit);
      append(all, batch);
    }
    EXPECT_FALSE(reader.next(batch, limit)) << "the end stays the end";
    return all;
  }
  void expect_read(const std::filesystem::path& path, const records& expected, io::stream_ids ids = io::stream_ids::automatic) const {
    for (const std::size_t limit : {1u, 2u, 1000u}) {
      for (const std::size_t block : {1u, 7u, 1u << 20})
        EXPECT_EQ(read(path, limit, block, ids), expected) << path << " " << limit << " " << block;
    }
  }
  void expect_refused(std::string_view content, const std::string& because, io::stream_ids ids = io::stream_ids::automatic) const {
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
};

TEST_F(operation_reader, takes_records_in_every_spelling) {
  const auto path = write("a.txt", "# a comment\n+ 1 2\n\n  ?\t3,4  \r\n% more\n5 6\n+ 7 , 8\n18446744073709551615 0");
  expect_read(path, {{'+', "1", "2"}, {'?', "3", "4"}, {'+', "5", "6"}, {'+', "7", "8"}, {'+', "18446744073709551615", "0"}});
  expect_read(path, {{'+', "1", "2"}, {'?', "3", "4"}, {'+', "5", "6"}, {'+', "7", "8"}, {'+', "18446744073709551615", "0"}},
              io::stream_ids::strings);
  expect_read(write("empty.txt", ""), {});
  expect_read(write("none.txt", "#\n\n"), {});
}

TEST_F(operation_reader, takes_strings_of_any_kind) {
  expect_read(write("s.txt", "+ anna bert\n? -1 +x\n++ ?y\n? \xC3\xA4 1\n"),
              {{'+', "anna", "bert"}, {'?', "-1", "+x"}, {'+', "++", "?y"}, {'?', "\xC3\xA4", "1"}});
  expect_read(write("mixed.txt", "1 a\n2 3\n"), {{'+', "1", "a"}, {'+', "2", "3"}});
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

TEST_F(operation_reader, skips_records) {
  const auto text = write("a.txt", "+ 1 2\n#\n? 3 4\n5 6\n");
  const std::vector<std::uint32_t> pairs{1, 2, 3, 4, 5, 6};
  const auto raw = write("a.coo", {reinterpret_cast<const char*>(pairs.data()), 24});
  for (const auto& path : {text, raw}) {
    io::operation_reader reader{path, io::stream_format_of(path)};
    reader.skip(2);
    io::operation_batch batch;
    ASSERT_TRUE(reader.next(batch, 9));
    ASSERT_EQ(batch.size(), 1u);
    EXPECT_EQ(batch.pairs()[0].u, 5u);
    io::operation_reader again{path, io::stream_format_of(path)};
    EXPECT_THROW(again.skip(4), input_error);
  }
}

TEST_F(operation_reader, refuses_with_file_and_line) {
  expect_refused("+ 1 2\n+ 3\n", ":2: found no second id in \"+ 3\", expected a record such as + u v or ? u v");
  expect_refused("+\n", ":1: found no second id in \"+\", expected a record such as + u v or ? u v");
  expect_refused("1 2 3\n", ":1: found more than two ids in \"1 2 3\", expected a record such as + u v or ? u v");
  expect_refused("#\n1 2\n? 1 x\n", ":3: found \"x\", expected an id from 0 to 18446744073709551615");
  expect_refused("1 2\n3 -4\n", ":2: found the negative number \"-4\", expected an id from 0 to 18446744073709551615");
  expect_refused("1 2\n3 18446744073709551616\n",
                 ":2: found the too large number \"18446744073709551616\", expected an id from 0 to 18446744073709551615");
  expect_refused("a b\n", ":1: found \"a\", expected an id from 0 to 18446744073709551615", io::stream_ids::integers);
  const auto path = write("cut.coo", std::string(19, 'x'));
  try {
    read(path, 10, 1);
    ADD_FAILURE();
  } catch (const input_error& e) {
    EXPECT_EQ(std::string{e.what()}, path.string() + ": found 3 bytes behind the last pair, expected pairs of 8 bytes");
  }
}

}  // namespace
}  // namespace copse::test
