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

/// An option whose text `parse` turns into an optional value; nothing means the text is not `expected`.
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

/// An option that is one of a few words.
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

/// An option that names a file, or several.
template <class Target>
CLI::Option* add_file(CLI::App& app, const std::string& name, Target& target, const std::string& help) {
  return app.add_option(name, target, help)->type_name("FILE");
}

/// Decimal digits and nothing else, at most 2^64 - 1.
std::optional<std::uint64_t> whole_number(std::string_view text) noexcept;
std::optional<double> finite_number(std::string_view text) noexcept;
/// Parses a weight as files do: infinities are weights, too.
std::optional<double> weight_number(std::string_view text) noexcept;
/// A number from 1, or the name of a column.
std::optional<io::column> one_column(std::string_view text);
/// Parses one column or several with commas between, none of them twice: an id, or keys.
std::optional<std::vector<io::column>> some_columns(std::string_view text);
/// The words between commas, as `parse` takes them; nothing unless it takes all.
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

/// An option that is a whole number in [low, high].
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

/// An option that is a size such as 512M or 4G.
CLI::Option* add_bytes(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& target, const std::string& help);

/// Threads, memory, progress: what every command that works on a graph takes.
struct run_options {
  unsigned threads = 0;
  std::optional<std::uint64_t> memory_limit_bytes;
  progress_mode progress = progress_mode::automatic;
};
void add_run_options(CLI::App& app, run_options& options);
/// Adds the options of add_run_options() except --threads.
void add_limit_options(CLI::App& app, run_options& options);

/// --output-format: what is written is of this format, whatever the name of the file.
CLI::Option* add_output_format(CLI::App& app, std::string& format, const std::string& known);

/// How a GRAPH is read.
struct input_options {
  std::vector<std::string> graphs;
  io::read_options read;
};
/// Every file that is read: the graphs, and the tables of vertices.
std::vector<std::string> files_of(const input_options& options);
/// The positional GRAPH, or GRAPH... where several edge lists may be given as one graph.
void add_graph(CLI::App& app, input_options& options, bool several, const std::string& name = "GRAPH");
void add_input_options(CLI::App& app, input_options& options);
/// Those of them that say how any table in text is read: --delimiter, --header, --comment, --trim and --na; and those for the records of an
/// edge list: --columns, --weight and --min-weight, too.
void add_table_options(CLI::App& app, io::read_options& read, const std::string& missing_help);
void add_edge_options(CLI::App& app, io::read_options& read);
/// --signed: what raw pairs hold.
void add_signed(CLI::App& app, io::read_options& read);
/// --ids, and --id-delimiter.
void add_id_kinds(CLI::App& app, io::read_options& read);
void add_id_delimiter(CLI::App& app, io::read_options& read);

/// csr or coo.
std::string_view to_string(input_kind input) noexcept;

/// Which formats are read, from the table, for the help.
std::string formats_text();

}  // namespace copse::cli
