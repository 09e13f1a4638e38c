// What is known of files without reading them.
#pragma once
#include <copse/io.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace copse::plan {

std::uint64_t bytes_of_files(std::span<const std::filesystem::path> paths);

/// True if one of the paths is standard input, a pipe or a terminal.
bool is_read_once(std::span<const std::filesystem::path> paths);

/// True if the files store rows: parsing them counts arcs, of which there are two per edge.
bool lists_rows(std::span<const std::filesystem::path> paths, const io::read_options& input);

/// Returns why `auto` takes the CPU for these files without estimating their sizes; empty if it estimates them.
std::string hidden(std::span<const std::filesystem::path> paths, const io::read_options& input);

}  // namespace copse::plan
