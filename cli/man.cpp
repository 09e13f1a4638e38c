// copse man: the manual page in roff, from the tree of commands.
#include <copse/version.h>
#include <fmt/format.h>

#include "commands.hpp"
#include "output.hpp"
#include "tree.hpp"

namespace copse::cli {
namespace {

/// Text for roff: backslashes and minus signs are kept, a line never begins with a request.
std::string roff(std::string_view text) {
  std::string safe;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) safe += "\\&";
    line_begins = c == '\n';
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string synopsis(const command_path& path) {
  const CLI::App& command = *path.command;
  std::string text = fmt::format(".B copse {}\n", roff(path.words));
  for (const auto& o : options_of(command)) {
    if (o.required) text += fmt::format("{} \\fI{}\\fR\n", roff(o.spellings.front()), roff(o.type));
  }
  for (const auto& p : positionals_of(command)) {
    const std::string name = fmt::format("\\fI{}\\fR{}", roff(p.name), p.several ? " ..." : "");
    text += p.required ? name + "\n" : "[" + name + "]\n";
  }
  return text + "[options]\n";
}

std::string described(const option_facts& facts) {
  std::string head;
  for (const auto& spelling : facts.spellings) head += fmt::format("{}\\fB{}\\fR", head.empty() ? "" : ", ", roff(spelling));
  if (facts.spellings.empty()) head = fmt::format("\\fI{}\\fR", roff(facts.name));
  if (!facts.spellings.empty() && !facts.type.empty()) head += fmt::format(" \\fI{}\\fR", roff(facts.type));
  return fmt::format(".TP\n{}\n{}\n", head, roff(facts.description));
}

std::string page() {
  action unused;
  const auto app = make_app(unused);
  std::string text =
      fmt::format(".TH COPSE 1 \"\" \"copse {}\" \"User Commands\"\n.SH NAME\ncopse \\- connected components of graphs\n.SH SYNOPSIS\n",
                  COPSE_VERSION_TEXT);
  const auto paths = paths_of(*app);
  for (std::size_t i = 0; i < paths.size(); ++i) text += (i == 0 ? "" : ".br\n") + synopsis(paths[i]);
  text += fmt::format(".SH DESCRIPTION\n{}\n", roff(app->get_description()));
  for (const auto& [words, command] : paths) {
    text += fmt::format(".SH \"COPSE {}\"\n{}\n", roff(words), roff(command->get_description()));
    for (const auto& positional : positionals_of(*command)) text += described(positional);
    for (const auto& option : options_of(*command)) text += described(option);
    if (!command->get_footer().empty()) text += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command->get_footer()));
  }
  return text + fmt::format(".SH NOTES\n.nf\n{}\n.fi\n", roff(app->get_footer()));
}

}  // namespace

void add_man(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("man", "Print the manual page (roff), as man copse shows it");
  command->callback([&chosen] {
    chosen = [] {
      write_stdout(page());
      return exit_code::done;
    };
  });
}

}  // namespace copse::cli
