// What holds_any() finds is what a search for each of the characters finds, at every place of texts of every length.
#include <gtest/gtest.h>

#include <string>

#include "io/holds_any.hpp"

namespace copse::io {
namespace {

bool by_search(const std::string& text) { return text.find_first_of(",\"\n") != std::string::npos; }

TEST(holds_any, finds_a_character_wherever_it_stands) {
  for (std::size_t size = 0; size <= 40; ++size) {
    const std::string plain(size, 'x');
    EXPECT_FALSE((holds_any<',', '"', '\n'>(plain))) << size;
    for (std::size_t at = 0; at < size; ++at) {
      for (const char wanted : {',', '"', '\n'}) {
        std::string text = plain;
        text[at] = wanted;
        EXPECT_TRUE((holds_any<',', '"', '\n'>(text))) << size << " bytes, at " << at;
      }
    }
  }
}

TEST(holds_any, tells_every_byte_apart) {
  for (int byte = 0; byte < 256; ++byte) {
    for (const std::size_t size : {1u, 7u, 8u, 9u, 16u, 19u}) {
      const std::string text(size, static_cast<char>(byte));
      EXPECT_EQ((holds_any<',', '"', '\n'>(text)), by_search(text)) << "byte " << byte << ", " << size << " times";
      EXPECT_EQ((holds_any<'\x80', '\xff'>(text)), byte == 0x80 || byte == 0xff) << "byte " << byte << ", " << size << " times";
    }
  }
}

TEST(holds_any, looks_at_no_byte_behind_the_text) {
  const std::string longer = "0123456789abcdefgh,";
  for (std::size_t size = 0; size + 1 < longer.size(); ++size) {
    EXPECT_FALSE((holds_any<','>(std::string_view{longer}.substr(0, size)))) << size;
  }
}

}  // namespace
}  // namespace copse::io
