// Random bits by the generators that Banerjee and Kothapalli's Figure 4 names, beside ours, all as words of 64: MD5 of a counter (as
// CUDPP's cudppRand), the Mersenne Twister, and the C library's rand(), of which their CPU draws. Each fills a block of words; a block is a
// stream of its own, so that threads may take blocks in any order.
#pragma once
#include <core/random.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace copse::lab {

using md5_words = std::array<std::uint32_t, 16>;
using md5_state = std::array<std::uint32_t, 4>;

inline constexpr md5_state md5_start{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

/// Hashes one block of MD5 (RFC 1321).
constexpr md5_state md5(md5_state state, const md5_words& block) noexcept {
  constexpr std::array<std::uint32_t, 64> sines{
      0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1,
      0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453,
      0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942,
      0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05,
      0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d,
      0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
  constexpr std::array<std::array<int, 4>, 4> turns{{{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};
  auto [a, b, c, d] = state;
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned round = i / 16;
    const std::uint32_t mixed = round == 0 ? (b & c) | (~b & d) : round == 1 ? (d & b) | (~d & c) : round == 2 ? b ^ c ^ d : c ^ (b | ~d);
    const unsigned word = round == 0 ? i : round == 1 ? (5 * i + 1) % 16 : round == 2 ? (3 * i + 5) % 16 : 7 * i % 16;
    const std::uint32_t sum = a + mixed + sines[i] + block[word];
    a = d, d = c, c = b;
    b += std::rotl(sum, turns[round][i % 4]);
  }
  return {state[0] + a, state[1] + b, state[2] + c, state[3] + d};
}

// Two tests of RFC 1321's suite: the empty message, and abc.
static_assert(md5(md5_start, {0x80}) == md5_state{0xd98c1dd4, 0x04b2008f, 0x980980e9, 0x7e42f8ec});
static_assert(md5(md5_start, {0x80636261, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24}) ==
              md5_state{0x98500190, 0xb04fd23c, 0x7d3f96d6, 0x727fe128});

struct by_counter {
  static void fill(std::span<std::uint64_t> words, std::uint64_t first) {
    const random_stream random{1, 16};
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = random.word(first + i);
  }
};

struct by_md5 {
  static void fill(std::span<std::uint64_t> words, std::uint64_t first) {
    for (std::size_t i = 0; i < words.size(); i += 2) {
      const std::uint64_t counter = first + i;
      const auto digest = md5(md5_start, {1, static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32)});
      words[i] = digest[0] | std::uint64_t{digest[1]} << 32;
      if (i + 1 < words.size()) words[i + 1] = digest[2] | std::uint64_t{digest[3]} << 32;
    }
  }
};

struct by_mersenne_twister {
  static void fill(std::span<std::uint64_t> words, std::uint64_t first) {
    std::mt19937_64 random{first + 1};
    for (std::uint64_t& word : words) word = random();
  }
};

/// rand() gives 31 bits and is one for all threads; random_r is the same generator with a state of the caller's.
struct by_rand {
  static void fill(std::span<std::uint64_t> words, std::uint64_t first) {
    random_data data{};
    std::array<char, 128> state{};
    initstate_r(static_cast<unsigned>(first + 1), state.data(), state.size(), &data);
    const auto draw = [&data] {
      std::int32_t drawn = 0;
      random_r(&data, &drawn);
      return static_cast<std::uint64_t>(drawn);
    };
    for (std::uint64_t& word : words) word = draw() << 33 ^ draw() << 16 ^ draw();
  }
};

}  // namespace copse::lab
