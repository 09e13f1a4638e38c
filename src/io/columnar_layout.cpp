#include "io/columnar_layout.hpp"

#include "io/fields.hpp"
#include "io/id_columns.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <memory>
#include <utility>

namespace copse::io {
namespace {

/// Appends a name to a CSV header, in quotes unless it consists of letters, digits and underscores.
void append_name(std::string& header, std::string_view name) {
  const auto is_plain = [](const char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (!name.empty() && std::ranges::all_of(name, is_plain)) {
    header += name;
    return;
  }
  header += '"';
  for (const char letter : name) header.append(letter == '"' ? 2 : 1, letter);
  header += '"';
}

/// A CSV text with the same columns as the table: a header, and one record with an example value for each column. The columns of ids are
/// then chosen as those of a text file are.
std::string as_text(const std::vector<arrow::column_type>& columns) {
  std::string header, record;
  for (const arrow::column_type& c : columns) {
    header += header.empty() ? "" : ",";
    append_name(header, c.name);
    record.append(record.empty() ? "" : ",").append(c.holds_strings() ? "text" : "1");
  }
  return header + "\n" + record + "\n";
}

/// The threshold of the options as the shortest text that gives the same double.
std::optional<arrow::score_threshold> threshold_of(const read_request& options) {
  if (!options.min_weight || *options.min_weight == -std::numeric_limits<double>::infinity()) return std::nullopt;
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), *options.min_weight).ptr;
  return arrow::score_threshold{std::string{text.data(), end}};
}

arrow::null_rule nulls_of(const read_request& options) {
  return {!options.missing.empty(), "the option na with an empty word leaves such rows out and counts them"};
}

}  // namespace

std::vector<int> columns_of(const table_request& request, const std::vector<arrow::column_type>& given, const read_request& options) {
  const std::string text = as_text(given);
  read_request as_csv = options;
  as_csv.header = true;
  as_csv.delimiter = ',';
  as_csv.comments = "";
  const table_layout layout = lay_out(request, format::csv, as_csv, [&](std::size_t) {
                                return std::pair{std::string_view{text}, true};
                              }).layout;
  std::vector<int> columns;
  for (const unsigned c : layout.columns) {
    if (c > given.size()) {
      throw input_error::at(request.name, 0, std::to_string(given.size()) + " columns", "a column " + std::to_string(c));
    }
    columns.push_back(static_cast<int>(c - 1));
  }
  return columns;
}

void refuse_options_of_text(const std::string& name, const read_request& options) {
  const auto refuse = [&](const char* option) {
    throw usage_error{name + ": found the option " + option + ", which applies only to text, not to a Parquet or Arrow file"};
  };
  if (options.delimiter) refuse("delimiter");
  if (options.header) refuse("header");
  if (options.comments) refuse("comment");
  for (const id_columns& id : options.columns) {
    if (id.joined()) throw usage_error{name + ": found ids of several columns, which are read from text only; make one column of them"};
  }
}

void refuse_words(const std::string& name, const read_request& options) {
  for (const std::string& word : options.missing) {
    if (!word.empty()) {
      throw usage_error{name + ": found '" + word +
                        "' as a missing value, which is a null in columns; the option na with an empty word drops rows with one"};
    }
  }
}

void expect_kind(const std::string& name, const arrow::row_rules& rules, id_kind asked) {
  const arrow::column_type& type = rules.types[rules.ids.front()];
  if (asked == id_kind::integers && rules.strings) {
    throw input_error::at(name, 0, rules.place(rules.ids.front()) + " of " + type.described(), "integers, as the option ids says");
  }
  if ((asked == id_kind::strings || asked == id_kind::bytes) && !rules.strings) {
    throw input_error::at(name, 0, rules.place(rules.ids.front()) + " of " + type.described(), "strings, as the option ids says");
  }
  if (rules.strings && type.binary && asked != id_kind::bytes) {
    throw input_error::at(name, 0, rules.place(rules.ids.front()) + " of " + type.described(),
                          "text, or the option ids bytes, which reads and writes them as they are");
  }
}

arrow::row_rules rules_for(const columnar_source& from, std::span<const int> columns, std::vector<std::size_t> ids,
                           std::optional<std::size_t> score, const read_request& options) {
  arrow::row_rules rules{from.types(columns), std::move(ids), score, score ? threshold_of(options) : std::nullopt, nulls_of(options)};
  rules.address_of = [&from](std::uint64_t row) { return from.address(row); };
  rules.signs = std::shared_ptr<ids::id_signs>{std::shared_ptr<void>{}, options.signs};  // the caller owns options.signs
  return rules;
}

}  // namespace copse::io
