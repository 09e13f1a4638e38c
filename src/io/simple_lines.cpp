// Idea: compare 64 bytes at once, which gives a bit for each byte that is not a digit; each pair of bits delimits a line, and is found by
// two bit scans. The digits of both numbers are then moved to the right ends of their lanes by a table shuffle and summed by multiply-adds,
// without a branch per digit. Only finding the lines of a window (a few lines) depends on the window before it; the arithmetic of many
// lines overlaps. The portable version finds the ends of numbers in 8-byte words. Cost, measured on a 2.5 GHz Xeon: 9 ns per line of 16
// bytes.
#include "io/simple_lines.hpp"

#include "io/fields.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace copse::io {
namespace {

constexpr std::size_t window_bytes = 64;
constexpr std::size_t safe_bytes = 2 * window_bytes;  // more bytes than one step may read
static_assert(simple_lines_slack >= window_bytes / std::string_view{"0 0\n"}.size());

inline bool separates(char c, const line_shape& shape) { return c == shape.separator || c == shape.other_separator; }

// The beginning of the next line, given the byte `at` after the second number; nullptr if the line is not simple. `newline` is the first LF
// at or after `at`, if the caller knows it and knows that no CR precedes it except in CRLF; otherwise null.
inline const char* line_end(const char* at, const char* newline, const char* end, const line_shape& shape) {
  if (*at == '\n') return shape.may_end ? at + 1 : nullptr;
  if (*at == '\r' && at[1] == '\n') return shape.may_end ? at + 2 : nullptr;
  if (!shape.may_go_on || !separates(*at, shape)) return nullptr;
  if (newline == nullptr) {
    newline = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    if (newline == nullptr) return nullptr;
    const auto* const returned = static_cast<const char*>(std::memchr(at, '\r', static_cast<std::size_t>(newline - at)));
    if (returned != nullptr && returned + 1 != newline) return nullptr;
  }
  if (shape.quotes && std::memchr(at, '"', static_cast<std::size_t>(newline - at)) != nullptr) return nullptr;
  return newline + 1;
}

inline const char* skip_arc_letter(const char* at, const line_shape& shape) {
  return shape.arc_letter && (*at == 'a' || *at == 'e') && at[1] == ' ' ? at + 2 : at;
}

inline bool leads_with_zero(const char* at) { return *at == '0' && static_cast<unsigned char>(at[1] - '0') < 10; }

inline bool keep(std::uint64_t u, std::uint64_t v, const line_shape& shape, edge<std::uint64_t>& out) {
  out = {u - shape.first_id, v - shape.first_id};
  return out.u <= shape.last_id && out.v <= shape.last_id;  // an id below first_id has wrapped, and so is too large
}

#if defined(__x86_64__)
#define COPSE_AVX2 __attribute__((target("avx2,bmi")))
#define COPSE_AVX512 __attribute__((target("avx2,bmi,popcnt,avx512f,avx512bw,avx512vl,avx512vbmi2")))

// The parts that the AVX2 and the AVX-512 parser share. They examine windows of 64 bytes of text, and convert a number in a lane of 16
// bytes.

constexpr std::size_t lane_bytes = 16;

// Shuffle masks: row n moves the first n bytes of a 16-byte lane to the right end of its bytes [Begin, Begin + Width), and zeroes all other
// bytes.
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

// The number whose digits are the first `digits` (at most 16) bytes of `text`.
COPSE_AVX2 inline std::uint64_t long_number(__m128i text, std::size_t digits) {
  const __m128i aligned = _mm_shuffle_epi8(text, load_lane(right_align<0, 16>[digits].data()));
  const __m128i fours =
      _mm_madd_epi16(_mm_maddubs_epi16(_mm_subs_epu8(aligned, _mm_set1_epi8('0')), _mm_set1_epi16(0x010A)), _mm_set1_epi32(0x00010064));
  const auto eights = static_cast<std::uint64_t>(
      // now bits 0-31 are the number that the first eight digits represent, and bits 32-63 that of the last eight
      _mm_cvtsi128_si64(_mm_madd_epi16(_mm_packus_epi32(fours, fours), _mm_set1_epi32(0x00012710))));
  return (eights & UINT32_MAX) * 100'000'000 + (eights >> 32);
}

// The two numbers whose digits are the first `u_digits` bytes of `u` and `v_digits` bytes of `v` (at most 8), as one edge.
COPSE_AVX2 inline __m128i short_numbers(__m128i u, std::size_t u_digits, __m128i v, std::size_t v_digits) {
  __m128i both = _mm_or_si128(_mm_shuffle_epi8(u, load_lane(right_align<0, 8>[u_digits].data())),
                              _mm_shuffle_epi8(v, load_lane(right_align<8, 8>[v_digits].data())));
  both = _mm_subs_epu8(both, _mm_set1_epi8('0'));  // saturates, so zeroed bytes stay zero
  // combine digits to numbers of two digits (multiply by 10 and 1, and add), and these to numbers of four digits (by 100 and 1)
  both = _mm_madd_epi16(_mm_maddubs_epi16(both, _mm_set1_epi16(0x010A)), _mm_set1_epi32(0x00010064));
  both = _mm_madd_epi16(_mm_packus_epi32(both, both), _mm_set1_epi32(0x00012710));  // multiply by 10000 and 1
  return _mm_cvtepu32_epi64(both);
}

// 64 bytes of text, with a bit for each byte that is not a digit. The bytes are stored with an offset that makes the digits the ten largest
// signed values.
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

// Plain lines are the most common simple lines: `digits separator digits LF` and nothing else. They are parsed in two passes without
// branches that depend on a line. Idea, after simdjson: the first pass over a piece of text records the positions of the bytes that are not
// digits, 64 bytes at a time; in plain lines these alternate between separators and line ends. The second pass takes them in pairs. Neither
// pass has to wait for the previous line: the first one advances by whole windows, and the second one knows where all lines begin. A single
// pass would wait for the end of each window's last line, and mispredict how many lines a window holds.

/// Number of bytes at the end of a text that parse_plain_lines leaves to other parsers, because it reads ahead of what it parses.
constexpr std::size_t plain_lines_slack = 128;
constexpr std::size_t piece_bytes = 2048;  // small enough for text, positions and edges to stay in the L1 cache
constexpr std::size_t bytes_ahead = 2048;  // prefetch distance; needed because the hardware does not prefetch across page boundaries

constexpr auto in_order = [] {
  std::array<unsigned char, window_bytes> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<unsigned char>(i);
  return all;
}();

// The positions of the stops (bytes that are not digits) in a piece of text. There is room behind them, because find_stops() writes 32
// elements at a time, of which only the first ones may be positions.
using stop_places = std::array<std::uint16_t, piece_bytes + window_bytes>;

/// Records the positions of the stops, the bytes that are not digits, in whole windows of 64 bytes, and returns their number. Sets `end` to
/// the size of the text scanned: all windows, or those before the first number with a leading zero, unless `leading_zeros` allows these.
COPSE_AVX512 inline std::size_t find_stops(const char* at, std::size_t windows, bool leading_zeros, stop_places& places, std::size_t& end) {
  const __m512i bytes_in_order = _mm512_loadu_si512(in_order.data());
  std::size_t count = 0;
  std::uint64_t before = 1;  // bit 0: the byte before the window is not a digit, so a number may begin here
  for (std::size_t w = 0; w < windows; ++w) {
    __builtin_prefetch(at + w * window_bytes + bytes_ahead);
    const __m512i text = _mm512_loadu_si512(at + w * window_bytes);
    const std::uint64_t stops = _mm512_cmpgt_epu8_mask(_mm512_sub_epi8(text, _mm512_set1_epi8('0')), _mm512_set1_epi8(9));
    if (!leading_zeros) {
      const std::uint64_t zeros = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('0')) & (stops << 1 | before) & ~(stops >> 1);
      if (zeros != 0) [[unlikely]] {  // a leading zero, or a first digit 0 in the window's last byte, which may be one
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
      const std::size_t longest = (u_digits - 1) | (v_digits - 1);  // a number without digits wraps, and is too long
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
    plain = plain && begin != 0;  // stop if no line ends within this piece of text
    at += begin;
  }
  parsed += static_cast<std::size_t>(out - first_out);
  return at;
}

/// True if this processor can run parse_plain_lines, which needs AVX-512 with VBMI2.
bool has_plain_lines() noexcept {
  static const bool has = __builtin_cpu_supports("avx512vbmi2") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                          __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("bmi") != 0;
  return has;
}

/// Parses lines as parse_simple_lines functions do, but stops at the first line that is not plain (two numbers, a separator between them
/// and LF), and at the latest `plain_lines_slack` bytes before the end.
const char* parse_plain_lines(std::string_view text, const line_shape& shape, edge<std::uint64_t>* out, std::size_t room,
                              std::size_t& parsed) {
  if (shape.arc_letter || !shape.may_end) return text.data();
  return shape.first_id == 0 && shape.last_id == UINT64_MAX ? parse_pieces<true>(text, shape, out, room, parsed)
                                                            : parse_pieces<false>(text, shape, out, room, parsed);
}

// `Plain`: any id is valid and is stored as it is (otherwise shape.first_id is subtracted, and shape.last_id is the limit). `Zeros`: ids
// may have leading zeros. `Letters`: a line may begin with `a ` or `e `, as in DIMACS.
template <bool Plain, bool Zeros, bool Letters = false>
COPSE_AVX2 const char* parse_simple_lines_avx2(std::string_view text, const line_shape& shape_in, edge<std::uint64_t>* out,
                                               std::size_t room, std::size_t& parsed) {
  const line_shape shape = shape_in;
  const char* at = text.data();
  if (text.size() < safe_bytes || room < simple_lines_slack) return at;
  const char* const end = at + text.size();
  const char* const safe_end = end - safe_bytes;
  edge<std::uint64_t>* next_out = out;
  edge<std::uint64_t>* const last_out = out + (room - simple_lines_slack);
  const int line_feed = shape.may_end ? '\n' : -1;
  bool odd = false;
  while (!odd && next_out <= last_out && at <= safe_end) {
    const text_window window{at};
    std::uint64_t stops = window.not_digits();
    const std::uint64_t zeros = Zeros ? 0 : window.equal('0') & (stops << 1 | 1);  // zeros at the beginning of numbers
    if (zeros != 0) [[unlikely]]
      // a leading zero that more digits follow counts as a stop: the number then seems to have no digits, so its line is not simple
      stops |= zeros & ~(stops >> 1);
    std::size_t line = 0;  // where the next line begins in the window; may be beyond its end, but then no stops are left
    for (;;) {
      std::size_t u_begin = line;
      if (Letters && stops != 0 && (at[line] == 'a' || at[line] == 'e') && at[line + 1] == ' ') {
        stops = _blsr_u64(_blsr_u64(stops));
        u_begin += 2;
      }
      const std::uint64_t second_stops = _blsr_u64(stops);
      if (second_stops == 0) break;
      const std::size_t u_end = _tzcnt_u64(stops);
      const std::size_t v_end = _tzcnt_u64(second_stops);
      const std::size_t u_digits = u_end - u_begin;
      const std::size_t v_digits = v_end - u_end - 1;
      const std::size_t longest = (u_digits - 1) | (v_digits - 1);  // a number without digits wraps, and is too long
      odd = longest >= lane_bytes || !separates(at[u_end], shape);
      if (odd) break;
      std::size_t next_line = v_end + 1;
      if (at[v_end] == line_feed) {
        stops = _blsr_u64(second_stops);
      } else {
        const std::uint64_t newline = _blsi_u64(window.equal('\n') & (~std::uint64_t{0} << v_end));
        const std::uint64_t lone_returns = window.equal('\r') & (~std::uint64_t{0} << v_end) & (newline - 1) & ~(newline >> 1);
        const bool known = newline != 0 && lone_returns == 0;
        const char* const found = line_end(at + v_end, known ? at + _tzcnt_u64(newline) : nullptr, end, shape);
        odd = found == nullptr;
        if (odd) break;
        next_line = static_cast<std::size_t>(found - at);
        stops = next_line < window_bytes ? second_stops & (~std::uint64_t{0} << next_line) : 0;
      }
      const __m128i u = load_lane(at + u_begin);
      const __m128i v = load_lane(at + u_end + 1);
      if (longest < 8) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(next_out), short_numbers(u, u_digits, v, v_digits));
      } else {
        *next_out = {long_number(u, u_digits), long_number(v, v_digits)};
      }
      odd = !Plain && !keep(next_out->u, next_out->v, shape, *next_out);
      if (odd) break;
      ++next_out;
      line = next_line;
    }
    odd = odd || line == 0;  // stop if a line does not end within the window
    at += line;
  }
  parsed += static_cast<std::size_t>(next_out - out);
  return at;
}

