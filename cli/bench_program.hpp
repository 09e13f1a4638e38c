// Programs that are not copse in the table of copse bench: bench --program.
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
  std::vector<std::regex> seconds, components;  ///< in the order in which they are tried
  double unit_seconds = 1;                      ///< the unit of what is printed without one
  double limit_seconds = 0;

  /// Whether its command has a place for the number of threads.
  [[nodiscard]] bool takes_threads() const;
  /// The suffixes of the formats that it reads, as in {graph.sg}; "" is the file of the user. Throws usage_error for one in quotes.
  [[nodiscard]] std::vector<std::string> suffixes() const;
  /// Runs the program once. `path_of` is called with each of the suffixes. Throws program_failure if there is no answer.
  [[nodiscard]] solved_once run(unsigned threads, const std::function<std::string(const std::string&)>& path_of) const;
};
/// Throws usage_error for what makes no sense.
std::vector<rival_program> programs_of(const program_options& options);

}  // namespace copse::cli
