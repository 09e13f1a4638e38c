// The generators that our counter is compared with: MD5's rounds by the RFC's test suite (lab/problems/bit_generators.hpp asserts two), and
// bits that do not depend on how blocks are dealt to threads.
#include <lab/problems/bit_generators.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace copse::test {
namespace {

lab::md5_state digest(std::string_view text) {
  lab::md5_words block{};
  char bytes[64]{};
  std::memcpy(bytes, text.data(), text.size());
  bytes[text.size()] = static_cast<char>(0x80);
  std::memcpy(block.data(), bytes, sizeof bytes);
  block[14] = static_cast<std::uint32_t>(8 * text.size());
  return lab::md5(lab::md5_start, block);
}

TEST(bit_generators, md5_is_that_of_the_rfc) {
  EXPECT_EQ(digest("a"), (lab::md5_state{0xb975c10c, 0xa8b6f1c0, 0xe299c331, 0x61267769}));
  EXPECT_EQ(digest("message digest"), (lab::md5_state{0x7d696bf9, 0x8d93b77c, 0x312f5a52, 0xd061f1aa}));
}

TEST(bit_generators, the_twister_is_the_standard_one) {
  std::vector<std::uint64_t> words(10000);
  lab::by_mersenne_twister::fill(words, std::mt19937_64::default_seed - 1);
  EXPECT_EQ(words.back(), 9981545732273789042u);  // what the C++ standard requires of the 10000th
}

template <class Generator>
void expect_fair() {
  std::vector<std::uint64_t> words(1 << 14), parts(words.size());
  Generator::fill(words, 0);
  Generator::fill(std::span{parts}, 0);
  EXPECT_EQ(words, parts);  // a function of the block
  std::uint64_t ones = 0, leaving = 0;
  for (const std::uint64_t w : words) {
    ones += static_cast<std::uint64_t>(std::popcount(w));
    leaving += static_cast<std::uint64_t>(std::popcount(w & ~(w << 1) & ~(w >> 1) & 0x7ffffffffffffffe));
  }
  const auto count = static_cast<double>(words.size());
  EXPECT_NEAR(static_cast<double>(ones) / (64 * count), .5, .003);
  EXPECT_NEAR(static_cast<double>(leaving) / (62 * count), .125, .003);
  Generator::fill(std::span{parts}, 1 << 14);
  EXPECT_NE(words, parts);
}

TEST(bit_generators, an_eighth_leaves_whoever_draws) {
  expect_fair<lab::by_counter>();
  expect_fair<lab::by_mersenne_twister>();
  expect_fair<lab::by_md5>();
  expect_fair<lab::by_rand>();
}

}  // namespace
}  // namespace copse::test
