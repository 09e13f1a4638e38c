#include "tree.hpp"

#include <algorithm>
#include <cctype>

#include "words.hpp"

namespace copse::cli {
namespace {

std::vector<std::string> words_of(const std::string& type) {
  std::vector<std::string> words;
  if (type.find('|') == std::string::npos) return words;
  for (const std::string& word : words_between(type, '|')) {
    if (std::ranges::none_of(word, [](unsigned char c) { return std::isupper(c) != 0; })) words.push_back(word);
  }
  return words;
}

option_facts facts_of(const CLI::Option& option) {
  option_facts facts;
  for (const auto& letter : option.get_snames()) facts.spellings.push_back("-" + letter);
  for (const auto& word : option.get_lnames()) facts.spellings.push_back("--" + word);
  facts.name = option.get_positional() ? option.get_name(true) : facts.spellings.back();
  facts.type = option.get_type_name();
  facts.words = words_of(facts.type);
  facts.description = option.get_description();
  facts.required = option.get_required();
  facts.several = option.get_items_expected_max() > 1;
  return facts;
}

std::vector<option_facts> facts_where(const CLI::App& command, bool positional) {
  std::vector<option_facts> all;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() == positional) all.push_back(facts_of(*option));
  }
  return all;
}

}  // namespace

std::vector<option_facts> options_of(const CLI::App& command) { return facts_where(command, false); }
std::vector<option_facts> positionals_of(const CLI::App& command) { return facts_where(command, true); }
std::vector<const CLI::App*> commands_of(const CLI::App& app) { return app.get_subcommands(nullptr); }

std::vector<command_path> paths_of(const CLI::App& app) {
  std::vector<command_path> paths;
  for (const CLI::App* command : commands_of(app)) {
    paths.push_back({command->get_name(), command});
    for (const auto& [words, below] : paths_of(*command)) paths.push_back({command->get_name() + " " + words, below});
  }
  return paths;
}

}  // namespace copse::cli
