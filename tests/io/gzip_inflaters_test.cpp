// ISA-L's igzip accepts what zlib accepts, gives the same bytes, and refuses everything else, however the bytes come.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <io/gzip_stream.hpp>
#include <io/igzip_inflater.hpp>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>

namespace copse::io {
namespace {

std::string packed(std::string_view text, int level, bool with_names) {
  z_stream zlib{};
  EXPECT_EQ(deflateInit2(&zlib, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string name = "a name", comment = "a comment", extra = "AB";
  gz_header header{};
  header.name = reinterpret_cast<Bytef*>(name.data());
  header.comment = reinterpret_cast<Bytef*>(comment.data());
  header.extra = reinterpret_cast<Bytef*>(extra.data());
  header.extra_len = 2;
  header.hcrc = 1;
  if (with_names) {
    EXPECT_EQ(deflateSetHeader(&zlib, &header), Z_OK);
  }
  std::string result(deflateBound(&zlib, text.size()) + 64, '\0');
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  zlib.avail_in = static_cast<uInt>(text.size());
  zlib.next_out = reinterpret_cast<Bytef*>(result.data());
  zlib.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(deflate(&zlib, Z_FINISH), Z_STREAM_END);
  result.resize(zlib.total_out);
  deflateEnd(&zlib);
  return result;
}

struct outcome {
  std::string bytes;
  bool cut_off = false;
  bool damaged = false;
};

template <class Inflater>
outcome inflated(compressed_input in, std::size_t room) {
  outcome result;
  gzip_stream<Inflater> stream{std::move(in)};
  std::string block(room, '\0');
  try {
    while (const std::size_t count = stream.read(block.data(), room)) result.bytes.append(block, 0, count);
  } catch (const input_error& error) {
    const std::string_view text{error.what()};
    result.cut_off = text.find("cut off") != std::string_view::npos;
    result.damaged = text.find("found a damaged gzip stream near byte") != std::string_view::npos;
    EXPECT_TRUE(result.cut_off || result.damaged) << text;
  }
  return result;
}

void expect_equal(const std::string& bytes, std::size_t room, const std::string& what) {
  const outcome zlib = inflated<zlib_inflater>({"x.gz", bytes, 0}, room);
  const outcome igzip = inflated<igzip_inflater>({"x.gz", bytes, 0}, room);
  EXPECT_EQ(zlib.cut_off || zlib.damaged, igzip.cut_off || igzip.damaged) << what;
  if (!zlib.cut_off && !zlib.damaged) {
    EXPECT_EQ(zlib.bytes, igzip.bytes) << what;
  }
}

std::string some_text(std::size_t lines) {
  std::mt19937 random{7};
  std::string text;
  for (std::size_t i = 0; i < lines; ++i) text += std::to_string(random() % 100000) + "\t" + std::to_string(random()) + "\n";
  return text;
}

TEST(gzip_inflaters, agree_on_whole_files) {
  const std::string text = some_text(30000);
  std::mt19937 random{3};
  std::string noise(100000, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  for (const int level : {0, 1, 6, 9}) {
    for (const bool with_names : {false, true}) {
      const std::string two = packed(text, level, with_names) + packed("", level, with_names) + packed(noise, level, !with_names);
      for (const std::size_t room : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, std::size_t{1} << 20}) {
        EXPECT_EQ(inflated<igzip_inflater>({"x.gz", two, 0}, room).bytes, text + noise) << level << ' ' << room;
      }
      EXPECT_EQ(inflated<igzip_inflater>({"x.gz", two + std::string(600, '\0'), 0}, 4096).bytes, text + noise);
    }
  }
}

TEST(gzip_inflaters, agree_on_every_length_and_every_flipped_bit) {
  for (const bool with_names : {false, true}) {
    const std::string whole = packed(some_text(20), 6, with_names) + packed("end\n", 6, false);
    for (std::size_t size = 1; size < whole.size(); ++size) {
      for (const std::size_t room : {std::size_t{1}, std::size_t{4096}}) {
        expect_equal(whole.substr(0, size), room, "cut after " + std::to_string(size));
      }
    }
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
      std::string flipped = whole;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
      expect_equal(flipped, 4096, "bit " + std::to_string(bit));
    }
  }
}

// In the header of the second member, in the middle of blocks, and within the checksum: the buffer of the input ends everywhere.
TEST(gzip_inflaters, agree_however_the_bytes_come) {
  const std::string text = some_text(20);
  const std::string whole = packed(text, 6, true) + packed(text, 6, true);
  for (std::size_t at = 1; at < whole.size(); ++at) {
    gzip_stream<igzip_inflater> stream{[&] {
      const auto path = std::filesystem::temp_directory_path() / "copse_gzip_inflaters.gz";
      std::ofstream{path, std::ios::binary} << whole.substr(at);
      return compressed_input{input_file{path}, std::string_view{whole}.substr(0, at)};
    }()};
    std::string bytes(3 * text.size(), '\0');
    std::size_t size = 0;
    while (const std::size_t count = stream.read(bytes.data() + size, bytes.size() - size)) size += count;
    EXPECT_EQ(bytes.substr(0, size), text + text) << at;
  }
}

}  // namespace
}  // namespace copse::io
