#include "options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace copse::cli {
namespace {

template <class Number>
std::optional<Number> exactly(std::string_view text) noexcept {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc{} && end == text.data() + text.size() ? std::optional{number} : std::nullopt;
}

/// Parses a number of bytes such as `4G`, `512MiB` or `1000`; units are powers of 1024.
std::optional<std::uint64_t> byte_count(std::string_view text) {
  const auto digits_end = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto amount = exactly<double>(text.substr(0, digits_end));
  if (!amount || *amount <= 0) return std::nullopt;
  const std::string_view unit = text.substr(digits_end);
  static constexpr std::string_view prefixes = "KMGTP";
  double factor = 1;
  std::string_view rest = unit;
  if (!rest.empty() && rest != "B") {
    const auto power = prefixes.find(static_cast<char>(std::toupper(static_cast<unsigned char>(rest.front()))));
    if (power == std::string_view::npos) return std::nullopt;
    factor = std::ldexp(1.0, static_cast<int>(10 * (power + 1)));
    rest.remove_prefix(1);
  }
  if (!(rest.empty() || rest == "B" || (rest == "iB" && factor > 1))) return std::nullopt;
  const double bytes = *amount * factor;
  return bytes >= 1 && bytes < 0x1p64 ? std::optional{static_cast<std::uint64_t>(bytes)} : std::nullopt;
}

std::optional<std::array<io::id_columns, 2>> two_columns(std::string_view text) {
  const auto both = some_columns(text);
  if (!both || both->size() != 2) return std::nullopt;
  return std::array{io::id_columns{both->front()}, io::id_columns{both->back()}};
}

std::optional<io::id_columns> columns_of_id(std::string_view text) {
  auto columns = some_columns(text);
  return columns ? std::optional{io::id_columns{std::move(*columns)}} : std::nullopt;
}

/// Parses a delimiter of one byte; `tab` and `\t` mean a tab.
std::optional<char> one_delimiter(std::string_view text) {
  if (text == "tab" || text == "\\t") return '\t';
  return text.size() == 1 ? std::optional{text.front()} : std::nullopt;
}

/// Parses the value of --vertices: `100`, or `1..100` for ids from 1.
std::optional<io::read_options> with_vertices(io::read_options read, std::string_view text) {
  const auto dots = text.find("..");
  if (dots == std::string_view::npos) {
    read.first_vertex = 0;
    read.vertices = whole_number(text);
    return read.vertices ? std::optional{read} : std::nullopt;
  }
  const auto first = whole_number(text.substr(0, dots)), last = whole_number(text.substr(dots + 2));
  if (!first || !last || *last < *first || *last - *first == UINT64_MAX) return std::nullopt;
  read.first_vertex = *first;
  read.vertices = *last - *first + 1;
  return read;
}

/// Parses `FILE` or `FILE:COLUMNS` and adds it to the tables. A text with a colon that names an existing file has no columns.
std::optional<std::vector<io::vertex_table>> with_table(std::vector<io::vertex_table> tables, const std::string& text) {
  const auto colon = text.rfind(':');
  std::error_code ignored;
  if (colon == std::string::npos || std::filesystem::exists(text, ignored)) {
    if (text.empty()) return std::nullopt;
    tables.push_back({.path = text});
    return tables;
  }
  const auto id = columns_of_id(std::string_view{text}.substr(colon + 1));
  if (!id || colon == 0) return std::nullopt;
  tables.push_back({text.substr(0, colon), *id});
  return tables;
}

choices<io::format> known_formats() {
  choices<io::format> known;
  for (auto f = io::format::edges; f <= io::last_format; f = static_cast<io::format>(static_cast<int>(f) + 1))
    known.emplace_back(io::to_string(f), f);
  return known;
}

constexpr const char* reading = "Reading";  // group of the help

}  // namespace

std::optional<io::column> one_column(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text.find_first_not_of("0123456789") != std::string_view::npos) return io::column{std::string{text}};
  const auto number = exactly<unsigned>(text);
  return number && *number != 0 ? std::optional{io::column{*number}} : std::nullopt;
}

std::optional<std::vector<io::column>> some_columns(std::string_view text) {
  std::vector<io::column> columns;
  for (const std::string& word : comma_separated(text)) {
    const auto column = one_column(word);
    if (!column || std::ranges::find(columns, *column) != columns.end()) return std::nullopt;
    columns.push_back(*column);
  }
  return columns;
}

