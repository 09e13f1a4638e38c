// Tables of shares as JSON: what `copse tune` writes and solves by hybrid read.
#pragma once
#include <copse/hybrid.hpp>
#include <filesystem>
#include <optional>

namespace copse::cli {

/// $XDG_CONFIG_HOME/copse/hybrid.json, or ~/.config/copse/hybrid.json; empty where neither variable is set.
std::filesystem::path share_file_path();

/// The folder is made if there is none. A file called `.inc` is written as src/hybrid/shipped_shares.inc has it.
void write_shares(const share_table& table, const std::filesystem::path& path);

/// Throws input_error, with the file and what is wrong in it.
share_table read_shares(const std::filesystem::path& path);

/// The table at share_file_path(), if there is one.
std::optional<share_table> user_shares();

}  // namespace copse::cli
