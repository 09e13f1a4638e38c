#include "label_columns.hpp"

#include <fmt/format.h>

#include <copse/errors.hpp>
#include <copse/io.hpp>

#include "output.hpp"

namespace copse::cli {
namespace {

/// A field as RFC 4180 has it, or for tabs as it is.
std::string field(const std::string& text, bool csv, const std::filesystem::path& path) {
  if (!csv) {
    if (text.find_first_of("\t\r\n") != std::string::npos)
      throw input_error{fmt::format("{}: found a name with a tab or an end of line, expected .csv", path.string())};
    return text;
  }
  if (!text.empty() && text.find_first_of(",\"\r\n #%\t") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string{"\"\""} : std::string{c};
  return quoted + "\"";
}

}  // namespace

void expect_label_columns_suffix(const std::filesystem::path& path) {
  const auto suffix = path.extension();
  if (suffix == ".csv" || suffix == ".txt") return;
  throw usage_error{fmt::format("{}: found the suffix {}, expected .csv or .txt for columns of labels", path.string(), suffix.string())};
}

void write_label_columns(const std::vector<label_column>& columns, const std::filesystem::path& path) {
  expect_label_columns_suffix(path);
  const bool csv = path.extension() == ".csv";
  const char between = csv ? ',' : '\t';
  io::output_file file{path};
  std::string text;
  if (csv) {
    text = "id";
    for (const label_column& c : columns) text += between + field(c.name, csv, path);
    text += '\n';
  }
  const std::uint64_t vertices = columns.empty() ? 0 : columns.front().labels.slots();
  for (std::uint64_t v = 0; v < vertices; ++v) {
    text += field(name_text(columns.front().labels.names(), v), csv, path);
    for (const label_column& c : columns) text += between + field(name_text(c.labels.names(), c.labels.label(v)), csv, path);
    text += '\n';
    if (text.size() > (std::size_t{1} << 16)) {
      file.write(text.data(), text.size());
      text.clear();
    }
  }
  file.write(text.data(), text.size());
  file.commit();
}

}  // namespace copse::cli
