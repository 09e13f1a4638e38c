#include "table_file.hpp"

#include <fmt/format.h>

#include <copse/errors.hpp>

namespace copse::cli {

void expect_table_suffix(const std::filesystem::path& path, std::string_view what) {
  const auto suffix = path.extension();
  if (suffix == ".csv" || suffix == ".txt" || path == "-") return;
  throw usage_error{fmt::format("{}: found the suffix {}, expected .csv or .txt for {}", path.string(), suffix.string(), what)};
}

table_file::table_file(const std::filesystem::path& path, std::string_view what, std::initializer_list<std::string_view> header)
    : path_{(expect_table_suffix(path, what), path)}, csv_{path.extension() != ".txt"}, file_{path} {
  if (!csv_ || header.size() == 0) return;
  for (const std::string_view column : header) text(column);
  end_line();
}

table_file& table_file::plain(std::string_view text) {
  if (begun_) pending_ += csv_ ? ',' : '\t';
  begun_ = true;
  pending_ += text;
  return *this;
}

table_file& table_file::text(std::string_view text) {
  if (!csv_) {
    if (text.find_first_of("\t\r\n") != std::string_view::npos)
      throw input_error{fmt::format("{}: found a name with a tab or an end of line, expected .csv", path_.string())};
    return plain(text);
  }
  if (!text.empty() && text.find_first_of(",\"\r\n #%\t") == std::string_view::npos) return plain(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string{"\"\""} : std::string{c};
  return plain(quoted + "\"");
}

table_file& table_file::number(double number) { return plain(fmt::format("{}", number)); }

table_file& table_file::name(const vertex_names& names, std::uint64_t i) {
  return names.what() == vertex_names::kind::strings ? text(names.string(i)) : plain(id_text(names.integer(i), names.is_signed()));
}

void table_file::end_line() {
  pending_ += '\n';
  begun_ = false;
  if (pending_.size() < (std::size_t{1} << 16)) return;
  file_.write(pending_.data(), pending_.size());
  pending_.clear();
}

void table_file::commit() {
  file_.write(pending_.data(), pending_.size());
  pending_.clear();
  file_.commit();
}

}  // namespace copse::cli
