// A small file of text that a command reads whole: results of other commands.
#pragma once
#include <string>

namespace copse::cli {

/// Throws input_error where it cannot be read.
std::string read_text(const std::string& path);

}  // namespace copse::cli
