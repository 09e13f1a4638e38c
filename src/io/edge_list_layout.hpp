// How the lines of one edge list are laid out: its separator, columns, header and kind of ids, found by looking at its first two data
// lines.
#pragma once
#include "io/fields.hpp"

#include <copse/io.hpp>

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace copse::io {

struct edge_list_layout {
  char separator = ' ';  ///< ',' or '\t' between fields that may be empty; ' ': runs of blanks
  bool quotes = false;   ///< RFC 4180: a field may be in quotes, a quote within is doubled
  bool named = false;    ///< string ids
  bool trimmed = true;   ///< blanks around a field are not part of it
  std::array<unsigned, 2> columns{1, 2};
  unsigned weight_column = 0;  ///< 0: not looked at
};

/// The fields of one line that matter.
struct line_fields {
  enum class fault : std::uint8_t { none, missing_column, open_quote, text_behind_quote };
  fault what = fault::none;
  unsigned columns = 0;  ///< seen; at most the last one that matters
  std::array<std::string_view, 2> ids;
  std::string_view weight;
};

/// Splits a line. Fields with doubled quotes are written into `unescaped`, which must live as long as the views.
line_fields split_line(std::string_view line, const edge_list_layout& layout, std::deque<std::string>& unescaped);

struct first_lines {
  edge_list_layout layout;
  bool header = false;               ///< the first data line is no data
  bool switched_to_strings = false;  ///< string ids were not asked for
};

/// Decides the layout by the first two lines that are neither blank nor comments (fewer when there are fewer).
first_lines look_at(std::optional<std::string_view> first, std::optional<std::string_view> second, format f, const read_options& options);

}  // namespace copse::io
