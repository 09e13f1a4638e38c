// Runs other programs as shell commands, with temporary files for them. If a signal ends copse, programs are killed and files removed.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace copse::cli {

struct finished_program {
  std::string output;  ///< standard output and standard error, interleaved; only the end of a long text
  double seconds = 0;  ///< from its start to its end
  int exit_status = 0;
  int signal = 0;          ///< the signal that ended it, or 0
  bool timed_out = false;  ///< true if it was killed because it took too long
};

/// Runs `command` by /bin/sh, with nothing on its standard input, in a process group of its own. That is killed when the
/// program has ended, or after `limit_seconds`, so that nothing of it runs on. Throws resource_error if no process can be started.
finished_program run_program(const std::string& command, double limit_seconds);

/// A file under the system's folder for temporary files, which a program can be told to read; removed with this object. At most one file of
/// each suffix exists at a time.
class program_file {
public:
  /// Chooses the path of the file, which the caller then writes. Throws input_error if there is no folder for temporary files, usage_error
  /// if 16 objects of this class exist.
  explicit program_file(std::string_view suffix);
  program_file(const program_file&) = delete;
  program_file& operator=(const program_file&) = delete;
  ~program_file();
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
  std::string path_;
  std::size_t place_;
};

// These functions may be called in a signal handler. They kill the program that run_program() runs, and remove the temporary files of all
// program_file objects.

void end_program() noexcept;
void remove_program_files() noexcept;

}  // namespace copse::cli
