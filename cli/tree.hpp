// The commands and options that completions and the manual page list, read from CLI11's app.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace copse::cli {

struct option_facts {
  std::vector<std::string> spellings;  ///< such as `-o` and `--output`; empty for a positional argument
  std::string name;                    ///< the name of a positional argument, or the longest spelling of an option
  std::string type;                    ///< such as `FILE` or `min|dense`; empty for a flag
  std::vector<std::string> words;      ///< `min` and `dense` for the type `min|dense`; empty for a type such as `FILE`
  std::string description;
  bool required = false;
  bool several = false;  ///< true if it takes all following words as values
};

std::vector<option_facts> options_of(const CLI::App& command);
std::vector<option_facts> positionals_of(const CLI::App& command);
std::vector<const CLI::App*> commands_of(const CLI::App& app);

/// A command and the words that lead to it: `verify`, `bench compare`.
struct command_path {
  std::string words;
  const CLI::App* command;
};
/// All commands, each before those below it.
std::vector<command_path> paths_of(const CLI::App& app);

}  // namespace copse::cli
