// JSON as `--json` prints it: keys in a fixed order, names of vertices as numbers or strings.
#pragma once
#include <copse/graph.hpp>
#include <copse/labels.hpp>
#include <copse/report.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace copse::cli {

using json = nlohmann::ordered_json;

/// The name of vertex i: a number, or a string if ids are strings.
json name_json(const vertex_names& names, std::uint64_t i);
/// {label, size}; null when there is no component.
json component_json(const component& c, const vertex_names& names);
/// [{min_size, max_size, components} ..], sizes 1, 2-3, 4-7, ..; bins without components are left out.
json histogram_json(const std::vector<std::uint64_t>& histogram);
/// {name: seconds ..}
json phases_json(std::span<const phase> phases);
/// Stores the command as the user called it, for results that include it. Arguments with special characters are quoted.
void remember_command(int argc, const char* const* argv);
const std::string& command_text();
/// Prints one object on stdout. Bytes that are not UTF-8 become U+FFFD; numbers that JSON lacks become the strings inf, -inf and nan, which
/// Python's float(), C's strtod() and the CSV outputs know, too.
void print_json(json object);

/// The text of a small file, such as results of other commands. Throws input_error where it cannot be read.
std::string read_text(const std::string& path);

}  // namespace copse::cli
