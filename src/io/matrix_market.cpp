// Matrix Market, coordinate form: a square matrix is a graph, and each stored entry is an edge. Symmetric matrices store only one half of
// their entries, which suffices for connectivity.
#include "io/declared_sizes.hpp"
#include "io/fields.hpp"
#include "io/readers.hpp"

#include <algorithm>
#include <array>

namespace copse::io {
namespace {

bool is_comment(const text_source&, const text_block&, std::string_view line) { return is_blank_or_comment(line, "%"); }

template <std::size_t Count>
void expect_one_of(const text_source& source, std::string_view found, const std::array<std::string_view, Count>& known,
                   std::string_view what) {
  if (std::find(known.begin(), known.end(), found) != known.end()) return;
  std::string expected;
  for (const auto word : known) expected.append(expected.empty() ? "" : known.back() == word ? " or " : ", ").append(word);
  throw input_error::at(source.name(), 1, found.empty() ? "the end of the line" : quoted(found), expected + " as " + std::string{what});
}

// Checks the first line of the file and returns the kind of the values.
std::string read_banner(const text_source& source, std::string_view line) {
  if (lower(cut_word(line)) != "%%matrixmarket") {
    throw input_error::at(source.name(), 1, "no Matrix Market banner", "%%MatrixMarket matrix coordinate ...");
  }
  expect_one_of(source, lower(cut_word(line)), std::array<std::string_view, 1>{"matrix"}, "object");
  expect_one_of(source, lower(cut_word(line)), std::array<std::string_view, 1>{"coordinate"}, "form");
  const std::string values = lower(cut_word(line));
  expect_one_of(source, values, std::array<std::string_view, 4>{"pattern", "real", "integer", "complex"}, "kind of values");
  expect_one_of(source, lower(cut_word(line)), std::array<std::string_view, 4>{"general", "symmetric", "skew-symmetric", "hermitian"},
                "symmetry");
  return values;
}

}  // namespace

bool parse_matrix_market(const std::filesystem::path& path, const read_request& options, edge_sink& sink, edge_sink* without_weights) {
  text_source source{path, options};
  line_reader head{source};
  std::string_view line;
  const std::string values = read_banner(source, head.next(line) ? line : std::string_view{});
  const bool unweighted = without_weights != nullptr && values == "pattern";
  if (without_weights != nullptr && values == "complex") {
    throw input_error::at(source.name(), 1, "complex values", "real or integer ones, which are weights, or the option drop-weights");
  }
  if (options.min_weight && !unweighted && values != "real" && values != "integer") {
    throw usage_error{source.name() + ": a least weight needs real or integer values; these are " + values};
  }
  do {
    if (!head.next(line))
      throw input_error::at(source.name(), source.last_line(), "the end of the file", "the line of rows, columns and entries");
  } while (is_blank_or_comment(line, "%"));

  std::array<std::uint64_t, 3> sizes{};  // numbers of rows, columns and entries
  std::string_view rest = line;
  for (auto& size : sizes) {
    const std::string_view word = cut_word(rest);
    const auto value = integer(word);
    if (!value) {
      refuse(source, head.block(), line.data(), word.empty() ? "the end of the line" : describe_not_integer(word),
             "the numbers of rows, columns and entries");
    }
    size = *value;
  }
  if (sizes[0] != sizes[1]) {
    refuse(source, head.block(), line.data(), std::to_string(sizes[0]) + " rows and " + std::to_string(sizes[1]) + " columns",
           "a square matrix: its rows and columns are the vertices");
  }
  const std::uint64_t head_line = source.line_of(head.block(), line.data());
  head.leave();
  parse_counted_lines(source,
                      {.head_line = head_line,
                       .vertices = sizes[0],
                       .entries = sizes[2],
                       .has_value = values != "pattern",
                       .weighs = options.min_weight.has_value() && !unweighted,
                       .is_passed_over = is_comment},
                      options, unweighted ? *without_weights : sink);
  return !unweighted;
}

}  // namespace copse::io