const char* parse_simple_lines_wide(std::string_view text, const line_shape& shape, edge<std::uint64_t>* out, std::size_t room,
                                    std::size_t& parsed) {
  const bool plain = shape.first_id == 0 && shape.last_id == UINT64_MAX;
  if (shape.arc_letter) return parse_simple_lines_avx2<false, true, true>(text, shape, out, room, parsed);
  if (!shape.leading_zeros) {
    return plain ? parse_simple_lines_avx2<true, false>(text, shape, out, room, parsed)
                 : parse_simple_lines_avx2<false, false>(text, shape, out, room, parsed);
  }
  return plain ? parse_simple_lines_avx2<true, true>(text, shape, out, room, parsed)
               : parse_simple_lines_avx2<false, true>(text, shape, out, room, parsed);
}

// Uses two parsers in turn. parse_plain_lines (AVX-512) parses lines as long as they are plain: digits, a separator, digits, LF. At the
// first other line, the AVX2 parser, which takes all simple lines, parses a few lines. If no plain line follows, it gets all of the rest.
const char* parse_simple_lines_widest(std::string_view text, const line_shape& shape, edge<std::uint64_t>* out, std::size_t room,
                                      std::size_t& parsed) {
  constexpr std::size_t a_few_bytes = 4 * safe_bytes;
  std::size_t taken = 0;
  for (;;) {
    const std::size_t before = taken;
    const char* at = parse_plain_lines(text, shape, out + taken, room - taken, taken);
    text.remove_prefix(static_cast<std::size_t>(at - text.data()));
    const std::size_t plain = taken - before, with_plain = taken;
    if (text.size() < safe_bytes || room - taken < simple_lines_slack) break;
    at = parse_simple_lines_wide(plain == 0 ? text : text.substr(0, a_few_bytes), shape, out + taken, room - taken, taken);
    text.remove_prefix(static_cast<std::size_t>(at - text.data()));
    if (plain == 0 || taken == with_plain) break;
  }
  parsed += taken;
  return text.data();
}

