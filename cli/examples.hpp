// Three examples for each command, behind its help.
#pragma once
#include <CLI/CLI.hpp>

namespace copse::cli {

/// Puts them at the end of the footer of every command.
void add_examples(CLI::App& app);

}  // namespace copse::cli
