// What completions and the manual page need to know of the tree of commands, read from CLI11's app.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace copse::cli {

struct option_facts {
  std::vector<std::string> spellings;  ///< `-o`, `--output`; empty for a positional
  std::string name;                    ///< the name of a positional, otherwise the longest spelling
  std::string type;                    ///< `FILE`, `min|dense`, nothing for a flag
  std::vector<std::string> words;      ///< what `min|dense` may be; words in capitals are not listed
  std::string description;
  bool required = false;
  bool several = false;  ///< takes all the words that follow
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
