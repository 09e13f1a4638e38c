// The whole command line as one tree, from which parsing, help, completions and the manual page follow.
#pragma once
#include <CLI/CLI.hpp>
#include <memory>

#include "commands.hpp"

namespace copse::cli {

/// `chosen` must live as long as the app.
std::unique_ptr<CLI::App> make_app(action& chosen);

/// Parses and runs; every error becomes one line on stderr and an exit code.
int run(int argc, const char* const* argv);

}  // namespace copse::cli
