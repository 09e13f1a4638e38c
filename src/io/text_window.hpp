// 64 bytes of text at once, and numbers in lanes of 16 bytes, with AVX2: what both fast texts of simple lines are made of.
#pragma once
#if defined(__x86_64__)
#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>

#define COPSE_AVX2 __attribute__((target("avx2,bmi")))

namespace copse::io {

inline constexpr std::size_t window_bytes = 64;
inline constexpr std::size_t lane_bytes = 16;

// Row n moves the first n bytes of a lane to the right end of its `Width` bytes from `Begin` on, and zeroes the rest.
template <std::size_t Begin, std::size_t Width>
constexpr auto right_align = [] {
  std::array<std::array<unsigned char, lane_bytes>, Width + 1> table{};
  for (std::size_t n = 0; n <= Width; ++n) {
    for (std::size_t i = 0; i < lane_bytes; ++i) {
      const bool digit = i < Begin + Width && i + n >= Begin + Width;
      table[n][i] = static_cast<unsigned char>(digit ? i + n - Begin - Width : 0x80);
    }
  }
  return table;
}();

COPSE_AVX2 inline __m128i load_lane(const void* at) { return _mm_loadu_si128(static_cast<const __m128i*>(at)); }

// The number whose digits are the first `digits` (up to 16) bytes of `text`.
COPSE_AVX2 inline std::uint64_t long_number(__m128i text, std::size_t digits) {
  const __m128i aligned = _mm_shuffle_epi8(text, load_lane(right_align<0, 16>[digits].data()));
  const __m128i fours =
      _mm_madd_epi16(_mm_maddubs_epi16(_mm_subs_epu8(aligned, _mm_set1_epi8('0')), _mm_set1_epi16(0x010A)), _mm_set1_epi32(0x00010064));
  const auto eights = static_cast<std::uint64_t>(
      _mm_cvtsi128_si64(_mm_madd_epi16(_mm_packus_epi32(fours, fours), _mm_set1_epi32(0x00012710))));  // the upper eight digits come first
  return (eights & UINT32_MAX) * 100'000'000 + (eights >> 32);
}

// The two numbers whose digits are the first bytes (up to 8) of `u` and `v`, as an edge.
COPSE_AVX2 inline __m128i short_numbers(__m128i u, std::size_t u_digits, __m128i v, std::size_t v_digits) {
  __m128i both = _mm_or_si128(_mm_shuffle_epi8(u, load_lane(right_align<0, 8>[u_digits].data())),
                              _mm_shuffle_epi8(v, load_lane(right_align<8, 8>[v_digits].data())));
  both = _mm_subs_epu8(both, _mm_set1_epi8('0'));  // saturates, so bytes of no digit stay zero
  both = _mm_madd_epi16(_mm_maddubs_epi16(both, _mm_set1_epi16(0x010A)), _mm_set1_epi32(0x00010064));  // by 10 and 1, by 100 and 1
  both = _mm_madd_epi16(_mm_packus_epi32(both, both), _mm_set1_epi32(0x00012710));                     // by 10000 and 1
  return _mm_cvtepu32_epi64(both);
}

// 64 bytes of text and a bit for each byte that is no digit. The bytes are held moved up, so that digits are the ten largest signed ones.
struct text_window {
  static constexpr char up = 127 - '9';
  __m256i low;
  __m256i high;

  COPSE_AVX2 explicit text_window(const char* at)
      : low{_mm256_add_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)), _mm256_set1_epi8(up))},
        high{_mm256_add_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + 32)), _mm256_set1_epi8(up))} {}
  [[nodiscard]] COPSE_AVX2 std::uint64_t not_digits() const {
    const __m256i zero = _mm256_set1_epi8('0' + up);
    return bits(_mm256_cmpgt_epi8(zero, low), _mm256_cmpgt_epi8(zero, high));
  }
  [[nodiscard]] COPSE_AVX2 std::uint64_t equal(char c) const {
    const __m256i wanted = _mm256_set1_epi8(static_cast<char>(c + up));
    return bits(_mm256_cmpeq_epi8(low, wanted), _mm256_cmpeq_epi8(high, wanted));
  }
  COPSE_AVX2 static std::uint64_t bits(__m256i low, __m256i high) {
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(low)) |
           static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(high))) << 32;
  }
};

}  // namespace copse::io
#endif
