// Formats that declare their vertices and edges in a head and then list edges counted from one: Matrix Market, DIMACS, PACE.
#pragma once
#include "io/text_source.hpp"

#include <copse/io.hpp>

#include <optional>
#include <string_view>

namespace copse::io {

struct counted_lines {
  std::uint64_t head_line = 0;  ///< where the numbers are declared
  std::uint64_t vertices = 0;
  std::optional<std::uint64_t> entries;  ///< declared and to be checked
  std::string_view entry = "entry";      ///< what an edge is called in error messages
  std::string_view entries_word = "entries";
  bool arc_letter = false;    ///< an edge may begin with "a" or "e"
  bool has_value = false;     ///< a third column must be there
  bool weighs = false;        ///< the third column is a weight, and looked at
  bool has_no_value = false;  ///< a third column must not be there
  /// Lines that are no edges: comments and others to pass over. Throws for lines that must not be there.
  bool (*is_passed_over)(const text_source& source, const text_block& block, std::string_view line) = nullptr;
};

/// Parses what is left of `source`, from begin() to finish() of the sink.
void parse_counted_lines(text_source& source, const counted_lines& what, const read_options& options, edge_sink& sink);

}  // namespace copse::io
