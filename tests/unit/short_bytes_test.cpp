// Comparing and copying strings of all short lengths, at the edges of what may be read and written.
#include <gtest/gtest.h>
#include <core/short_bytes.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace copse {
namespace {

/// A string whose memory ends with it, so that a sanitizer sees what is read behind it.
struct exact {
  explicit exact(std::string_view from) : size{from.size()}, bytes{new char[from.size()]} { from.copy(bytes.get(), size); }
  [[nodiscard]] std::string_view view() const { return {bytes.get(), size}; }

  std::size_t size;
  std::unique_ptr<char[]> bytes;
};

std::string counting(std::size_t length) {
  std::string text(length, '\0');
  for (std::size_t i = 0; i < length; ++i) text[i] = static_cast<char>(i * 37 + 1);
  return text;
}

TEST(short_bytes, are_the_same_only_where_no_byte_differs) {
  for (std::size_t length = 0; length <= 40; ++length) {
    const exact text{counting(length)};
    EXPECT_TRUE(same_bytes(text.view(), exact{text.view()}.view())) << length;
    EXPECT_FALSE(same_bytes(text.view(), exact{counting(length + 1)}.view())) << length;
    for (std::size_t i = 0; i < length; ++i) {
      exact other{text.view()};
      other.bytes[i] = static_cast<char>(other.bytes[i] ^ 0x40);
      EXPECT_FALSE(same_bytes(text.view(), other.view())) << length << " bytes, byte " << i;
    }
  }
}

TEST(short_bytes, are_copied_and_nothing_beside_them) {
  for (std::size_t length = 0; length <= 40; ++length) {
    const exact text{counting(length)};
    std::string to(length + 2, '#');
    copy_bytes(text.view(), to.data() + 1);
    EXPECT_EQ(to, "#" + counting(length) + "#") << length;
  }
}

}  // namespace
}  // namespace copse