#endif

}  // namespace

const char* parse_simple_lines_portable(std::string_view text, const line_shape& shape, edge<std::uint64_t>* out, std::size_t room,
                                        std::size_t& parsed) {
  const char* at = text.data();
  if (text.size() < safe_bytes) return at;
  const char* const end = at + text.size();
  const char* const safe_end = end - safe_bytes;
  for (std::size_t i = 0; i + simple_lines_slack <= room && at <= safe_end; ++i) {
    std::uint64_t u = 0;
    std::uint64_t v = 0;
    const char* const first = skip_arc_letter(at, shape);
    const char* stop = short_number(first, u);
    if (stop == nullptr || !separates(*stop, shape)) break;
    const char* const second = stop + 1;
    stop = short_number(second, v);
    if (stop == nullptr) break;
    if (!shape.leading_zeros && (leads_with_zero(first) || leads_with_zero(second))) break;
    stop = line_end(stop, nullptr, end, shape);
    if (stop == nullptr || !keep(u, v, shape, out[i])) break;
    ++parsed;
    at = stop;
  }
  return at;
}

std::vector<parse_simple_lines*> all_parse_simple_lines() {
  std::vector<parse_simple_lines*> all{parse_simple_lines_portable};
#if defined(__x86_64__)
  const bool wide = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0;
  if (wide) all.push_back(parse_simple_lines_wide);
  if (wide && has_plain_lines()) all.push_back(parse_simple_lines_widest);
#endif
  return all;
}

parse_simple_lines* best_parse_simple_lines() {
  static parse_simple_lines* const best = all_parse_simple_lines().back();
  return best;
}

}  // namespace copse::io
