#include "options.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace copse::cli {
namespace {

template <class Number>
std::optional<Number> exactly(std::string_view text) noexcept {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc{} && end == text.data() + text.size() ? std::optional{number} : std::nullopt;
}

/// `4G`, `512MiB`, `1000`: powers of 1024.
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

std::optional<std::array<unsigned, 2>> two_columns(std::string_view text) {
  const auto comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto first = exactly<unsigned>(text.substr(0, comma));
  const auto second = exactly<unsigned>(text.substr(comma + 1));
  if (!first || !second || *first == 0 || *second == 0 || *first == *second) return std::nullopt;
  return std::array{*first, *second};
}

choices<io::format> known_formats() {
  choices<io::format> known;
  for (auto f = io::format::edges; f <= io::format::coo; f = static_cast<io::format>(static_cast<int>(f) + 1))
    known.emplace_back(io::to_string(f), f);
  return known;
}

}  // namespace

std::optional<std::uint64_t> whole_number(std::string_view text) noexcept { return exactly<std::uint64_t>(text); }

std::optional<double> finite_number(std::string_view text) noexcept {
  const auto number = exactly<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::vector<std::string> comma_separated(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

CLI::Option* add_bytes(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& target, const std::string& help) {
  return add_parsed(app, name, target, "LIMIT", help, "a size such as 512M or 4G",
                    [](const std::string& text) { return byte_count(text); });
}

void add_run_options(CLI::App& app, run_options& options) {
  add_number(app, "--threads", options.threads, 1, 65536, "Threads (default: the cores that this process may use)");
  add_limit_options(app, options);
}

void add_limit_options(CLI::App& app, run_options& options) {
  add_bytes(app, "--memory", options.memory_limit_bytes,
            "Stop with exit code 3 rather than use more, e.g. 4G (default: what the machine or the container has)");
  add_choice<progress_mode>(app, "--progress", options.progress,
                            {{"auto", progress_mode::automatic}, {"always", progress_mode::always}, {"never", progress_mode::never}},
                            "Show progress on stderr (default auto: on a terminal, after two seconds)");
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

void add_input_options(CLI::App& app, input_options& options) {
  io::read_options& read = options.read;
  const std::string reading = "Reading";
  add_choice<io::format>(app, "--format", read.format, known_formats(), "Format of the input (default: by suffix; - is edges)")
      ->group(reading);
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
  add_parsed(app, "--columns", read.columns, "A,B", "The two columns of ids in an edge list, from 1 (default 1,2)",
             "two different columns such as 1,2", [](const std::string& text) { return two_columns(text); })
      ->group(reading);
  add_number(app, "--weight", read.weight_column, 1, UINT32_MAX, "The column of weights in an edge list, from 1")
      ->type_name("C")
      ->group(reading);
  add_parsed(app, "--min-weight", read.min_weight, "X", "Keep the edges whose weight is >= X", "a number", finite_number)->group(reading);
  add_choice<bool>(app, "--header", read.header, {{"yes", true}, {"no", false}},
                   "Is the first line of an edge list a header? (default: decided by looking)")
      ->group(reading);
  add_number(app, "--vertices", read.vertices, 0, UINT64_MAX,
             "The vertices of an edge list are 0 .. N-1; any other id is an error (default: the ids that occur)")
      ->group(reading);
}

std::string formats_text() {
  std::string text = "Formats, by suffix or --format:";
  for (const auto& [word, f] : known_formats()) text.append(" ").append(word);
  return text + " (.gz and .zst are taken off first).";
}

}  // namespace copse::cli
