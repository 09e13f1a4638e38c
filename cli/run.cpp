// Runs a command line: the only place that turns exceptions of the library into messages and exit codes.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <csignal>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "io/temporaries.hpp"
#include "json.hpp"
#include "options.hpp"
#include "output.hpp"
#include "program.hpp"
#include "shell.hpp"
#include "suggestion.hpp"
#include "version.hpp"

namespace copse::cli {
namespace {

/// Formats CLI11's help with one space between an option and its type, and without default values, which the descriptions contain.
class help_text final : public CLI::Formatter {
public:
  help_text() { column_width(34); }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_name().empty() ? std::string{} : " " + option->get_type_name();
  }
};

}  // namespace

std::unique_ptr<CLI::App> make_app(action& chosen) {
  auto app = std::make_unique<CLI::App>("Connected components of graphs: edges in, components out, with a proof.", "copse");
  app->formatter(std::make_shared<help_text>());
  app->get_help_ptr()->description("Show this help and exit");
  app->set_version_flag("--version", version_text(), "Show the version and exit");
  app->add_flag("--json")->description("With --version: what is built in, too, as JSON");
  add_components(*app, chosen);
  add_group(*app, chosen);
  add_forest(*app, chosen);
  add_cluster(*app, chosen);
  add_thresholds(*app, chosen);
  add_dendrogram(*app, chosen);
  add_explain(*app, chosen);
  add_bridges(*app, chosen);
  add_report(*app, chosen);
  add_generate(*app, chosen);
  add_convert(*app, chosen);
  add_info(*app, chosen);
  add_plan(*app, chosen);
  add_extract(*app, chosen);
  add_rank(*app, chosen);
  add_verify(*app, chosen);
  add_compare(*app, chosen);
  add_variants(*app, chosen);
  add_reduce(*app, chosen);
  add_merge(*app, chosen);
  add_stream(*app, chosen);
  add_bench(*app, chosen);
  add_completions(*app, chosen);
  add_man(*app, chosen);
  add_examples(*app);
  app->footer("A GRAPH is a file, - (standard input), or a generator spec such as rmat:scale=20,edges=16,seed=7.\n" + formats_text() +
              "\nExit codes: 0 done, 1 a check failed, 2 misuse or bad input, 3 out of resources.");
  return app;
}

namespace {

/// May be called in a signal handler. Kills the program that copse runs, and removes temporary files; those that were made for the program
/// come last, as io may still be writing one.
void clean_up() noexcept {
  end_program();
  io::remove_temporaries(true);
  remove_program_files();
}

/// Removes temporary files and then dies of the signal, so that a shell sees why. All signals are blocked in this handler, so that further
/// ones cannot end the process before the files are removed. Several threads may run it at the same time.
extern "C" void clean_up_and_die(int signal) {
  clean_up();
  std::signal(signal, SIG_DFL);
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, signal);
  pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  std::raise(signal);
}

/// Handles SIGBUS. If another process truncated a mapped file, the pages that are missing cannot be read: ends the process with a message.
extern "C" void refuse_cut_file(int signal, siginfo_t* about, void*) {
  static std::atomic_flag refused;
  const char* const file = io::mapped_file_at(about->si_addr);
  if (file == nullptr) clean_up_and_die(signal);
  while (refused.test_and_set()) pause();  // another thread already prints the message and ends the process
  constexpr std::string_view found = ": the file was cut off while it was read\n";
  static_cast<void>(!write(STDERR_FILENO, file, std::strlen(file)));
  static_cast<void>(!write(STDERR_FILENO, found.data(), found.size()));
  clean_up();
  _exit(exit_code::misuse);
}

void install_signal_handlers() {
  struct sigaction cut {};
  cut.sa_sigaction = refuse_cut_file;
  sigfillset(&cut.sa_mask);
  cut.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &cut, nullptr);
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF}) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler == SIG_IGN && signal != SIGPIPE) continue;  // keep signals ignored that nohup or the shell ignores
    struct sigaction ours {};
    ours.sa_handler = clean_up_and_die;
    sigfillset(&ours.sa_mask);
    sigaction(signal, &ours, nullptr);
  }
}

/// If a standard stream is closed, the next file that is opened would get its descriptor, and be read or written by mistake. So closed
/// streams are opened in the wrong direction, in which reading or writing fails.
void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    const int opened = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // open() returns the lowest free descriptor
    if (opened > STDERR_FILENO) close(opened);
  }
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

/// Returns a hint for an unknown option that other programs have, such as --encoding; empty for other complaints.
std::string_view hint_of(std::string_view complaint) {
  if (complaint.find(": --encoding") != std::string_view::npos)
    return "; text is UTF-8, or any bytes with --ids bytes: iconv converts other encodings";
  if (complaint.find(": --bipartite") != std::string_view::npos)
    return "; --prefix-left and --prefix-right keep the ids of two tables apart";
  if (complaint.find(": --threshold") != std::string_view::npos) return "; --min-weight keeps edges by their weight";
  return "";
}

