#include "io/first_records.hpp"

namespace copse::io {

first_records find_first_records(std::string_view text, const record_syntax& syntax, bool whole, std::size_t most) {
  constexpr auto npos = std::string_view::npos;
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
