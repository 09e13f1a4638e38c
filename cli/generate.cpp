// The command copse generate, which writes a synthetic graph to a file.
#include <fmt/format.h>

#include <copse/errors.hpp>
#include <copse/generate.hpp>
#include <copse/io.hpp>

#include "commands.hpp"
#include "input.hpp"
#include "io/written_suffix.hpp"
#include "output.hpp"

namespace copse::cli {
namespace {

struct generate_command {
  std::string spec;
  std::string output;
  run_options run;
};

int run_generate_list(const generate_command& options) {
  io::expect_list_suffix(options.output);
  require_outputs({options.output});
  resources context{options.run};
  io::write_list(gen::generate_list(options.spec, context.on()), options.output, {}, context.on());
  return exit_code::done;
}

int run_generate(const generate_command& options) {
  if (gen::is_list_spec(options.spec)) return run_generate_list(options);
  if (!gen::is_spec(options.spec)) {
    std::string known;
    for (const auto families : {gen::families(), gen::list_families()}) {
      for (const gen::family& family : families) known.append(known.empty() ? "" : ", ").append(family.name);
    }
    throw usage_error{fmt::format("generate takes a spec of one of the families {}, not {}", known, options.spec)};
  }
  io::expect_graph_suffix(options.output);
  require_outputs({options.output});
  resources context{options.run};
  const execution on = context.on();
  const graph generated = needs_rows(options.output) ? gen::generate(options.spec, on) : gen::generate_edges(options.spec, on);
  io::write_graph(generated, options.output, {}, on);
  return exit_code::done;
}

std::string family_text(const gen::family& family) {
  std::string text = fmt::format("  {}: {}\n", family.name, family.summary);
  for (const gen::parameter& p : family.parameters) {
    const std::string fallback = p.fallback.empty() ? "required" : fmt::format("default {}", p.fallback);
    text += fmt::format("    {:<8} {} ({})\n", p.name, p.meaning, fallback);
  }
  return text + fmt::format("    source   {}\n", family.source);
}

/// All families with their parameters, for the help.
std::string families_text() {
  std::string text =
      "A SPEC is family:key=value,... and names the same graph on every machine. Every family also takes\n"
      "  seed=N     (default 1) another graph of the same kind\n"
      "  shuffle=1  (default 0) permute the ids\n\nFamilies:\n";
  for (const gen::family& family : gen::families()) text += family_text(family);
  text += "\nFamilies of lists, for copse rank (.npy .bin .bin64 .txt: the successor of every element):\n";
  for (const gen::family& family : gen::list_families()) text += family_text(family);
  text.pop_back();  // the last line end
  return text;
}

}  // namespace

void add_generate(CLI::App& app, action& chosen) {
  auto [command, options] = add_command<generate_command>(app, chosen, "generate", "Write a synthetic graph", run_generate);
  command->add_option("SPEC", options->spec, "family:key=value,...; the families are listed below")->type_name("")->required();
  add_file(
      *command, "-o,--output", options->output,
      "Where to, in the format of the suffix (.el .txt .mtx .coo: the edges as they are made; .sg .egr .adj .gr: simple symmetric rows)")
      ->required();
  add_run_options(*command, options->run);
  command->footer(families_text());
}

}  // namespace copse::cli
