#include "io/text_writer.hpp"

#include <copse/errors.hpp>

#include <string>

namespace copse::io {

namespace {

bool is_plain(std::string_view name, quoting style) {
  if (style == quoting::tabs) return !holds_any<'\t', '\r', '\n'>(name);
  if (name.empty() || name[0] == '#' || name[0] == '%') return false;
  if (style == quoting::words) return !holds_any<' ', '\t', '\r', '\n', ',', ';', '|', '"'>(name);
  return !holds_any<'\t', '\r', '\n'>(name) && name.front() != ' ' && name.back() != ' ';
}

std::string_view expected_names(quoting style) {
  switch (style) {
    case quoting::tabs:
      return "names without tabs and line ends (.csv takes them)";
    case quoting::tsv:
      return "names without tabs, line ends, blanks at the ends and a leading # or % (.csv takes them)";
    default:
      return "names without blanks, commas, semicolons, bars, quotes and a leading # or % (.csv takes them)";
  }
}

}  // namespace

void put_string(text_writer& out, std::string_view name, quoting style, const std::filesystem::path& path) {
  if (style == quoting::csv) return out.put_csv(name);
  if (!is_plain(name, style)) refuse_name(name, style, path);
  out.put(name);
}

void refuse_name(std::string_view name, quoting style, const std::filesystem::path& path) {
  std::string shown;
  for (const char c : name.substr(0, 60)) shown += c == '\n' || c == '\r' || c == '\t' ? '?' : c;
  throw input_error::at(path.string(), 0, "the name \"" + shown + "\"", expected_names(style));
}

void write_progress::tell(std::uint64_t done) {
  if (who_->cancel_requested()) throw cancelled{};
  who_->progress("write", done, total_, unit_);
}

}  // namespace copse::io
