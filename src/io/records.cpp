#include "io/records.hpp"

#include "io/fields.hpp"

#include <algorithm>
#include <bit>
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
  more_ = true;
  while (more_ && (last_ == 0 || seen_ < last_)) {
    std::string_view field;
    bool quoted = false;
    if (!syntax_.quotes) {
      cut_plain_field(record, field, more_);
    } else if (const auto fault = cut_field(record, field, more_, quoted); fault != record_fault::none) {
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

// Stores a wanted field at index `place`. Blanks around fields are trimmed only here, which saves that work for all other fields.
inline void field_picker::take(std::string_view field, bool quoted, std::size_t place) {
  if (syntax_.trimmed && !quoted && !field.empty() && (is_blank(field.front()) || is_blank(field.back()))) {
    field = trimmed(field);
    if (place >= first_watched_ && place < last_watched_) ++trimmed_fields_;
  }
  fields_[place] = field;
}

// Cuts one field and the delimiter after it, without regard to quotes; `more` is set if there was a delimiter.
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

// Cuts the next field if fields may be in quotes.
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

// Cuts the quoted field at the front of `rest`; `content` excludes the quotes.
record_fault field_picker::cut_quoted(std::string_view& rest, std::string_view& content) {
  rest.remove_prefix(1);
  std::size_t end = rest.find('"');
  if (end == std::string_view::npos) return record_fault::open_quote;
  content = rest.substr(0, end);
  if (end + 1 < rest.size() && rest[end + 1] == '"') {  // a doubled quote: the content differs from the text, and is copied
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

// Finds the ends of lines and records. A record ends at the first line end outside quoted fields, so quotes must be followed from the
// beginning of a record; text without quotes is scanned with memchr.
namespace {

constexpr auto npos = std::string_view::npos;

// Sets 0x80 in every byte that equals the byte of `pattern`. Bytes above the first match may be marked wrongly.
std::uint64_t equal_bytes(std::uint64_t word, std::uint64_t pattern) noexcept {
  constexpr std::uint64_t each = 0x0101010101010101;
  const std::uint64_t differs = word ^ pattern;
  return (differs - each) & ~differs & (0x80 * each);
}

// The offset after the first line end at or after `from`.
std::size_t behind_line_end(std::string_view text, std::size_t from, bool whole) noexcept {
  const auto at =
      static_cast<std::size_t>(find_line_end(text.data() + std::min(from, text.size()), text.data() + text.size()) - text.data());
  if (at == text.size()) return whole ? at : npos;
  if (text[at] == '\n') return at + 1;
  if (at + 1 == text.size()) return whole ? at + 1 : npos;
  return text[at + 1] == '\n' ? at + 2 : at + 1;
}

// The offset after the last line end, or npos. `followed` tells that a byte other than LF follows the text, so that a CR at its end is a
// line end.
std::size_t last_line_end(std::string_view text, bool followed) noexcept {
  if (!followed && text.ends_with('\r')) text.remove_suffix(1);
  const std::size_t at = text.find_last_of("\r\n");
  return at == npos ? npos : at + 1;
}

// The offset of the first quote in [from, stop) that opens a field. `from` must be the beginning of a record or the end of a quoted field.
std::size_t opening_quote(std::string_view text, std::size_t from, std::size_t stop, const record_syntax& syntax) noexcept {
  for (std::size_t at = from;;) {
    const void* const found = at < stop ? std::memchr(text.data() + at, '"', stop - at) : nullptr;
    if (found == nullptr) return npos;
    const auto quote = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    std::size_t before = quote;
    while (before > from && syntax.is_padding(text[before - 1])) --before;
    const char left = before == 0 ? '\n' : text[before - 1];
    const bool opens = left == '\n' || left == '\r' || ((before > from || from == 0) && syntax.separates(left));
    at = quote + 1;
    if (!opens) continue;
    if (syntax.comments.empty()) return quote;
    std::size_t line = quote;
    while (line > from && text[line - 1] != '\n' && text[line - 1] != '\r') --line;
    const bool begins = line == 0 || text[line - 1] == '\n' || text[line - 1] == '\r';
    if (!begins || !is_comment(text.substr(line, quote - line), syntax)) return quote;
    const std::size_t next = behind_line_end(text, quote, true);
    if (next >= stop) return npos;
    at = next;
  }
}

// The offset of the quote that closes a field; `from` is the offset after the opening quote.
std::size_t closing_quote(std::string_view text, std::size_t from) noexcept {
  for (;;) {
    const std::size_t quote = text.find('"', from);
    if (quote == npos || quote + 1 == text.size() || text[quote + 1] != '"') return quote;
    from = quote + 2;
  }
}

// The end of a record, and the offset of a quote that is still open there (npos if none is).
struct records_end {
  std::size_t end = npos;
  std::size_t open_quote = npos;
};

// The first end of a record that is at least `least` bytes after the front of `text`.
records_end find_end(std::string_view text, const record_syntax& syntax, std::size_t least, bool whole) noexcept {
  const std::size_t from = std::max<std::size_t>(least, 1) - 1;
  for (std::size_t at = 0;;) {  // at this point no quote is open
    const std::size_t end = behind_line_end(text, std::max(from, at), whole);
    if (!syntax.quotes) return {end};
    const std::size_t open = opening_quote(text, at, std::min(end, text.size()), syntax);
    if (open == npos) return {end};
    const std::size_t close = closing_quote(text.substr(0, std::min(text.size(), open + 1 + longest_quoted_field)), open + 1);
    if (close == npos) {
      if (text.size() > open + longest_quoted_field) return {open + 1 + longest_quoted_field, open};
      return {whole ? text.size() : npos, open};
    }
    at = close + 1;
  }
}

}  // namespace

const char* find_line_end(const char* at, const char* end) noexcept {
  constexpr std::uint64_t line_feeds = 0x0A0A0A0A0A0A0A0A, returns = 0x0D0D0D0D0D0D0D0D;
  for (; end - at >= 8; at += 8) {
    const std::uint64_t word = load_word(at);
    const std::uint64_t ends = equal_bytes(word, line_feeds) | equal_bytes(word, returns);
    if (ends != 0) return at + std::countr_zero(ends) / 8;
  }
  while (at != end && *at != '\n' && *at != '\r') ++at;
  return at;
}

std::uint64_t count_line_ends(std::string_view text) noexcept {
  // Counters of one byte let the compiler compare and count many bytes at once; they cannot overflow within so few bytes of text.
  constexpr std::size_t counted_in_a_byte = 240;
  std::uint64_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += counted_in_a_byte) {
    unsigned char ends = 0;
    for (const char c : text.substr(at, counted_in_a_byte)) ends = static_cast<unsigned char>(ends + (c == '\n'));
    count += ends;
  }
  for (std::size_t at = text.find('\r'); at != npos; at = text.find('\r', at + 1)) {
    if (at + 1 == text.size() || text[at + 1] != '\n') ++count;
  }
  return count;
}

std::string_view cut_line(std::string_view& rest) noexcept {
  const std::string_view line{rest.data(), static_cast<std::size_t>(find_line_end(rest.data(), rest.data() + rest.size()) - rest.data())};
  rest.remove_prefix(line.size());
  if (rest.starts_with("\r\n")) {
    rest.remove_prefix(2);
  } else if (!rest.empty()) {
    rest.remove_prefix(1);
  }
  return line;
}

std::size_t end_of_line(std::string_view text, bool whole) noexcept { return behind_line_end(text, 0, whole); }

std::size_t end_of_record(std::string_view text, const record_syntax& syntax, bool whole) noexcept {
  return end_of_records(text, syntax, 0, whole);
}

std::size_t end_of_records(std::string_view text, const record_syntax& syntax, std::size_t least, bool whole) noexcept {
  return find_end(text, syntax, least, whole).end;
}

std::size_t last_end_of_records(std::string_view text, const record_syntax& syntax) noexcept {
  std::size_t last = npos;
  for (std::size_t at = 0;;) {  // at this point no quote is open
    const std::size_t open = syntax.quotes ? opening_quote(text, at, text.size(), syntax) : npos;
    const std::string_view plain = text.substr(at, std::min(open, text.size()) - at);
    const std::size_t end = last_line_end(plain, open != npos);
    if (end != npos) last = at + end;
    if (open == npos) return last;
    const std::size_t close = closing_quote(text.substr(0, std::min(text.size(), open + 1 + longest_quoted_field)), open + 1);
    if (close == npos) return text.size() > open + longest_quoted_field ? open + 1 + longest_quoted_field : last;
    at = close + 1;
  }
}

std::string_view cut_record(std::string_view& rest, const record_syntax& syntax) noexcept {
  std::string_view after = rest;
  std::string_view record = cut_line(after);
  if (syntax.quotes && std::memchr(record.data(), '"', record.size()) != nullptr) {
    const auto [end, open_quote] = find_end(rest, syntax, 0, true);
    record = rest.substr(0, end);
    after = rest.substr(end);
    if (record.ends_with('\n')) record.remove_suffix(1);
    if (record.ends_with('\r')) record.remove_suffix(1);
    if (open_quote != npos) record.remove_prefix(open_quote);  // cutting a field from what is left reports the open quote
  }
  rest = after;
  return record;
}

bool is_blank_record(std::string_view record, const record_syntax& syntax) noexcept {
  return std::all_of(record.begin(), record.end(), [&](char c) { return syntax.is_padding(c) || (syntax.blanks && syntax.separates(c)); });
}

bool is_comment(std::string_view record, const record_syntax& syntax) noexcept {
  if (syntax.comments.empty()) return false;
  const std::size_t first = record.find_first_not_of(" \t");
  return first != npos && syntax.comments.find(record[first]) != std::string::npos;
}

first_records find_first_records(std::string_view text, const record_syntax& syntax, bool whole, std::size_t most) {
  first_records found;
  std::size_t at = 0;
  while (at < text.size() && found.records.size() < most) {
    const std::string_view rest = text.substr(at);
    std::size_t end = end_of_line(rest, whole);
    if (end == npos) break;
    std::string_view line = rest.substr(0, end);
    line = cut_line(line);
    if (!is_blank_record(line, syntax) && !is_comment(line, syntax)) {
      end = end_of_record(rest, syntax, whole);
      if (end == npos) break;
      std::string_view record = rest.substr(0, end);
      if (found.empty()) {
        found.first_at = at;
        found.behind_first = at + end;
      }
      found.records.push_back(cut_record(record, syntax));
    }
    at += end;
  }
  if (found.empty()) found.first_at = found.behind_first = at;
  found.complete = whole || found.records.size() >= 2;
  return found;
}

}  // namespace copse::io
