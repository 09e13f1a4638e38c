#include "io/stream_layout.hpp"

#include "io/fields.hpp"
#include "io/id_columns.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <array>
#include <memory_resource>
#include <string>

namespace copse::io {
namespace {

const std::array<id_columns, 2> first_columns{1u, 2u};
constexpr std::string_view delimiters = " \t,;|";

/// The sign at the front of a record and how long it is with what is behind it, perhaps in quotes; 0: there is none.
template <class Separates>
std::size_t sign_length(std::string_view record, Separates separates) noexcept {
  const std::size_t length = record.starts_with("\"+\"") || record.starts_with("\"?\"") ? 3 : begins_with_sign(record) ? 1 : 0;
  return length != 0 && length < record.size() && separates(record[length]) ? length + 1 : 0;
}

/// Whatever the delimiter turns out to be.
bool take_any_sign(std::string_view& record) noexcept {
  const std::size_t length = sign_length(record, [](char c) { return delimiters.find(c) != std::string_view::npos; });
  record.remove_prefix(length);
  return length != 0;
}

std::size_t columns_of(std::string_view record, char delimiter) {
  record_syntax syntax;
  syntax.delimiter = delimiter;
  syntax.blanks = delimiter == ' ' || delimiter == '\t';
  field_picker all{syntax, {}};
  static_cast<void>(all.pick(record));
  return all.seen();
}

/// A header may name the sign, too: then it has as many columns as a record with its sign, and the first is taken off.
std::string_view without_name_of_sign(std::string_view header, std::string_view record) {
  std::string_view bare = record;
  if (!take_any_sign(bare)) return header;
  const char delimiter = *(bare.data() - 1);
  if (columns_of(header, delimiter) != columns_of(record, delimiter)) return header;
  const std::size_t end = header.find(delimiter);
  return end == std::string_view::npos ? header : header.substr(end + 1);
}

/// The comments and the first two records without their signs: what a table of them would look like.
struct bare_head {
  std::pmr::string text;
  bool first_has_sign = false;
};

bare_head without_signs(std::string_view text, const first_records& records, std::pmr::memory_resource* memory) {
  bare_head head{std::pmr::string{text.substr(0, records.first_at), memory}};
  std::string_view first = *records.first;
  head.first_has_sign = take_any_sign(first);
  if (records.second && !head.first_has_sign) first = without_name_of_sign(first, *records.second);
  head.text.append(first).append("\n");
  if (records.second) {
    std::string_view second = *records.second;
    take_any_sign(second);
    head.text.append(second).append("\n");
  }
  return head;
}

/// Does the first record tell enough? One with a sign, or of two numbers, is no header.
bool is_data(std::string_view record, const read_options& options) {
  if (take_any_sign(record)) return true;
  for (int i = 0; i < 2; ++i) {
    record.remove_prefix(std::min(record.find_first_not_of(delimiters), record.size()));
    const std::size_t end = std::min(record.find_first_of(delimiters), record.size());
    if (!looks_numeric(record.substr(0, end))) return false;
    record.remove_prefix(end);
  }
  return options.columns == first_columns;
}

}  // namespace

std::optional<operation> take_sign(std::string_view& record, const record_syntax& syntax) noexcept {
  const std::string_view rest = record.substr(std::min(record.find_first_not_of(" \t"), record.size()));
  const std::size_t length = sign_length(rest, [&](char c) { return is_blank(c) || syntax.separates(c); });
  if (length == 0 || (rest.starts_with('"') && !syntax.quotes)) return std::nullopt;
  const bool query = rest.substr(0, length).find('?') != std::string_view::npos;
  record = rest.substr(length);
  return query ? operation::query : operation::insert;
}

std::optional<stream_layout> lay_out_stream(const std::filesystem::path& path, const std::string& name, format f,
                                            const stream_read_options& options, std::string_view text, bool whole) {
  const auto& [u, v] = options.columns;
  const bool by_name = u.named() || v.named() || (options.weight_column && options.weight_column->named());
  expect_edge_columns(options);
  record_syntax any;
  any.quotes = f == format::csv;
  any.comments = options.comments.value_or(f == format::csv ? "" : "#%");
  first_records records = find_first_records(text, any, whole);
  const bool one_is_enough = records.first && !by_name && options.header != true && is_data(*records.first, options);
  if (!records.complete && !one_is_enough) return std::nullopt;
  if (one_is_enough) records.second.reset();

  stream_read_options asked = options;
  bare_head head{std::pmr::string{options.memory}};
  if (records.first) {
    head = without_signs(text, records, options.memory);
    if (head.first_has_sign && !by_name && !asked.header) asked.header = false;
  }
  if (options.named) asked.ids = *options.named ? id_kind::strings : id_kind::integers;
  table_request request{.name = name, .columns = columns_of_edges(options), .proposed = proposed_delimiter(path, f)};
  request.ids = request.columns.size();
  if (options.weight_column) request.columns.push_back(*options.weight_column);
  const auto found = io::lay_out(request, f, asked, [&](std::size_t) { return std::pair{std::string_view{head.text}, true}; }).layout;

  stream_layout layout{.syntax = found.syntax, .columns = found.columns, .left = u.size(), .ids = request.ids, .header = found.header};
  const bool strings = options.ids == id_kind::strings || options.ids == id_kind::bytes || u.joined();
  layout.named = options.named.value_or(strings || (options.ids == id_kind::automatic && (!found.numeric || found.padded_ids)));
  layout.syntax.trimmed = !(layout.named && f == format::csv);
  layout.two_only = found.syntax.blanks && options.columns == first_columns && !options.weight_column;
  const bool first_is_string = layout.named && !strings && !layout.header && !options.header && records.first && !head.first_has_sign;
  if (first_is_string && !options.named && options.observer != nullptr) {
    options.observer->note(name + ": the ids are not numeric: read as strings, those of the first line too (--header decides otherwise)");
  }
  return layout;
}

}  // namespace copse::io
