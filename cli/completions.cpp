// The command copse completions, which writes the completions of commands, options and their values for a shell.
#include <fmt/format.h>

#include <copse/variants.hpp>
#include <cstdint>

#include "commands.hpp"
#include "options.hpp"
#include "output.hpp"
#include "tree.hpp"

namespace copse::cli {
namespace {

enum class shell : std::uint8_t { bash, zsh, fish };

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const auto& word : words) text.append(text.empty() ? "" : between).append(word);
  return text;
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const auto* command : commands) names.push_back(command->get_name());
  return names;
}

/// Quotes a text as '...'; `escaped_quote` is how the shell writes a quote inside.
std::string quoted(std::string_view text, std::string_view escaped_quote) {
  std::string safe = "'";
  for (const char c : text) {
    if (c == '\'') {
      safe += escaped_quote;
    } else {
      safe += c;
    }
  }
  return safe + "'";
}

std::vector<std::string> all_spellings(const CLI::App& command) {
  std::vector<std::string> words;
  for (const auto& option : options_of(command)) words.insert(words.end(), option.spellings.begin(), option.spellings.end());
  return words;
}

/// The choosers, such as auto, which --variant and --variants accept in addition to the names of variants.
std::string choosers_text() {
  std::string text;
  for (const auto chooser : choosers()) text.append(chooser).append(" ");
  return text;
}

std::string bash_text(const CLI::App& app) {
  std::string text =
      "# bash completion for copse, written by copse completions bash\n"
      "_copse() {\n"
      "  local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\" command=\"${COMP_WORDS[1]}\"\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
  text += fmt::format("    COMPREPLY=( $(compgen -W \"{} {}\" -- \"$word\") )\n    return\n  fi\n", joined(names_of(commands_of(app)), " "),
                      joined(all_spellings(app), " "));
  for (const auto* command : commands_of(app)) {
    for (const auto* below : commands_of(*command)) {
      text += fmt::format("  [ \"$COMP_CWORD\" -gt 2 ] && [ \"$command ${{COMP_WORDS[2]}}\" = \"{0} {1}\" ] && command=\"{0} {1}\"\n",
                          command->get_name(), below->get_name());
    }
  }
  text += "  case \"$command $before\" in\n";
  for (const auto& [path, command] : paths_of(app)) {
    for (const auto& option : options_of(*command)) {
      if (!option.words.empty()) {
        text += fmt::format("    \"{} {}\") COMPREPLY=( $(compgen -W \"{}\" -- \"$word\") ); return ;;\n", path, option.name,
                            joined(option.words, " "));
      }
    }
    // The first word after a command may be one of its subcommands, or a value of its first positional argument.
    auto words = names_of(commands_of(*command));
    for (const auto& positional : positionals_of(*command)) words.insert(words.end(), positional.words.begin(), positional.words.end());
    if (!words.empty()) {
      text += fmt::format("    \"{} {}\") COMPREPLY=( $(compgen{} -W \"{}\" -- \"$word\") ); {};;\n", path, command->get_name(),
                          commands_of(*command).empty() ? "" : " -f", joined(words, " "),
                          commands_of(*command).empty() ? "return " : "[[ \"$word\" == -* ]] || return ");
    }
  }
  text += fmt::format(
      "    *\" --variant\"|*\" --variants\") COMPREPLY=( $(compgen -W \"{}$(copse variants 2> /dev/null | cut -d' ' -f1)\" -- \"$word\") "
      "); return ;;\n"
      "  esac\n",
      choosers_text());
  text += "  if [[ \"$word\" == -* ]]; then\n    case \"$command\" in\n";
  for (const auto& [path, command] : paths_of(app)) {
    text += fmt::format("      \"{}\") COMPREPLY=( $(compgen -W \"{}\" -- \"$word\") ) ;;\n", path, joined(all_spellings(*command), " "));
  }
  return text + "    esac\n    return\n  fi\n  COMPREPLY=( $(compgen -f -- \"$word\") )\n}\ncomplete -o filenames -F _copse copse\n";
}

