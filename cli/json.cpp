#include "json.hpp"

#include <cerrno>
#include <cmath>
#include <copse/errors.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "output.hpp"

namespace copse::cli {
namespace {
std::string remembered;

void name_what_is_no_number(json& value) {
  if (value.is_structured()) {
    for (json& part : value) name_what_is_no_number(part);
  } else if (value.is_number_float() && !std::isfinite(value.get<double>())) {
    const double number = value.get<double>();
    value = std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
  }
}

}  // namespace

void remember_command(int argc, const char* const* argv) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+.,:/@%^";
  remembered = "copse";
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    remembered += ' ';
    if (!argument.empty() && argument.find_first_not_of(plain) == std::string_view::npos) {
      remembered += argument;
      continue;
    }
    remembered += '\'';
    for (const char c : argument) remembered += c == '\'' ? std::string{"'\\''"} : std::string{c};
    remembered += '\'';
  }
}
const std::string& command_text() { return remembered; }

json name_json(const vertex_names& names, std::uint64_t i) {
  if (names.what() == vertex_names::kind::strings) return std::string{names.string(i)};
  if (names.is_signed()) return static_cast<std::int64_t>(names.integer(i));
  return names.integer(i);
}

json component_json(const component& c, const vertex_names& names) {
  if (c.size == 0) return nullptr;
  return {{"label", name_json(names, c.label)}, {"size", c.size}};
}

json histogram_json(const std::vector<std::uint64_t>& histogram) {
  json bins = json::array();
  for (std::size_t b = 0; b < histogram.size(); ++b) {
    if (histogram[b] == 0) continue;
    const std::uint64_t low = std::uint64_t{1} << b;
    bins.push_back({{"min_size", low}, {"max_size", low + (low - 1)}, {"components", histogram[b]}});
  }
  return bins;
}

json phases_json(std::span<const phase> phases) {
  json seconds = json::object();
  for (const phase& p : phases) seconds[std::string{p.name}] = p.seconds;
  return seconds;
}

void print_json(json object) {
  name_what_is_no_number(object);
  write_stdout(printable_json(object.dump(2, ' ', false, json::error_handler_t::replace)) + "\n");
}

std::string read_text(const std::string& path) {
  std::error_code unknown;  // ignored: opening the file reports the error
  if (std::filesystem::is_directory(path, unknown)) throw input_error::at(path, 0, "a directory", "a file");
  errno = 0;
  std::ifstream file{path, std::ios::binary};
  const int reason = errno;
  if (!file && (reason == ENOENT || reason == ENOTDIR)) throw input_error{path + ": no such file"};
  if (!file) throw input_error{path + ": cannot be opened: " + std::generic_category().message(reason)};
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

}  // namespace copse::cli
