// A build without zlib and zstd: its units take the place of the library's here.
#include <gtest/gtest.h>
#include <copse/errors.hpp>
#include <copse/memory.hpp>
#include <io/compression.hpp>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

namespace copse::io {
namespace {

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const input_error& e) {
    return e.what();
  }
  return "nothing";
}

TEST(without_compression, compressed_files_are_refused_and_the_library_is_named) {
  const auto path = std::filesystem::temp_directory_path() / "copse_without_compression.gz";
  std::ofstream{path} << "\x1f\x8b\x08";
  EXPECT_NE(refusal([&] { open_stream(input_file{path}, compression::gzip, host_memory()); }).find("made without zlib"), std::string::npos);
  EXPECT_NE(refusal([&] { open_stream(input_file{path}, compression::zstd, host_memory()); }).find("made without zstd"), std::string::npos);
  std::array<char, 4> to{};
  EXPECT_NE(refusal([&] { inflate_raw("abc", to); }).find("made without zlib"), std::string::npos);
  std::filesystem::remove(path);
}

TEST(without_compression, checksums_are_those_of_zip_archives) {
  EXPECT_EQ(crc_of(""), 0u);
  EXPECT_EQ(crc_of("123456789"), 0xcbf43926u);
}

}  // namespace
}  // namespace copse::io