/// Returns the options that settle how an input is read, such as ` (--columns from,to)`.
std::string options_for(std::span<const io::remedy> remedies) {
  std::string text;
  bool alternatives = false;
  for (const io::remedy& remedy : remedies) {
    if (!text.empty()) text += alternatives ? ", " : " ";
    text += fmt::format("--{} {}", remedy.option, shell_word(remedy.value));
    if (!remedy.effect.empty()) text += " " + remedy.effect;
    alternatives = !remedy.effect.empty();
  }
  return text.empty() ? text : " (" + text + ")";
}

/// Returns a suggestion for an unknown option in the complaint, the most similar option of `command`; empty if there is none.
std::string suggested_option(const CLI::App& command, std::string_view complaint) {
  const std::size_t at = complaint.find("not expected: --");
  if (at == std::string_view::npos) return {};
  std::string_view word = complaint.substr(complaint.find("--", at));
  word = word.substr(0, word.find_first_of("= "));
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  return suggestion_for(word, known);
}

/// Prints CLI11's complaint on one line, and how to get help. Returns the exit code.
int complain_of_arguments(const CLI::App& app, const CLI::ParseError& problem) {
  std::string text = problem.what();
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  std::string command = "copse";
  const CLI::App* last = &app;
  for (auto named = app.get_subcommands(); !named.empty(); named = last->get_subcommands()) {
    last = named.front();
    command += " " + last->get_name();
  }
  const std::string_view hint = hint_of(text);
  complain(fmt::format("copse: {}{} (see {} --help)", text, hint.empty() ? suggested_option(*last, text) : hint, command));
  return exit_code::misuse;
}

/// Returns the arguments, with an empty value added after `--na=` and the like, for which CLI11 would take the next argument instead.
std::vector<std::string> words_of(int argc, const char* const* argv) {
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    std::string_view word{argv[i]};
    const bool empty = word.starts_with("--") && word.find('=') == word.size() - 1;
    if (empty) word.remove_suffix(1);
    words.emplace_back(word);
    if (empty) words.emplace_back();
  }
  return words;
}

/// Throws usage_error for an empty file name, which usually comes from an unset shell variable: treated as no output, the output would be
/// lost silently.
void refuse_empty_names(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) {
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_type_name() == "FILE" && option->count() != 0 && std::ranges::count(option->results(), "") != 0)
        throw usage_error{fmt::format("{} needs the name of a file, and the given name is empty (perhaps from an unset shell variable)",
                                      option->get_name())};
    }
  }
}

/// Returns the first positional argument of the command, as the user wrote it.
std::string first_file(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() && option->count() != 0) return option->results().front();
  }
  return "copse";
}

int parse_and_run(int argc, const char* const* argv) {
  action chosen;
  remember_command(argc, argv);
  const auto app = make_app(chosen);
  const std::string first = argc > 1 ? argv[1] : "";
  const std::vector<std::string> commands = commands_of(*app);
  if (first.empty() || (first[0] != '-' && std::ranges::find(commands, first) == commands.end())) {
    throw usage_error{fmt::format("{}; the commands are {}{} (see copse --help)",
                                  first.empty() ? "give a command" : first + " is not a command", fmt::join(commands, ", "),
                                  suggestion_for(first, commands))};
  }
  try {
    auto words = words_of(argc, argv);
    std::ranges::reverse(words);  // CLI11 expects the arguments in reverse order
    app->parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    write_stdout(app->help());  // the help of the subcommand, if one was named
    return exit_code::done;
  } catch (const CLI::CallForVersion&) {
    if (app->count("--json") != 0) {
      print_json(version_json());
    } else {
      write_stdout(app->version() + "\n");
    }
    return exit_code::done;
  } catch (const CLI::ParseError& problem) {
    return complain_of_arguments(*app, problem);
  }
  refuse_empty_names(*app);
  if (app->count("--json") != 0) throw usage_error{"--json must come behind the command, or with --version"};
  if (!chosen) throw usage_error{fmt::format("give a command; the commands are {} (see copse --help)", fmt::join(commands, ", "))};
  const CLI::App* const command = app->get_subcommands().front();
  return in_step(first_file(*command), command->get_name(), chosen);
}

}  // namespace

int run(int argc, const char* const* argv) {
  occupy_standard_streams();
  install_signal_handlers();
  std::signal(SIGXFSZ, SIG_IGN);  // a file above the size limit then makes write() fail, which is reported
  try {
    return parse_and_run(argc, argv);
  } catch (const usage_error& problem) {
    complain(fmt::format("copse: {}", problem.what()));
    return exit_code::misuse;
  } catch (const io::ambiguous_input& problem) {
    complain(problem.what() + options_for(problem.remedies()));
    return exit_code::misuse;
  } catch (const input_error& problem) {
    complain(problem.what());
    return exit_code::misuse;
  } catch (const resource_error& problem) {
    complain(fmt::format("copse: {}", problem.what()));
    return exit_code::out_of_resources;
  } catch (const std::bad_alloc&) {
    complain("copse: memory ran out: the system refused an allocation");
    return exit_code::out_of_resources;
  } catch (const std::system_error& problem) {  // the system refused to start a thread
    complain(fmt::format("copse: {}", problem.what()));
    return exit_code::out_of_resources;
  }
}

}  // namespace copse::cli