std::optional<std::uint64_t> whole_number(std::string_view text) noexcept { return exactly<std::uint64_t>(text); }

std::optional<double> finite_number(std::string_view text) noexcept {
  const auto number = exactly<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<double> weight_number(std::string_view text) noexcept {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const auto number = exactly<double>(text);
  return number && !std::isnan(*number) ? number : std::nullopt;
}

CLI::Option* add_bytes(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& target, const std::string& help) {
  return add_parsed(app, name, target, "LIMIT", help, "a size such as 512M or 4G",
                    [](const std::string& text) { return byte_count(text); });
}

void add_run_options(CLI::App& app, run_options& options) {
  add_number(app, "--threads", options.threads, 1, 1024, "Threads (default: the cores that this process may use)");
  add_limit_options(app, options);
}

CLI::Option* add_output_format(CLI::App& app, std::string& format, const std::string& known) {
  return add_parsed(app, "--output-format", format, known,
                    "Write this format, whatever the name: for -o - and names without a suffix (default: by suffix)",
                    alternatives(words_between(known, '|')), [known](const std::string& text) {
                      const bool is_known = !text.empty() && ("|" + known + "|").find("|" + text + "|") != std::string::npos;
                      return is_known ? std::optional{text} : std::nullopt;
                    });
}

void add_limit_options(CLI::App& app, run_options& options) {
  add_bytes(app, "--memory", options.memory_limit_bytes,
            "Stop with exit code 3 rather than use more, e.g. 4G (default: what the machine or the container has)");
  add_choice<progress_mode>(app, "--progress", options.progress,
                            {{"auto", progress_mode::automatic}, {"always", progress_mode::always}, {"never", progress_mode::never}},
                            "Show progress on stderr (default auto: on a terminal, after two seconds)");
}

std::vector<std::string> files_of(const input_options& options) {
  std::vector<std::string> files = options.graphs;
  for (const auto& table : options.read.vertex_tables) files.push_back(table.path.string());
  return files;
}

void add_graph(CLI::App& app, input_options& options, bool several, const std::string& name) {
  const std::string help = "A file, - or a generator spec";
  CLI::Option* graph = nullptr;
  if (several) {
    graph = app.add_option(name, options.graphs, help + "; several files of edges are one graph");
  } else {
    graph = app.add_option_function<std::string>(
        name, [&options](const std::string& text) { options.graphs = {text}; }, help);
  }
  graph->type_name("")->required();
}

void add_id_kinds(CLI::App& app, io::read_options& read) {
  using io::id_kind;
  const choices<id_kind> kinds{
      {"auto", id_kind::automatic}, {"int", id_kind::integers}, {"string", id_kind::strings}, {"bytes", id_kind::bytes}};
  add_parsed(app, "--ids", read.ids, "auto|int|string|bytes",
             "How ids of edge lists are read: int, string (UTF-8) or bytes (default auto: string when the first data line is not numeric)",
             "auto, int, string or bytes",
             [kinds](const std::string& text) -> std::optional<id_kind> {
               for (const auto& [word, kind] : kinds) {
                 if (text == word) return kind;
               }
               return text == "integer" ? std::optional{id_kind::integers} : std::nullopt;
             })
      ->group(reading);
}

void add_id_delimiter(CLI::App& app, io::read_options& read) {
  add_parsed(app, "--id-delimiter", read.id_delimiter, "TEXT",
             "What stands between the parts of an id that has several columns; only the last part may hold it (default :)", "a text",
             [](const std::string& text) { return text.empty() ? std::nullopt : std::optional{text}; })
      ->group(reading);
}

void add_table_options(CLI::App& app, io::read_options& read, const std::string& missing_help) {
  add_parsed(app, "--delimiter", read.delimiter, "C",
             "What separates the columns of an edge list: one byte, or tab (default: by the suffix and the first records)",
             "one byte, or tab", one_delimiter)
      ->group(reading);
  add_choice<bool>(app, "--header", read.header, {{"yes", true}, {"no", false}},
                   "Is the first line of an edge list a header? (default: decided by looking)")
      ->group(reading);
  add_parsed(
      app, "--comment", read.comments, "MARKS",
      "Lines of an edge list that begin with one of these bytes are comments (default: # and %, none in CSV; behind the first record "
      "such a line is refused if it splits like a record)",
      "bytes", [](const std::string& text) { return std::optional{text}; })
      ->group(reading);
  add_choice<bool>(app, "--trim", read.trim, {{"yes", true}, {"no", false}},
                   "Are blanks around a field without quotes no part of it? (default yes)")
      ->group(reading);
  add_parsed(app, "--na", read.missing, "A,B,...", missing_help, "words separated by commas", [](const std::string& text) {
    return std::optional{comma_separated(text)};
  })->group(reading);
}

void add_edge_options(CLI::App& app, io::read_options& read) {
  add_table_options(
      app, read,
      "Ids and weights that stand for a missing value (an empty word: an empty field); edges with such an end or weight are dropped, and "
      "counted");
  auto* both =
      add_parsed(app, "--columns", read.columns, "A,B",
                 "The two columns of ids in an edge list, by number from 1 or by name in the header (default: those that the header "
                 "names, such as source and target, otherwise 1,2)",
                 "two different columns such as 1,2 or id_l,id_r", two_columns);
  auto* left = add_parsed(app, "--left", read.columns[0], "A,B,...",
                          "The columns that make the first id of an edge together, as in --left source_l,id_l --right source_r,id_r",
                          "different columns such as source_l,id_l or 1,2", columns_of_id);
  auto* right = add_parsed(app, "--right", read.columns[1], "C,D,...", "The columns that make the second id of an edge together",
                           "different columns such as source_r,id_r or 3,4", columns_of_id);
  left->needs(right)->excludes(both)->group(reading);
  right->needs(left)->excludes(both)->group(reading);
  both->group(reading);
  add_id_delimiter(app, read);
  add_parsed(app, "--weight", read.weight_column, "C",
             "The column of weights in an edge list, by number or name; for --min-weight and the commands that use weights",
             "a column such as 3 or match_probability", one_column)
      ->group(reading);
  add_parsed(app, "--min-weight", read.min_weight, "X", "Keep the edges whose weight is >= X", "a number", weight_number)->group(reading);
}

void add_signed(CLI::App& app, io::read_options& read) {
  app.add_flag("--signed", read.signed_ids, "The ids of .coo and .coo64 are signed (default: unsigned; other formats say it themselves)")
      ->group(reading);
}

void add_input_options(CLI::App& app, input_options& options) {
  io::read_options& read = options.read;
  add_choice<io::format>(app, "--format", read.format, known_formats(), "Format of the input (default: by suffix; - is edges)")
      ->group(reading);
  add_id_kinds(app, read);
  add_signed(app, read);
  add_edge_options(app, read);
  add_parsed(app, "--vertices", read, "N|A..B",
             "The vertices of an edge list are 0 .. N-1, or A .. B; any other id is an error (default: the ids that occur)",
             "a whole number such as 100, or two such as 1..100", [&read](const std::string& text) { return with_vertices(read, text); })
      ->group(reading);
  add_parsed(app, "--vertex-file", read.vertex_tables, "FILE[:C]",
             "Every id in column C (number or name; default unique_id, id or 1) of this table is a vertex, whether an edge names it or "
             "not; C,D,... with --left; "
             "more than once for more tables",
             "a file, or a file and a column such as people.csv:id",
             [&read](const std::string& text) { return with_table(read.vertex_tables, text); })
      ->trigger_on_parse()  // call the function each time the option is given
      ->group(reading);
  for (const std::size_t side : {0u, 1u}) {
    add_parsed(app, side == 0 ? "--prefix-left" : "--prefix-right", read.prefixes[side], "TEXT",
               side == 0 ? "Put before the ids of the first column (and of the first --vertex-file), so that an id of two tables is two "
                           "vertices"
                         : "Put before the ids of the second column (and of the second --vertex-file)",
               "a text", [](const std::string& text) { return text.empty() ? std::nullopt : std::optional{text}; })
        ->group(reading);
  }
}

std::string_view to_string(input_kind input) noexcept { return input == input_kind::csr ? "csr" : "coo"; }

std::string formats_text() {
  std::string text = "Formats, by suffix or --format:";
  for (const auto& [word, f] : known_formats()) text.append(" ").append(word);
  return text + " (.gz and .zst are taken off first).";
}

}  // namespace copse::cli
