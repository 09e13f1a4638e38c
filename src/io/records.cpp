#include "io/records.hpp"

#include "io/fields.hpp"

#include <algorithm>
#include <cstring>

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
    bool quoted = false;
    if (!syntax_.quotes) {
      cut_plain_field(record, field, more);
    } else if (const auto fault = cut_field(record, field, more, quoted); fault != record_fault::none) {
      return fault;
    }
    ++seen_;
    if (last_ == 0) {
      fields_.emplace_back();
      take(field, quoted, fields_.size() - 1);
    }
    for (; next != wanted_.end() && next->first == seen_; ++next) take(field, quoted, next->second);
  }
  return seen_ < last_ ? record_fault::missing_column : record_fault::none;
}

// Blanks are looked for at the ends of wanted fields only, once each is cut.
inline void field_picker::take(std::string_view field, bool quoted, std::size_t place) {
  if (syntax_.trimmed && !quoted && !field.empty() && (is_blank(field.front()) || is_blank(field.back()))) {
    field = trimmed(field);
    if (place >= first_watched_ && place < last_watched_) ++trimmed_fields_;
  }
  fields_[place] = field;
}

// Without quotes: cuts one field and the delimiter behind it; `more` says whether there was one.
inline void field_picker::cut_plain_field(std::string_view& rest, std::string_view& field, bool& more) const {
  const char* at = rest.data();
  const char* const end = at + rest.size();
  if (syntax_.blanks) {
    while (at != end && is_blank(*at)) ++at;
    const char* const begin = at;
    while (at != end && !is_blank(*at)) ++at;
    field = {begin, static_cast<std::size_t>(at - begin)};
    while (at != end && is_blank(*at)) ++at;
    more = at != end;
  } else {
    const void* const found = rest.empty() ? nullptr : std::memchr(at, syntax_.delimiter, rest.size());
    more = found != nullptr;
    const char* const stop = more ? static_cast<const char*>(found) : end;
    field = {at, static_cast<std::size_t>(stop - at)};
    at = more ? stop + 1 : end;
  }
  rest = {at, static_cast<std::size_t>(end - at)};
}

// The same where fields may be in quotes.
record_fault field_picker::cut_field(std::string_view& rest, std::string_view& field, bool& more, bool& quoted) {
  const auto skip = [&rest](auto is) {
    while (!rest.empty() && is(rest.front())) rest.remove_prefix(1);
  };
  const auto is_padding = [this](char c) { return syntax_.is_padding(c); };
  const auto separates = [this](char c) { return syntax_.separates(c); };
  if (syntax_.blanks) skip(separates);
  const std::string_view unquoted = rest;
  skip(is_padding);
  if (!rest.starts_with('"')) {
    rest = unquoted;
    cut_plain_field(rest, field, more);
    return record_fault::none;
  }
  quoted = true;
  if (const auto fault = cut_quoted(rest, field); fault != record_fault::none) return fault;
  skip(is_padding);
  if (!rest.empty() && !separates(rest.front())) return record_fault::text_behind_quote;
  if (syntax_.blanks) {
    skip(separates);
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
