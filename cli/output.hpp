// The output of the process: the only functions that write to stdout and stderr, the exit codes, and the stopwatch and median for reported
// times.
#pragma once
#include <algorithm>
#include <chrono>
#include <copse/graph.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes_text.hpp"

namespace copse::cli {

/// The exit codes of the command.
enum exit_code : int {
  done = 0,
  check_failed = 1,     ///< a labelling is wrong
  misuse = 2,           ///< a bad call, a bad input, a file that cannot be opened or created
  out_of_resources = 3  ///< memory, disk or ids ran out
};

/// Writes and flushes; throws resource_error when the disk behind stdout is full, input_error for any other refusal.
void write_stdout(std::string_view text);

/// Writes to stderr; errors are ignored.
void write_stderr(std::string_view text);

/// Writes the summary of a command: to standard output, or to standard error if one of the outputs is standard output.
void write_report(std::string_view text, const std::vector<std::string>& outputs);
/// Throws usage_error where --json and an output are both for standard output.
void require_free_stdout(const std::vector<std::string>& outputs);
/// Throws usage_error where two inputs, given by their names in the usage and their paths, are both standard input.
void require_one_stdin(std::string_view name, std::string_view path, std::string_view other_name, std::string_view other_path);

/// Returns the text with escapes such as `\x1b` or `\n` in place of control characters, which include line ends and characters that change
/// the direction of text: so text from an input can neither control the terminal nor look like a line of copse.
std::string printable(std::string_view text);

/// Returns JSON with the same values in which control characters are written as escapes such as `\u202e`.
std::string printable_json(std::string_view text);

/// Prints one line on stderr, with control characters escaped.
void complain(std::string_view line);

/// Checks the files that a command writes (empty if not asked for) and reads. Throws usage_error when two of them are one file, under
/// whatever names: an input would be overwritten, or an output lost; and input_error now, rather than after an hour of work, when one
/// cannot be created.
void require_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs = {});

/// Returns the suffix that decides the format of an output: --output-format if it is given, otherwise the suffix of the name without .gz or
/// .zst. "-" is text.
std::string suffix_of(const std::filesystem::path& output, const std::string& format = "");

/// True if the format holds rows, so that a list of edges must be built into rows first.
bool needs_rows(const std::filesystem::path& output, const std::string& format = "");

/// True if the format keeps ids as they are instead of numbering the vertices anew.
bool keeps_names(const std::filesystem::path& output, const std::string& format = "");

/// Returns the name of vertex i in its input, with control characters escaped.
std::string name_text(const vertex_names& names, std::uint64_t i);

class stopwatch {
public:
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The median, which is what copse prints for times. Precondition: there is a sample.
inline double median(std::vector<double> samples) {
  std::ranges::sort(samples);
  const std::size_t n = samples.size();
  return n % 2 == 1 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
}

}  // namespace copse::cli
