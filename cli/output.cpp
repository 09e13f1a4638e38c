#include "output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <cstdio>
#include <system_error>

namespace copse::cli {

void write_stdout(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return;
  const int reason = errno;
  const std::string line =
      fmt::format("standard output: found {}, expected to write {} bytes", std::generic_category().message(reason), text.size());
  if (reason == ENOSPC || reason == EDQUOT || reason == EFBIG) throw resource_error{line};
  throw input_error{line};
}

void write_report(std::string_view text, const std::vector<std::string>& outputs) {
  if (std::ranges::count(outputs, "-") == 0) return write_stdout(text);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void require_free_stdout(const std::vector<std::string>& outputs) {
  if (std::ranges::count(outputs, "-") != 0) throw usage_error{"--json: found an output -, expected only one of them on standard output"};
}

std::string printable(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {  // the control characters above ASCII, in UTF-8
      safe += fmt::format("\\x{:02x}\\x{:02x}", byte, next);
      ++i;
    } else if (byte < 0x20 || byte == 0x7F) {
      safe += byte == '\n' ? "\\n" : byte == '\r' ? "\\r" : byte == '\t' ? "\\t" : fmt::format("\\x{:02x}", byte);
    } else {
      safe += text[i];
    }
  }
  return safe;
}

void complain(std::string_view line) {
  const std::string safe = printable(line) + '\n';
  std::fwrite(safe.data(), 1, safe.size(), stderr);
}

namespace {

/// A file that keeps what is written to it: no standard stream, pipe or device.
bool is_kept(const std::string& path) {
  std::error_code ignored;
  const auto is = std::filesystem::status(path, ignored).type();
  return !path.empty() && path != "-" && is != std::filesystem::file_type::fifo && is != std::filesystem::file_type::character;
}

bool same_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code ignored;  // where one does not exist yet, names decide
  const auto place = [&ignored](const std::string& path) { return fs::weakly_canonical(fs::absolute(path, ignored), ignored); };
  return fs::equivalent(a, b, ignored) || place(a) == place(b);
}

}  // namespace

void require_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  if (std::ranges::count(outputs, "-") > 1) throw usage_error{"-: found it for two outputs, expected a file for one of them"};
  std::vector<std::string> kept;
  for (const std::string& output : outputs) {
    if (!is_kept(output)) continue;  // and opening a pipe only to close it again would end whoever reads it
    for (const std::string& name : inputs) {
      const std::string input = name == "-" ? "/dev/stdin" : name;  // a shell may have opened a file there: < edges.txt
      if (is_kept(input) && same_file(output, input))
        throw usage_error{output + ": found the input's own file, expected another for the output"};
    }
    for (const std::string& other : kept) {
      if (same_file(output, other)) throw usage_error{output + ": found it for two outputs, expected a file for each"};
    }
    kept.push_back(output);
  }
  for (const std::string& output : kept) io::output_file{output};
}

std::string suffix_of(const std::filesystem::path& output, const std::string& format) {
  if (!format.empty()) return "." + format;
  if (output == "-") return ".txt";
  const bool packed = output.extension() == ".gz" || output.extension() == ".zst";
  return std::filesystem::path{packed ? output.stem() : output.filename()}.extension().string();
}

bool needs_rows(const std::filesystem::path& output, const std::string& format) {
  const std::string suffix = suffix_of(output, format);
  return suffix == ".sg" || suffix == ".egr";
}

bool keeps_names(const std::filesystem::path& output, const std::string& format) {
  constexpr std::array<std::string_view, 5> keeping{".el", ".txt", ".csv", ".tsv", ".npy"};
  return std::ranges::find(keeping, suffix_of(output, format)) != keeping.end();
}

std::string bytes_text(std::uint64_t bytes) {
  static constexpr std::array<std::string_view, 6> units{"B", "kB", "MB", "GB", "TB", "PB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1000 && unit + 1 < units.size(); ++unit) amount /= 1000;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", amount, units[unit]);
}

std::string name_text(const vertex_names& names, std::uint64_t i) {
  return names.what() == vertex_names::kind::strings ? printable(names.string(i)) : std::to_string(names.integer(i));
}

}  // namespace copse::cli
