// Options that several commands share, and how texts of options become values.
#pragma once
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <copse/variants.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "console.hpp"
#include "words.hpp"

namespace copse::cli {

/// Adds an option whose value is `parse(text)`. If that is empty, the option throws usage_error, which says what was `expected`.
template <class Target, class Parse>
CLI::Option* add_parsed(CLI::App& app, const std::string& name, Target& target, const std::string& type, const std::string& help,
                        const std::string& expected, Parse parse) {
  const auto take = [&target, name, expected, parse](const std::string& text) {
    auto value = parse(text);
    if (!value) throw usage_error{fmt::format("{} takes {}, not {}", name, expected, text.empty() ? "an empty text" : text)};
    target = *std::move(value);
  };
  return app.add_option_function<std::string>(name, take, help)->type_name(type);
}

template <class T>
using choices = std::vector<std::pair<std::string_view, T>>;

/// Adds an option whose value is one of a few words.
template <class T, class Target>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Target& target, const choices<T>& words, const std::string& help) {
  std::string type;
  for (const auto& [word, value] : words) type.append(type.empty() ? "" : "|").append(word);
  const auto parse = [words](const std::string& text) -> std::optional<T> {
    for (const auto& [word, value] : words) {
      if (word == text) return value;
    }
    return std::nullopt;
  };
  return add_parsed(app, name, target, type, help, alternatives(words_between(type, '|')), parse);
}

/// Adds an option whose value is the name of a file, or several names.
template <class Target>
CLI::Option* add_file(CLI::App& app, const std::string& name, Target& target, const std::string& help) {
  return app.add_option(name, target, help)->type_name("FILE");
}

/// Parses a number of decimal digits, at most 2^64 - 1; nothing for any other text.
std::optional<std::uint64_t> whole_number(std::string_view text) noexcept;
std::optional<double> finite_number(std::string_view text) noexcept;
/// Parses a weight as files do: infinities are weights, too.
std::optional<double> weight_number(std::string_view text) noexcept;
/// Parses a column: its number, counted from 1, or its name.
std::optional<io::column> one_column(std::string_view text);
/// Parses columns separated by commas. Nothing if one of them occurs twice.
std::optional<std::vector<io::column>> some_columns(std::string_view text);
/// Returns `parse(word)` for all words between commas; nothing if one of them cannot be parsed.
template <class Parse>
auto all_parsed(std::string_view text, Parse parse) {
  std::optional<std::vector<typename std::invoke_result_t<Parse, const std::string&>::value_type>> found{std::in_place};
  for (const std::string& word : comma_separated(text)) {
    const auto value = parse(word);
    if (!value) return decltype(found){};
    found->push_back(*value);
  }
  return found;
}

/// Adds an option whose value is a whole number in [low, high].
template <class Target>
CLI::Option* add_number(CLI::App& app, const std::string& name, Target& target, std::uint64_t low, std::uint64_t high,
                        const std::string& help) {
  const auto parse = [low, high](const std::string& text) -> std::optional<std::uint64_t> {
    const auto number = whole_number(text);
    return number && *number >= low && *number <= high ? number : std::nullopt;
  };
  const std::string expected =
      high == UINT64_MAX ? fmt::format("a whole number from {}", low) : fmt::format("a whole number from {} to {}", low, high);
  return add_parsed(app, name, target, "N", help, expected, [parse](const std::string& text) {
    const auto number = parse(text);
    using value = std::conditional_t<std::is_arithmetic_v<Target>, Target, std::uint64_t>;
    return number ? std::optional<value>{static_cast<value>(*number)} : std::nullopt;
  });
}

/// Adds an option whose value is a size in bytes such as 512M or 4G.
CLI::Option* add_bytes(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& target, const std::string& help);

/// The options --threads, --memory and --progress, which every command on graphs has.
struct run_options {
  unsigned threads = 0;
  std::optional<std::uint64_t> memory_limit_bytes;
  progress_mode progress = progress_mode::automatic;
};
void add_run_options(CLI::App& app, run_options& options);
/// Adds the options of add_run_options() except --threads.
void add_limit_options(CLI::App& app, run_options& options);

/// Adds --output-format, which sets the format of the output regardless of the suffix of its name.
CLI::Option* add_output_format(CLI::App& app, std::string& format, const std::string& known);

/// How a GRAPH is read.
struct input_options {
  std::vector<std::string> graphs;
  io::read_options read;
};
/// Returns the names of all files that are read: the graphs, and the tables of vertices.
std::vector<std::string> files_of(const input_options& options);
/// Adds the positional argument GRAPH, or GRAPH... if `several` edge lists may be given as one graph.
void add_graph(CLI::App& app, input_options& options, bool several, const std::string& name = "GRAPH");
void add_input_options(CLI::App& app, input_options& options);
/// Subsets of the options of add_input_options(). add_table_options() adds those for any table in text: --delimiter, --header, --comment,
/// --trim and --na; add_edge_options() adds --columns, --weight and --min-weight as well.
void add_table_options(CLI::App& app, io::read_options& read, const std::string& missing_help);
void add_edge_options(CLI::App& app, io::read_options& read);
/// Adds --signed, which says that ids in raw pairs are signed.
void add_signed(CLI::App& app, io::read_options& read);
/// Add --ids and --id-delimiter, and the latter alone.
void add_id_kinds(CLI::App& app, io::read_options& read);
void add_id_delimiter(CLI::App& app, io::read_options& read);

/// Returns "csr" for rows and "coo" for a list of edges.
std::string_view to_string(input_kind input) noexcept;

/// Returns the list of formats that can be read, for the help.
std::string formats_text();

}  // namespace copse::cli
