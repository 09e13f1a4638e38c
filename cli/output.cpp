#include "output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <system_error>

#include "io/written_suffix.hpp"

namespace copse::cli {

namespace {

/// Writes the text and returns 0, or the error number if not all of it could be written. Not by stdio, which fails when a signal interrupts
/// it.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t now = ::write(descriptor, text.data(), text.size());
    if (now >= 0) {
      text.remove_prefix(static_cast<std::size_t>(now));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

void write_stdout(std::string_view text) {
  const int reason = write_all(STDOUT_FILENO, text);
  if (reason == 0) return;
  const std::string line = fmt::format("standard output: cannot write {} bytes: {}", text.size(), std::generic_category().message(reason));
  if (reason == ENOSPC || reason == EDQUOT || reason == EFBIG) throw resource_error{line};
  throw input_error{line};
}

void write_stderr(std::string_view text) { static_cast<void>(write_all(STDERR_FILENO, text)); }

void write_report(std::string_view text, const std::vector<std::string>& outputs) {
  std::ranges::count(outputs, "-") == 0 ? write_stdout(text) : write_stderr(text);
}

void require_free_stdout(const std::vector<std::string>& outputs) {
  if (std::ranges::count(outputs, "-") != 0)
    throw usage_error{"--json and an output - cannot both go to standard output: give the output a file"};
}

void require_one_stdin(std::string_view name, std::string_view path, std::string_view other_name, std::string_view other_path) {
  if (path == "-" && other_path == "-") throw usage_error{fmt::format("only one of {} and {} can be standard input (-)", name, other_name)};
}

namespace {

/// Returns the length in bytes of the control character at the beginning of the text: U+0080 to U+009F, or a character that changes the
/// direction of text. Returns 0 if there is none.
std::size_t control_bytes(std::string_view text) {
  const auto byte = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0) return 2;
  if (text.starts_with("\u061C")) return 2;
  if (byte(0) != 0xE2) return 0;
  const unsigned rest = byte(1) << 8 | byte(2);
  const bool turns = rest == 0x808E || rest == 0x808F || (rest >= 0x80AA && rest <= 0x80AE) || (rest >= 0x81A6 && rest <= 0x81A9);
  return turns ? 3 : 0;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (const std::size_t length = control_bytes(text.substr(i)); length > 1) {
      for (const char c : text.substr(i, length)) safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
      i += length - 1;
    } else if (byte < 0x20 || byte == 0x7F) {
      safe += byte == '\n' ? "\\n" : byte == '\r' ? "\\r" : byte == '\t' ? "\\t" : fmt::format("\\x{:02x}", byte);
    } else {
      safe += text[i];
    }
  }
  return safe;
}

namespace {

/// Replaces the names of options in a message of the library, such as `the option header`, by those of the command line, such as --header.
std::string with_flags(std::string_view line) {
  constexpr std::string_view option = "the option ";
  std::string text;
  for (;;) {
    const auto at = line.find(option);
    text += line.substr(0, at);
    if (at == std::string_view::npos) return text;
    text += "--";
    line.remove_prefix(at + option.size());
  }
}

}  // namespace

std::string printable_json(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[i + at]) & 0x3Fu; };
    const std::size_t length = text[i] == '\x7F' ? 1 : control_bytes(text.substr(i));
    if (length == 0) {
      safe += text[i];
      continue;
    }
    const unsigned code = length == 1   ? 0x7F
                          : length == 2 ? (byte(0) & 0x1F) << 6 | byte(1)
                                        : (byte(0) & 0x0F) << 12 | byte(1) << 6 | byte(2);
    safe += fmt::format("\\u{:04x}", code);
    i += length - 1;
  }
  return safe;
}

void complain(std::string_view line) { write_stderr(printable(with_flags(line)) + '\n'); }

namespace {

/// True if the path is an output that keeps what is written to it: false for standard streams, pipes and devices, and if it is empty.
bool is_kept(const std::string& path) {
  std::error_code ignored;
  const auto is = std::filesystem::status(path, ignored).type();
  return !path.empty() && path != "-" && is != std::filesystem::file_type::fifo && is != std::filesystem::file_type::character;
}

bool same_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code ignored;  // ignored: if a file does not exist yet, the paths are compared
  const auto place = [&ignored](const std::string& path) { return fs::weakly_canonical(fs::absolute(path, ignored), ignored); };
  return fs::equivalent(a, b, ignored) || place(a) == place(b);
}

/// True if `file`, which need not exist, is in `folder` or in one of its subfolders.
bool is_inside(const std::string& file, const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return false;
  const fs::path place = fs::weakly_canonical(fs::absolute(file, ignored), ignored), in = fs::canonical(folder, ignored);
  return std::mismatch(in.begin(), in.end(), place.begin(), place.end()).first == in.end();
}

}  // namespace

void require_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  if (std::ranges::count(outputs, "-") > 1) throw usage_error{"two outputs cannot both go to standard output (-): give one of them a file"};
  std::vector<std::string> kept;
  for (const std::string& output : outputs) {
    if (!is_kept(output)) continue;  // opening and closing a pipe here would also end the process that reads it
    for (const std::string& name : inputs) {
      const std::string input = name == "-" ? "/dev/stdin" : name;  // the shell may have redirected it from a file: < edges.txt
      if (is_kept(input) && same_file(output, input))
        throw usage_error{output + ": the output would overwrite the input: give it another name"};
      if (is_inside(output, input))
        throw usage_error{output + ": the output would be one of the input's files: write it outside that folder"};
    }
    for (const std::string& other : kept) {
      if (same_file(output, other)) throw usage_error{output + ": two outputs have this name: give each its own"};
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

bool needs_rows(const std::filesystem::path& output, const std::string& format) { return io::holds_rows(suffix_of(output, format)); }

bool keeps_names(const std::filesystem::path& output, const std::string& format) {
  constexpr std::array<std::string_view, 7> keeping{".el", ".txt", ".csv", ".tsv", ".npy", ".parquet", ".arrow"};
  return std::ranges::find(keeping, suffix_of(output, format)) != keeping.end();
}

std::string name_text(const vertex_names& names, std::uint64_t i) {
  return names.what() == vertex_names::kind::strings ? printable(names.string(i)) : id_text(names.integer(i), names.is_signed());
}

}  // namespace copse::cli
