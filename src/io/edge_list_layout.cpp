#include "io/edge_list_layout.hpp"

#include <algorithm>

namespace copse::io {
namespace {

using fault = line_fields::fault;

// Cuts the field in quotes at the front of `rest`; its content comes without the quotes.
fault cut_quoted(std::string_view& rest, std::string_view& content, std::deque<std::string>& unescaped) {
  rest.remove_prefix(1);
  std::size_t end = rest.find('"');
  if (end == std::string_view::npos) return fault::open_quote;
  content = rest.substr(0, end);
  if (end + 1 < rest.size() && rest[end + 1] == '"') {  // a doubled quote: from here on the content is a copy
    std::string& copy = unescaped.emplace_back();
    while (end + 1 < rest.size() && rest[end + 1] == '"') {
      copy.append(rest.substr(0, end + 1));
      rest.remove_prefix(end + 2);
      end = rest.find('"');
      if (end == std::string_view::npos) return fault::open_quote;
    }
    copy.append(rest.substr(0, end));
    content = copy;
  }
  rest.remove_prefix(end + 1);
  return fault::none;
}

// Cuts one field and the separator behind it; `more` says whether there was one.
fault cut_field(std::string_view& rest, const edge_list_layout& layout, std::string_view& field, bool& more,
                std::deque<std::string>& unescaped) {
  const bool blanks = layout.separator == ' ';
  const auto separates = [&](char c) { return blanks ? is_blank(c) : c == layout.separator; };
  const auto skip_blanks = [&] {
    while (!rest.empty() && is_blank(rest.front()) && (blanks || rest.front() != layout.separator)) rest.remove_prefix(1);
  };
  if (blanks) skip_blanks();
  std::string_view unquoted = rest;
  if (layout.quotes) {
    skip_blanks();
    if (rest.starts_with('"')) {
      if (const fault bad = cut_quoted(rest, field, unescaped); bad != fault::none) return bad;
      if (!blanks) skip_blanks();
      if (!rest.empty() && !separates(rest.front())) return fault::text_behind_quote;
      unquoted = {};
    } else {
      rest = unquoted;
    }
  }
  if (unquoted.data() != nullptr) {
    const auto* end = std::find_if(rest.begin(), rest.end(), separates);
    const auto length = static_cast<std::size_t>(end - rest.begin());
    field = rest.substr(0, length);
    if (layout.trimmed) field = trimmed(field);
    rest.remove_prefix(length);
  }
  if (blanks) {
    skip_blanks();
    more = !rest.empty();
  } else {
    more = !rest.empty();
    if (more) rest.remove_prefix(1);
  }
  return fault::none;
}

bool has_numbers(const line_fields& fields) {
  return fields.what == fault::none && looks_numeric(trimmed(fields.ids[0])) && looks_numeric(trimmed(fields.ids[1]));
}

// A separator under which the line has numbers for ids, the most telling one first.
std::optional<char> numeric_separator(std::string_view line, edge_list_layout layout) {
  std::deque<std::string> unescaped;
  for (const char separator : {',', '\t', ' '}) {
    layout.separator = separator;
    if (has_numbers(split_line(line, layout, unescaped))) return separator;
  }
  return std::nullopt;
}

}  // namespace

line_fields split_line(std::string_view line, const edge_list_layout& layout, std::deque<std::string>& unescaped) {
  line_fields fields;
  const unsigned last = std::max({layout.columns[0], layout.columns[1], layout.weight_column});
  bool more = true;
  while (fields.columns < last && more) {
    std::string_view field;
    fields.what = cut_field(line, layout, field, more, unescaped);
    if (fields.what != fault::none) return fields;
    ++fields.columns;
    if (fields.columns == layout.columns[0]) fields.ids[0] = field;
    if (fields.columns == layout.columns[1]) fields.ids[1] = field;
    if (fields.columns == layout.weight_column) fields.weight = field;
  }
  if (fields.columns < last) fields.what = fault::missing_column;
  return fields;
}

first_lines look_at(std::optional<std::string_view> first, std::optional<std::string_view> second, format f, const read_options& options) {
  first_lines found;
  edge_list_layout& layout = found.layout;
  layout.quotes = f == format::csv;
  layout.columns = options.columns;
  if (options.min_weight) layout.weight_column = options.weight_column.value_or(0);
  if (!first) return found;

  const bool asked_for_strings = options.ids == id_kind::strings || options.ids == id_kind::bytes;
  const bool may_switch = options.ids == id_kind::automatic && !options.vertices;
  const auto first_numbers = numeric_separator(*first, layout);
  const auto second_numbers = second ? numeric_separator(*second, layout) : std::nullopt;
  const auto separator_seen = [](std::string_view line) {
    return line.find(',') != std::string_view::npos ? ',' : line.find('\t') != std::string_view::npos ? '\t' : ' ';
  };

  std::deque<std::string> unescaped;
  if (options.header) {
    found.header = *options.header;
  } else if (!first_numbers && second_numbers) {
    layout.separator = *second_numbers;
    found.header = split_line(*first, layout, unescaped).what == fault::none;
  }
  const auto data = found.header ? second : first;
  const auto numbers = found.header ? second_numbers : first_numbers;
  if (!data) return found;
  layout.separator = numbers ? *numbers : separator_seen(*data);
  if (asked_for_strings) {
    layout.separator = separator_seen(*data);
    layout.named = true;
  } else if (may_switch && !numbers && split_line(*data, layout, unescaped).what == fault::none) {
    layout.named = found.switched_to_strings = true;
  }
  layout.trimmed = !(layout.named && f == format::csv);
  return found;
}

}  // namespace copse::io
