// The hot path of all line formats: lines of exactly `digits separator digits`, perhaps with more columns that do not matter.
#pragma once
#include <copse/views.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace copse::io {

/// Free places that parse_simple_lines wants, because it checks for them once in several lines.
inline constexpr std::size_t simple_lines_slack = 16;

/// What a simple line looks like.
struct line_shape {
  char separator = ' ';
  char other_separator = ' ';          ///< the same as `separator`, or the tab beside the blank
  bool arc_letter = false;             ///< lines may begin with "a " or "e "
  bool may_end = true;                 ///< the line may end behind the second id
  bool may_go_on = true;               ///< further columns may follow, which are skipped
  bool quotes = false;                 ///< a line with a quote in a further column is not simple
  bool leading_zeros = true;           ///< ids may have them; a line with such an id is not simple otherwise
  std::uint64_t first_id = 0;          ///< 1 where the format counts from one; subtracted
  std::uint64_t last_id = UINT64_MAX;  ///< after subtraction; a line with a larger id is not simple
};

/// Parses simple lines (which end with LF or CRLF; one with a CR elsewhere is not simple) from the front of `text` (whole lines) into `out`
/// until fewer than simple_lines_slack of the `room` places are left, or a line is not simple: the caller parses that one by the general
/// rules. Returns the first byte not parsed; adds to `parsed`. Ids of up to 16 digits; never reads outside `text`, so the last lines are
/// not simple either.
using parse_simple_lines = const char*(std::string_view text, const line_shape& shape, edge<std::uint64_t>* out, std::size_t room,
                                       std::size_t& parsed);

/// Words of 8 bytes; runs everywhere.
parse_simple_lines parse_simple_lines_portable;
/// Those that this machine can run, the fastest last.
std::vector<parse_simple_lines*> all_parse_simple_lines();
/// The fastest one.
parse_simple_lines* best_parse_simple_lines();

}  // namespace copse::io
