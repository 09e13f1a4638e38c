// The option --program of copse bench: other programs take turns with variants of copse.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <regex>
#include <string>
#include <vector>

#include "bench_trials.hpp"

namespace copse::cli {

/// The options of a measured program, as written on the command line.
struct program_options {
  std::vector<std::string> programs, seconds, components;
  double limit_seconds = 600;
};
void add_program_options(CLI::App& command, program_options& options);

/// A program that prints seconds and a number of components.
struct rival_program {
  std::string name, command;
  std::vector<std::regex> seconds, components;  ///< patterns, in the order in which they are tried
  double unit_seconds = 1;                      ///< the unit of numbers that the program prints without a unit, in seconds
  double limit_seconds = 0;

  /// True if its command has a placeholder for the number of threads.
  [[nodiscard]] bool takes_threads() const;
  /// The suffixes of the placeholders in its command, such as `.sg` of {graph.sg}; {graph}, the file of the user, has an empty one. Throws
  /// usage_error for a placeholder in quotes.
  [[nodiscard]] std::vector<std::string> suffixes() const;
  /// Runs the program once. path_of(suffix) must return the file for the placeholder with that suffix (suffixes()). Throws program_failure
  /// if the program fails, or prints no answer.
  [[nodiscard]] solved_once run(unsigned threads, const std::function<std::string(const std::string&)>& path_of) const;
};
/// Parses the options of all programs. Throws usage_error for an option that is wrong.
std::vector<rival_program> programs_of(const program_options& options);

}  // namespace copse::cli
