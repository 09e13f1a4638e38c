#include "io/stream_layout.hpp"

#include "io/fields.hpp"
#include "io/id_columns.hpp"
#include "io/table_reading.hpp"

#include <copse/errors.hpp>

#include <algorithm>
#include <memory_resource>
#include <string>
#include <vector>

namespace copse::io {
namespace {

constexpr std::string_view delimiters = " \t,;|";

/// Removes the sign at the front of a record (+, ? or -, which may be in quotes), and the separator after it.
template <class Separates>
std::optional<operation> take_sign_before(std::string_view& record, bool erases, Separates separates) noexcept {
  const std::size_t at = record.starts_with('"') ? 1 : 0, behind = 2 * at + 1;
  if (record.size() <= behind || !is_sign(record[at], erases) || record[behind - 1] != record[0] || !separates(record[behind]))
    return std::nullopt;
  const char sign = record[at];
  record.remove_prefix(behind + 1);
  return sign == '+' ? operation::insert : sign == '?' ? operation::query : operation::erase;
}

/// Removes the sign of a record (+, ? or -) and the delimiter after it, which may be any possible one, as the file's is not known yet.
std::optional<operation> take_any_sign(std::string_view& record, bool erases) noexcept {
  return take_sign_before(record, erases, [](char c) { return delimiters.find(c) != std::string_view::npos; });
}

/// The number of fields of a record; 0 if a quote is not closed.
std::size_t columns_of(std::string_view record, char delimiter, bool quotes) {
  record_syntax syntax;
  syntax.delimiter = delimiter;
  syntax.quotes = quotes;
  syntax.blanks = delimiter == ' ' || delimiter == '\t';
  field_picker all{syntax, {}};
  return all.pick(record) == record_fault::none ? all.seen() : 0;
}

/// True if this is the name of a requested column, or a usual name for a column of ids.
bool is_wanted(std::string_view name, const read_options& options) {
  const auto is_it = [&](const column& c) { return c.named() && c.name() == name; };
  return names_a_column(name) || std::ranges::any_of(columns_of_edges(options), is_it) ||
         (options.weight_column && is_it(*options.weight_column));
}

/// Removes the first name of a header if it names the column of signs (+, ? and -): then the header has as many columns as a record with
/// its sign. Records of queries and erases may have one column less, as they have no weight; so `from,to,score` above `?,1,2` does not name
/// the sign.
std::string_view without_name_of_sign(std::string_view header, std::string_view record, bool quotes, const read_request& options) {
  std::string_view bare = record;
  const auto sign = take_any_sign(bare, options.erases);
  if (!sign) return header;
  const char delimiter = *(bare.data() - 1);
  const std::size_t named = columns_of(header, delimiter, quotes), there = columns_of(record, delimiter, quotes);
  if (there == 0 || (named != there && !(sign != operation::insert && named == there + 1))) return header;
  const std::size_t end = header.find(delimiter);
  if (end == std::string_view::npos) return header;
  if (sign != operation::insert && is_wanted(trimmed(header.substr(0, end)), options)) return header;
  return header.substr(end + 1);
}

/// The comments and the first records without their signs (+, ? or -), which can be laid out as a table. If there are inserts, queries and
/// erases are left out, as they have no weight.
struct bare_head {
  std::pmr::string text;
  bool first_has_sign = false;
  bool is_without_weights = false;
};

bare_head without_signs(std::string_view text, const first_records& found, bool quotes, const read_request& options) {
  bare_head head{std::pmr::string{text.substr(0, found.first_at), options.memory}};
  const auto& records = found.records;
  std::vector<std::string_view> inserts, others;
  for (std::string_view record : records) {
    const bool first = record.data() == records.front().data();
    const auto sign = take_any_sign(record, options.erases);
    if (first) head.first_has_sign = sign.has_value();
    if (first && !sign && records.size() > 1) record = without_name_of_sign(record, records[1], quotes, options);
    (sign.value_or(operation::insert) == operation::insert ? inserts : others).push_back(record);
  }
  const bool header_only = inserts.size() == 1 && !others.empty() && !head.first_has_sign;
  head.is_without_weights = inserts.empty() || header_only;
  if (head.is_without_weights) inserts.insert(inserts.end(), others.begin(), others.end());
  for (const std::string_view record : inserts) head.text.append(record).append("\n");
  return head;
}

/// True if the first record alone shows that there is no header, because it has a sign (+, ? or -) or begins with two numbers.
bool is_data(std::string_view record, const read_request& options) {
  if (take_any_sign(record, options.erases)) return true;
  for (int i = 0; i < 2; ++i) {
    record.remove_prefix(std::min(record.find_first_not_of(delimiters), record.size()));
    const std::size_t end = std::min(record.find_first_of(delimiters), record.size());
    if (!looks_numeric(record.substr(0, end))) return false;
    record.remove_prefix(end);
  }
  return options.columns[0].columns() == id_columns{1u}.columns() && options.columns[1].columns() == id_columns{2u}.columns();
}

}  // namespace

std::optional<operation> take_sign(std::string_view& record, const record_syntax& syntax, bool erases) noexcept {
  std::string_view rest = record.substr(std::min(record.find_first_not_of(" \t"), record.size()));
  if (rest.starts_with('"') && !syntax.quotes) return std::nullopt;
  const auto sign = take_sign_before(rest, erases, [&](char c) { return is_blank(c) || syntax.separates(c); });
  if (sign) record = rest;
  return sign;
}

std::optional<stream_layout> lay_out_stream(const std::filesystem::path& path, const std::string& name, format f,
                                            const read_request& options, std::optional<bool> named, std::string_view text, bool whole,
                                            bool patient) {
  expect_edge_columns(options);
  table_request request = request_for_edges(name, path, f, options);
  const bool by_name = std::ranges::any_of(request.columns, [](const column& c) { return c.named(); });
  const record_syntax any = syntax_without_separator(f, options);
  first_records records;
  if (patient) {
    for (std::size_t least = first_look_bytes; !records.complete; least *= 2) {
      if (text.size() < least && !whole) return std::nullopt;
      records = find_first_records(text.substr(0, least), any, whole && text.size() <= least);
    }
  } else {
    records = find_first_records(text, any, whole, 2);
    const bool one_is_enough = !records.empty() && !by_name && options.header != true && is_data(records.records.front(), options);
    if (!records.complete && !one_is_enough) return std::nullopt;
    if (one_is_enough) records.records.resize(1);
  }

  read_request asked = options;
  bare_head head{std::pmr::string{options.memory}};
  if (!records.empty()) {
    head = without_signs(text, records, any.quotes, options);
    if (head.first_has_sign && !by_name && !asked.header) asked.header = false;
  }
  if (named) asked.ids = *named ? id_kind::strings : id_kind::integers;
  request.only_ids = head.is_without_weights;  // queries and erases have no weight
  stream_layout layout{io::lay_out(request, f, asked, [&](std::size_t) { return std::pair{std::string_view{head.text}, true}; }).layout};
  const bool strings = options.ids == id_kind::strings || options.ids == id_kind::bytes || layout.left > 1;
  layout.named = named.value_or(strings || (options.ids == id_kind::automatic && (!layout.numeric || layout.padded_ids)));
  if (layout.left > 1 && options.ids == id_kind::integers) refuse_joined_integers();
  const bool presumed = request.presumed != table_request::presumption::none && layout.columns == std::vector{1u, 2u};
  layout.erases = options.erases;
  layout.two_only = layout.syntax.blanks && presumed;
  const bool first_is_string = layout.named && !strings && !layout.header && !options.header && !records.empty() && !head.first_has_sign;
  if (first_is_string && !named && options.observer != nullptr) {
    options.observer->note(name +
                           ": the ids are not numeric: read as strings, those of the first line too (the option header decides otherwise)");
  }
  return layout;
}

}  // namespace copse::io
