#include "io/text_writer.hpp"

#include <copse/errors.hpp>

#include <string>

namespace copse::io {

void put_string(text_writer& out, std::string_view name, quoting style, const std::filesystem::path& path) {
  if (style == quoting::csv) return out.put_csv(name);
  const bool plain = style == quoting::tabs
                         ? name.find_first_of("\t\r\n") == std::string_view::npos
                         : !name.empty() && name.find_first_of(" \t\r\n,\"") == std::string_view::npos && name[0] != '#' && name[0] != '%';
  if (!plain) refuse_name(name, style, path);
  out.put(name);
}

void refuse_name(std::string_view name, quoting style, const std::filesystem::path& path) {
  std::string shown;
  for (const char c : name.substr(0, 60)) shown += c == '\n' || c == '\r' || c == '\t' ? '?' : c;
  throw input_error::at(path.string(), 0, "the name \"" + shown + "\"",
                        style == quoting::tabs ? "names without tabs and line ends (.csv takes them)"
                                               : "names without spaces, commas, quotes and a leading # or %");
}

void write_progress::tell(std::uint64_t done) {
  if (who_->cancel_requested()) throw cancelled{};
  who_->progress("write", done, total_, unit_);
}

}  // namespace copse::io
