#include "bench_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <copse/errors.hpp>
#include <copse/variants.hpp>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "options.hpp"
#include "output.hpp"
#include "program.hpp"
#include "shell.hpp"

namespace copse::cli {
namespace {

// Matches the number right after `time`, `elapsed` or `seconds`, followed by a known unit or by no text. A line with such a word and a
// number elsewhere matches with an empty group, so that it is refused rather than passed over.
constexpr std::string_view usual_seconds[]{
    R"(^(?:.*?(?:time|elapsed|seconds)[\s:=]*([0-9]*\.?[0-9]+(?:e[+-]?[0-9]+)?))"
    R"((?:\s*(ns|us|ms|s)(?:ecs?|econds?)?(?![a-z0-9_/])|(?!\s*[^\s,;.)]|[.,:][0-9]))|.*(?:time|elapsed|seconds).*[0-9]))"};
// The usual ways to print a number of components: the number before the word, or behind it.
constexpr std::string_view usual_components[]{R"(([0-9]+)\s+(?:[a-z]+\s+){0,2}components?)", R"(components?[^0-9]*([0-9]+))"};
constexpr std::size_t longest_line = 1000;  // the rest of a line is ignored: std::regex recurses

std::regex compiled(const std::string& option, const std::string& text) {
  try {
    std::regex pattern{text, std::regex::ECMAScript | std::regex::icase};
    if (pattern.mark_count() == 0)
      throw usage_error{
          fmt::format("{}: {} has no group in parentheses; write one around the number, as in Time: ([0-9.]+)", option, text)};
    return pattern;
  } catch (const std::regex_error& problem) {
    throw usage_error{fmt::format("{}: {} is not a regular expression ({})", option, text, problem.what())};
  }
}

/// Splits `NAME: rest` into its two parts; nothing if the text does not have this form.
std::optional<std::pair<std::string, std::string>> named(const std::string& text) {
  const auto is_letter = [](unsigned char c) { return std::isalnum(c) != 0 || std::strchr("_.+-", c) != nullptr; };
  const auto end = std::ranges::find_if_not(text, is_letter);
  if (end == text.begin() || end == text.end() || *end != ':') return std::nullopt;
  const auto rest = std::find_if(end + 1, text.end(), [](char c) { return c != ' '; });
  if (rest == text.end()) return std::nullopt;
  return std::pair{std::string{text.begin(), end}, std::string{rest, text.end()}};
}

std::optional<double> unit_named(const std::string& name) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{{{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}};
  for (const auto& [unit, seconds] : units) {
    if (name == unit) return seconds;
  }
  return std::nullopt;
}

/// Returns the text that applies to `program`: the last one that begins with its name, otherwise the last one without a name.
std::optional<std::string> meant_for(const std::string& program, const std::vector<std::string>& given,
                                     const std::vector<rival_program>& programs) {
  std::optional<std::string> of_all, own;
  for (const std::string& text : given) {
    const auto parts = named(text);
    const bool is_named = parts && std::ranges::count(programs, parts->first, &rival_program::name) != 0;
    if (!is_named) of_all = text;
    if (is_named && parts->first == program) own = parts->second;
  }
  return own ? own : of_all;
}

std::vector<std::regex> compiled(const std::string& option, const std::optional<std::string>& text,
                                 std::span<const std::string_view> usual) {
  if (text) return {compiled(option, *text)};
  std::vector<std::regex> patterns;
  for (const std::string_view pattern : usual) patterns.push_back(compiled(option, std::string{pattern}));
  return patterns;
}

/// Replaces each {word} of the command by what text_of(word, place) returns, unless it returns nothing. Text in comments is not replaced.
template <class F>
std::string filled(std::string_view command, F text_of) {
  shell_reader reader;
  std::string line;
  while (!command.empty()) {
    const auto place = reader.where();
    const std::size_t close = command.front() == '{' ? command.find('}') : std::string_view::npos;
    std::optional<std::string> text;
    if (close != std::string_view::npos) text = text_of(std::string{command.substr(1, close - 1)}, place);
    const std::size_t length = reader.pass(text ? "x" : command);  // the shell sees the replacement as a part of a word, like `x`
    const std::string_view taken = command.substr(0, text ? close + 1 : length);
    line.append(text && place != shell_reader::place::comment ? *text : taken);
    command.remove_prefix(taken.size());
  }
  return line;
}

/// The suffix in a placeholder: `.sg` for `graph.sg`, empty for `graph`; nothing if the word is not a placeholder of the graph.
std::optional<std::string> suffix_in(const std::string& word) {
  constexpr std::string_view graph = "graph";
  if (word == graph || word.starts_with("graph.")) return word.substr(graph.size());
  return std::nullopt;
}

/// The groups of the first pattern that matches any line, from the last line that it matches.
std::optional<std::vector<std::string>> last_match(std::string_view output, const std::vector<std::regex>& patterns) {
  for (const std::regex& pattern : patterns) {
    for (std::size_t end = output.size();;) {
      const std::size_t before = end == 0 ? std::string_view::npos : output.rfind('\n', end - 1);
      const std::size_t first = before == std::string_view::npos ? 0 : before + 1;
      const std::string line{output.substr(first, std::min(end - first, longest_line))};
      if (std::smatch groups; std::regex_search(line, groups, pattern)) return std::vector<std::string>{groups.begin() + 1, groups.end()};
      if (first == 0) break;
      end = before;
    }
  }
  return std::nullopt;
}

std::string last_line(std::string_view output) {
  while (!output.empty() && (output.back() == '\n' || output.back() == '\r')) output.remove_suffix(1);
  const std::size_t start = output.rfind('\n');
  output = output.substr(start == std::string_view::npos ? 0 : start + 1, 200);
  return output.empty() ? "it printed nothing" : fmt::format("its last line: {}", output);
}

double seconds_in(std::string_view output, const rival_program& program) {
  const auto groups = last_match(output, program.seconds);
  if (!groups || groups->front().empty())
    throw program_failure{fmt::format("it printed no line with seconds that --program-seconds finds; {}", last_line(output))};
  const auto number = finite_number(groups->front());
  const auto unit = groups->size() > 1 && !(*groups)[1].empty() ? unit_named((*groups)[1]) : program.unit_seconds;
  if (!number || !unit || *number < 0)
    throw program_failure{fmt::format("it printed {} for seconds, which is not a number with s, ms, us or ns", fmt::join(*groups, " "))};
  if (*number == 0) throw program_failure{"it printed 0 for seconds: the run is shorter than its clock can tell"};
  return *number * *unit;
}

std::uint64_t components_in(std::string_view output, const std::vector<std::regex>& patterns) {
  const auto groups = last_match(output, patterns);
  if (!groups)
    throw program_failure{
        fmt::format("it printed no line with a number of components that --program-components finds; {}", last_line(output))};
  const auto number = whole_number(groups->front());
  if (!number)
    throw program_failure{fmt::format("it printed {} for the number of components, which is not a whole number", groups->front())};
  return *number;
}

}  // namespace

bool rival_program::takes_threads() const { return command.find("{threads}") != std::string::npos; }

std::vector<std::string> rival_program::suffixes() const {
  std::vector<std::string> found;
  filled(command, [&](const std::string& word, shell_reader::place place) {
    const auto suffix = suffix_in(word);
    if (suffix && place == shell_reader::place::quoted)
      throw usage_error{fmt::format(
          "--program {}: {{{}}} must not stand in quotes, in backquotes, in ${{}} or behind <<: copse puts quotes around the name of "
          "the file",
          name, word)};
    if (suffix && std::ranges::count(found, *suffix) == 0) found.push_back(*suffix);
    return suffix;
  });
  return found;
}

solved_once rival_program::run(unsigned threads, const std::function<std::string(const std::string&)>& path_of) const {
  const std::string line = filled(command, [&](const std::string& word, shell_reader::place) -> std::optional<std::string> {
    if (word == "threads") return std::to_string(threads);
    if (const auto suffix = suffix_in(word)) return quoted_for_shell(path_of(*suffix));
    return std::nullopt;
  });
  const finished_program ended = run_program(line, limit_seconds);
  if (ended.timed_out) throw program_failure{fmt::format("it did not end within {:g} s; {}", limit_seconds, last_line(ended.output))};
  if (ended.signal != 0) throw program_failure{fmt::format("signal {} ended it; {}", ended.signal, last_line(ended.output))};
  if (ended.exit_status != 0)
    throw program_failure{fmt::format("it ended with exit status {}; {}", ended.exit_status, last_line(ended.output))};
  const double said = seconds_in(ended.output, *this);
  if (said > ended.seconds)
    throw program_failure{
        fmt::format("it printed {:g} s, but ran for {:.3g} s only: a second group of --program-seconds can match the unit, such as ms",
                    said, ended.seconds)};
  return {.ran = name, .seconds = said, .components = components_in(ended.output, components)};
}

std::vector<rival_program> programs_of(const program_options& options) {
  std::vector<rival_program> programs;
  for (const std::string& text : options.programs) {
    auto parts = named(text);
    if (!parts) throw usage_error{fmt::format("--program takes NAME: COMMAND, such as gapbs: ./cc -f {{graph.sg}} -n 1 -a, not {}", text)};
    rival_program program{.name = std::move(parts->first), .command = std::move(parts->second), .seconds = {}, .components = {}};
    program.limit_seconds = options.limit_seconds;
    if (program.suffixes().empty())
      throw usage_error{fmt::format("--program {}: write {{graph}} in its command where the program takes its file", program.name)};
    if (std::ranges::count(programs, program.name, &rival_program::name) != 0 || is_chooser(program.name) ||
        !variants_matching(program.name).empty())
      throw usage_error{fmt::format("--program: {} is the name of a variant or of another program; give it another name", program.name)};
    programs.push_back(std::move(program));
  }
  for (rival_program& program : programs) {
    auto seconds = meant_for(program.name, options.seconds, programs);
    if (const auto parts = seconds ? named(*seconds) : std::nullopt; parts && unit_named(parts->first)) {
      program.unit_seconds = *unit_named(parts->first);
      seconds = parts->second;
    }
    program.seconds = compiled("--program-seconds", seconds, usual_seconds);
    program.components = compiled("--program-components", meant_for(program.name, options.components, programs), usual_components);
  }
  return programs;
}

void add_program_options(CLI::App& command, program_options& options) {
  const std::string group = "Other programs";
  const auto add = [&](const std::string& name, std::vector<std::string>& target, const std::string& type, const std::string& help) {
    command.add_option(name, target, help)->type_name(type)->allow_extra_args(false)->group(group);
  };
  add("--program", options.programs, "'NAME: COMMAND'",
      "Let a program take turns with the variants; may be given several times. The shell runs COMMAND, with the graph's file for {graph} "
      "(write it without quotes: copse adds them), a temporary copy in another format for {graph.sg} (or a suffix that copse convert "
      "writes), and a number of threads for {threads}. Its number of components is compared with copse's, and the seconds that it prints "
      "are the sample");
  add("--program-seconds", options.seconds, "REGEX",
      "Where programs print seconds: the first group on the last line that matches, in the unit of the second group, s, ms, us or ns. With "
      "NAME: before it, for one program, and with ms: before it, in that unit (default: the number right behind time, elapsed or seconds, "
      "with such a unit or none)");
  add("--program-components", options.components, "REGEX",
      "Where programs print the number of components, likewise (default: the number before or behind the word component)");
  add_parsed(command, "--program-limit", options.limit_seconds, "SECONDS",
             "Kill a program that runs longer, and count it as failed (default 600)", "a positive number of seconds",
             [](const std::string& text) {
               const auto number = finite_number(text);
               return number && *number > 0 ? number : std::nullopt;
             })
      ->group(group);
}

}  // namespace copse::cli