/// Escapes a description for a zsh specification, in which : [ ] and quotes are special.
std::string zsh_description(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

std::string zsh_argument(const option_facts& facts) {
  if (!facts.words.empty()) return fmt::format(":{}:({})", zsh_description(facts.type), joined(facts.words, " "));
  return fmt::format(":{}:_files", zsh_description(facts.type.empty() ? facts.name : facts.type));
}

std::string zsh_arguments(const CLI::App& command, const std::string& indent) {
  std::string text = indent + "_arguments -s";
  for (const auto& option : options_of(command)) {
    for (const auto& spelling : option.spellings) {
      const std::string argument = option.type.empty() ? "" : zsh_argument(option);
      text += fmt::format(" \\\n{}  {}", indent,
                          quoted(fmt::format("{}[{}]{}", spelling, zsh_description(option.description), argument), "'\\''"));
    }
  }
  int place = 0;
  for (const auto& positional : positionals_of(command)) {
    text += fmt::format(" \\\n{}  {}", indent,
                        quoted((positional.several ? "*" : std::to_string(++place)) + zsh_argument(positional), "'\\''"));
  }
  return text + "\n";
}

/// Returns zsh code that declares an array of commands with descriptions: `names=( 'verify:Prove ..' .. )`.
std::string zsh_names(std::string_view variable, const CLI::App& app, const std::string& indent) {
  std::string text = fmt::format("{}{}=(\n", indent, variable);
  for (const auto* command : commands_of(app)) {
    text += fmt::format("{}  {}\n", indent, quoted(command->get_name() + ":" + zsh_description(command->get_description()), "'\\''"));
  }
  return text + indent + ")\n";
}

std::string zsh_text(const CLI::App& app) {
  std::string text =
      "#compdef copse\n# zsh completion for copse, written by copse completions zsh\n_copse() {\n  local -a commands below\n" +
      zsh_names("commands", app, "  ");
  text += "  if (( CURRENT == 2 )); then\n    _describe -t commands command commands\n    return\n  fi\n";
  text += "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const auto* command : commands_of(app)) {
    text += fmt::format("    {})\n", command->get_name());
    for (const auto* below : commands_of(*command)) {
      text += fmt::format("      if (( CURRENT > 2 )) && [[ $words[2] == {} ]]; then\n        shift words\n        (( CURRENT-- ))\n",
                          below->get_name());
      text += zsh_arguments(*below, "        ") + "        return\n      fi\n";
    }
    if (!commands_of(*command).empty()) {
      text += zsh_names("below", *command, "      ");
      text += "      (( CURRENT == 2 )) && _describe -t commands command below\n";
    }
    text += zsh_arguments(*command, "      ") + "      ;;\n";
  }
  return text + "  esac\n}\n_copse \"$@\"\n";
}

std::string fish_text(const CLI::App& app) {
  std::string text = "# fish completion for copse, written by copse completions fish\n";
  for (const auto* command : commands_of(app)) {
    text += fmt::format("complete -c copse -n __fish_use_subcommand -f -a {} -d {}\n", command->get_name(),
                        quoted(command->get_description(), "\\'"));
  }
  for (const auto& [path, command] : paths_of(app)) {
    std::string seen = "__fish_seen_subcommand_from ";  // fish has seen all words of this path, and none of its subcommands
    for (const char c : path) seen += c == ' ' ? std::string{"; and __fish_seen_subcommand_from "} : std::string{c};
    const auto below = joined(names_of(commands_of(*command)), " ");
    if (!below.empty()) seen.append("; and not __fish_seen_subcommand_from " + below);
    const std::string prefix = fmt::format("complete -c copse -n '{}'", seen);
    for (const auto* sub : commands_of(*command))
      text += fmt::format("{} -a {} -d {}\n", prefix, sub->get_name(), quoted(sub->get_description(), "\\'"));
    for (const auto& option : options_of(*command)) {
      text += prefix;
      for (const auto& spelling : option.spellings)
        text += spelling.starts_with("--") ? " -l " + spelling.substr(2) : " -s " + spelling.substr(1);
      if (!option.type.empty()) text += option.words.empty() ? " -r" : fmt::format(" -x -a {}", quoted(joined(option.words, " "), "\\'"));
      text += fmt::format(" -d {}\n", quoted(option.description, "\\'"));
    }
    for (const auto& positional : positionals_of(*command)) {
      if (!positional.words.empty()) text += fmt::format("{} -f -a {}\n", prefix, quoted(joined(positional.words, " "), "\\'"));
    }
  }
  return text;
}

int run_completions(shell chosen_shell) {
  action unused;
  const auto app = make_app(unused);
  switch (chosen_shell) {
    case shell::bash:
      write_stdout(bash_text(*app));
      break;
    case shell::zsh:
      write_stdout(zsh_text(*app));
      break;
    case shell::fish:
      write_stdout(fish_text(*app));
      break;
  }
  return exit_code::done;
}

}  // namespace

void add_completions(CLI::App& app, action& chosen) {
  auto [command, chosen_shell] =
      add_command<shell>(app, chosen, "completions", "Print what a shell needs to complete copse", run_completions);
  add_choice<shell>(*command, "SHELL", *chosen_shell, {{"bash", shell::bash}, {"zsh", shell::zsh}, {"fish", shell::fish}},
                    "bash, zsh or fish")
      ->required();
}

}  // namespace copse::cli
