#include "io/records.hpp"

#include "io/fields.hpp"

#include <algorithm>

namespace copse::io {

field_picker::field_picker(const record_syntax& syntax, std::span<const unsigned> columns) : syntax_{syntax}, fields_(columns.size()) {
  for (std::size_t i = 0; i < columns.size(); ++i) wanted_.emplace_back(columns[i], i);
  std::sort(wanted_.begin(), wanted_.end());
  if (!wanted_.empty()) last_ = wanted_.back().first;
}

record_fault field_picker::pick(std::string_view record) {
  seen_ = 0;
  if (last_ == 0) fields_.clear();
  auto next = wanted_.begin();
  bool more = true;
  while (more && (last_ == 0 || seen_ < last_)) {
    std::string_view field;
    if (const auto fault = cut_field(record, field, more); fault != record_fault::none) return fault;
    ++seen_;
    if (last_ == 0) fields_.push_back(field);
    for (; next != wanted_.end() && next->first == seen_; ++next) fields_[next->second] = field;
  }
  return seen_ < last_ ? record_fault::missing_column : record_fault::none;
}

// Cuts one field and the delimiter behind it; `more` says whether there was one.
record_fault field_picker::cut_field(std::string_view& rest, std::string_view& field, bool& more) {
  const auto skip_padding = [&] {
    while (!rest.empty() && syntax_.is_padding(rest.front())) rest.remove_prefix(1);
  };
  const auto skip_blanks = [&] {
    while (!rest.empty() && syntax_.separates(rest.front())) rest.remove_prefix(1);
  };
  if (syntax_.blanks) skip_blanks();
  const std::string_view unquoted = rest;
  if (syntax_.quotes) skip_padding();
  if (syntax_.quotes && rest.starts_with('"')) {
    if (const auto fault = cut_quoted(rest, field); fault != record_fault::none) return fault;
    skip_padding();
    if (!rest.empty() && !syntax_.separates(rest.front())) return record_fault::text_behind_quote;
  } else {
    rest = unquoted;
    const auto* const end = std::find_if(rest.begin(), rest.end(), [&](char c) { return syntax_.separates(c); });
    const auto length = static_cast<std::size_t>(end - rest.begin());
    field = rest.substr(0, length);
    if (syntax_.trimmed) field = io::trimmed(field);
    rest.remove_prefix(length);
  }
  if (syntax_.blanks) {
    skip_blanks();
    more = !rest.empty();
  } else {
    more = !rest.empty();
    if (more) rest.remove_prefix(1);
  }
  return record_fault::none;
}

// Cuts the field in quotes at the front of `rest`; its content comes without the quotes.
record_fault field_picker::cut_quoted(std::string_view& rest, std::string_view& content) {
  rest.remove_prefix(1);
  std::size_t end = rest.find('"');
  if (end == std::string_view::npos) return record_fault::open_quote;
  content = rest.substr(0, end);
  if (end + 1 < rest.size() && rest[end + 1] == '"') {  // a doubled quote: from here on the content is a copy
    std::string& copy = copies_.emplace_back();
    while (end + 1 < rest.size() && rest[end + 1] == '"') {
      copy.append(rest.substr(0, end + 1));
      rest.remove_prefix(end + 2);
      end = rest.find('"');
      if (end == std::string_view::npos) return record_fault::open_quote;
    }
    copy.append(rest.substr(0, end));
    content = copy;
  }
  rest.remove_prefix(end + 1);
  return record_fault::none;
}

field_picker::refusal field_picker::refusal_of(record_fault fault, std::string_view record) const {
  if (fault == record_fault::open_quote)
    return {"a quote that is not closed", "its end within " + std::to_string(longest_quoted_field) + " bytes"};
  if (fault == record_fault::text_behind_quote) return {"text behind a closing quote", "a delimiter or the end of the line"};
  return {std::to_string(seen_) + (seen_ == 1 ? " column: " : " columns: ") + quoted(record),
          "at least " + std::to_string(last_) + " separated by " + delimiter_text(syntax_)};
}

std::string delimiter_text(const record_syntax& syntax) {
  if (syntax.blanks) return "blanks";
  switch (syntax.delimiter) {
    case ',':
      return "commas";
    case '\t':
      return "tabs";
    case ';':
      return "semicolons";
    case '|':
      return "bars";
    case ' ':
      return "single blanks";
    default:
      return quoted({&syntax.delimiter, 1});
  }
}

}  // namespace copse::io
