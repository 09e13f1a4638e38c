// The commands of the command line. Each function add_... adds a subcommand to the app; parsing a call of it stores its work in `chosen`.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/memory_error.hpp"

namespace copse::cli {

/// The work of a command; returns the exit code.
using action = std::function<int()>;

/// Adds a command whose work is `run(options)`. The options live as long as the command.
template <class Options, class Run>
std::pair<CLI::App*, std::shared_ptr<Options>> add_command(CLI::App& app, action& chosen, const std::string& name, const std::string& help,
                                                           Run run) {
  auto* command = app.add_subcommand(name, help);
  auto options = std::make_shared<Options>();
  command->callback([&chosen, options, run] { chosen = [options, run] { return run(*options); }; });
  return {command, options};
}

void add_components(CLI::App& app, action& chosen);
void add_forest(CLI::App& app, action& chosen);
void add_group(CLI::App& app, action& chosen);
void add_generate(CLI::App& app, action& chosen);
void add_convert(CLI::App& app, action& chosen);
void add_info(CLI::App& app, action& chosen);
void add_extract(CLI::App& app, action& chosen);
void add_rank(CLI::App& app, action& chosen);
void add_verify(CLI::App& app, action& chosen);
void add_compare(CLI::App& app, action& chosen);
void add_variants(CLI::App& app, action& chosen);
void add_reduce(CLI::App& app, action& chosen);
void add_merge(CLI::App& app, action& chosen);
void add_plan(CLI::App& app, action& chosen);
void add_stream(CLI::App& app, action& chosen);
void add_bench(CLI::App& app, action& chosen);
/// A subcommand of bench; returns it.
const CLI::App* add_bench_compare(CLI::App& bench, action& chosen);
void add_bridges(CLI::App& app, action& chosen);
void add_cluster(CLI::App& app, action& chosen);
void add_thresholds(CLI::App& app, action& chosen);
void add_dendrogram(CLI::App& app, action& chosen);
void add_explain(CLI::App& app, action& chosen);
void add_report(CLI::App& app, action& chosen);
void add_completions(CLI::App& app, action& chosen);
void add_man(CLI::App& app, action& chosen);

/// Puts three examples at the end of the footer of every command.
void add_examples(CLI::App& app);

/// The whole command line as one tree, from which parsing, help, completions and the manual page follow. `chosen` must live as long as the
/// app.
std::unique_ptr<CLI::App> make_app(action& chosen);

/// Parses and runs; every error becomes one line on stderr and an exit code.
int run(int argc, const char* const* argv);

/// Returns what `work` returns. Exceptions pass through; the file and the step are added to a memory_error that names none.
template <class Work>
auto in_step(std::string_view file, std::string_view step, Work work) {
  try {
    return work();
  } catch (const memory_error& problem) {
    throw problem.in_step(file, step);
  }
}

}  // namespace copse::cli
