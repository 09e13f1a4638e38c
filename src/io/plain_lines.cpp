// Idea, after simdjson: a first pass over a piece of text writes down where its bytes are that are no digits, 64 bytes at a time; in a
// plain line these are the separator and the line end. The second pass takes them in pairs. Neither waits for the line before: the first
// pass moves on by whole windows, the second knows where all lines begin. One pass that cuts lines as it goes waits for the end of each
// window's last line, and mispredicts how many lines a window holds.
#include "io/plain_lines.hpp"

#include "io/text_window.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#if defined(__x86_64__)
#define COPSE_AVX512 __attribute__((target("avx2,bmi,popcnt,avx512f,avx512bw,avx512vl,avx512vbmi2")))

namespace copse::io {
namespace {

constexpr std::size_t piece_bytes = 2048;  // few enough that text, places and edges stay in the first-level cache
constexpr std::size_t bytes_ahead = 2048;  // of text asked for: the processor itself asks for none of the next page

constexpr auto in_order = [] {
  std::array<unsigned char, window_bytes> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<unsigned char>(i);
  return all;
}();

// Room for what is written behind the last stop.
using stop_places = std::array<std::uint16_t, piece_bytes + window_bytes>;

/// Writes down the bytes of whole windows that are no digits, and says how many. `end` becomes the end of the text looked at: all of it, or
/// that before a number with a leading zero, unless such are welcome.
COPSE_AVX512 inline std::size_t find_stops(const char* at, std::size_t windows, bool leading_zeros, stop_places& places, std::size_t& end) {
  const __m512i bytes_in_order = _mm512_loadu_si512(in_order.data());
  std::size_t count = 0;
  std::uint64_t before = 1;  // the byte before the window was none: a number may begin
  for (std::size_t w = 0; w < windows; ++w) {
    __builtin_prefetch(at + w * window_bytes + bytes_ahead);
    const __m512i text = _mm512_loadu_si512(at + w * window_bytes);
    const std::uint64_t stops = _mm512_cmpgt_epu8_mask(_mm512_sub_epi8(text, _mm512_set1_epi8('0')), _mm512_set1_epi8(9));
    if (!leading_zeros) {
      const std::uint64_t zeros = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('0')) & (stops << 1 | before) & ~(stops >> 1);
      if (zeros != 0) [[unlikely]] {  // the last byte of a window is not known to be alone
        end = w * window_bytes;
        return count;
      }
      before = stops >> 63;
    }
    const __m512i packed = _mm512_maskz_compress_epi8(stops, bytes_in_order);
    const __m512i base = _mm512_set1_epi16(static_cast<short>(w * window_bytes));
    std::uint16_t* const to = places.data() + count;
    _mm512_storeu_si512(to, _mm512_add_epi16(base, _mm512_cvtepu8_epi16(_mm512_maskz_extracti64x4_epi64(0xF, packed, 0))));
    const auto found = static_cast<std::size_t>(_mm_popcnt_u64(stops));
    if (found > 32) [[unlikely]]
      _mm512_storeu_si512(to + 32, _mm512_add_epi16(base, _mm512_cvtepu8_epi16(_mm512_maskz_extracti64x4_epi64(0xF, packed, 1))));
    count += found;
  }
  end = windows * window_bytes;
  return count;
}

template <bool Plain>
COPSE_AVX512 const char* parse_pieces(std::string_view text, const line_shape& shape, edge<std::uint64_t>* out, std::size_t room,
                                      std::size_t& parsed) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const char separator = shape.separator, other_separator = shape.other_separator;
  stop_places places;
  edge<std::uint64_t>* const first_out = out;
  edge<std::uint64_t>* const last_out = out + room;
  bool plain = true;
  while (plain && out < last_out && end - at > static_cast<std::ptrdiff_t>(plain_lines_slack)) {
    const std::size_t windows = std::min<std::size_t>(piece_bytes, static_cast<std::size_t>(end - at) - plain_lines_slack) / window_bytes;
    std::size_t looked_at = 0;
    const std::size_t stops = find_stops(at, windows, shape.leading_zeros, places, looked_at);
    plain = looked_at == windows * window_bytes;
    const std::size_t lines = std::min<std::size_t>(stops / 2, static_cast<std::size_t>(last_out - out));
    std::size_t begin = 0;
    for (std::size_t i = 0; i < lines; ++i) {
      const std::size_t u_end = places[2 * i], v_end = places[2 * i + 1];
      const std::size_t u_digits = u_end - begin, v_digits = v_end - u_end - 1;
      const std::size_t longest = (u_digits - 1) | (v_digits - 1);  // no digits: wraps
      const bool separated = (at[u_end] == separator) | (at[u_end] == other_separator);
      const __m128i u = load_lane(at + begin), v = load_lane(at + u_end + 1);
      if (longest >= 8 || !separated || at[v_end] != '\n') [[unlikely]] {
        plain = longest < lane_bytes && separated && at[v_end] == '\n';
        if (!plain) break;
        *out = {long_number(u, u_digits), long_number(v, v_digits)};
      } else {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out), short_numbers(u, u_digits, v, v_digits));
      }
      if constexpr (!Plain) {
        *out = {out->u - shape.first_id, out->v - shape.first_id};
        plain = out->u <= shape.last_id && out->v <= shape.last_id;
        if (!plain) break;
      }
      ++out;
      begin = v_end + 1;
    }
    plain = plain && begin != 0;  // a line longer than a piece
    at += begin;
  }
  parsed += static_cast<std::size_t>(out - first_out);
  return at;
}

}  // namespace

bool has_plain_lines() noexcept {
  static const bool has = __builtin_cpu_supports("avx512vbmi2") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                          __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("bmi") != 0;
  return has;
}

const char* parse_plain_lines(std::string_view text, const line_shape& shape, edge<std::uint64_t>* out, std::size_t room,
                              std::size_t& parsed) {
  if (shape.arc_letter || !shape.may_end) return text.data();
  return shape.first_id == 0 && shape.last_id == UINT64_MAX ? parse_pieces<true>(text, shape, out, room, parsed)
                                                            : parse_pieces<false>(text, shape, out, room, parsed);
}

}  // namespace copse::io

#endif
