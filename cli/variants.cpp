// The command copse variants, which prints the table of variants as text, JSON or the Markdown of docs/reference/variants.md.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <copse/cuda.hpp>
#include <copse/hybrid.hpp>
#include <copse/variants.hpp>
#include <string>

#include "commands.hpp"
#include "json.hpp"
#include "options.hpp"
#include "output.hpp"
#include "variant_listing.hpp"

namespace copse::cli {
namespace {

struct variants_command {
  std::string pattern;
  problem_kind problem = problem_kind::components;
  bool as_json = false;
  bool as_markdown = false;
  bool as_listing = false;
};

bool is_weighted(const variant_info& info) { return info.problem == problem_kind::weighted_forest; }

/// A name may stand for two variants, one that takes rows (csr) and one that takes edge lists (coo); here they are one entry.
struct entry {
  const variant_info* info;
  std::vector<input_kind> inputs;
};

std::string inputs_text(const entry& e) {
  std::string text;
  for (const input_kind input : e.inputs) text.append(text.empty() ? "" : ", ").append(to_string(input));
  return text;
}

std::vector<entry> entries_matching(const variants_command& options) {
  std::vector<entry> entries;
  for (const variant_info* info : variants_matching(options.pattern, options.problem)) {
    const auto same = std::ranges::find_if(entries, [&](const entry& e) { return e.info->name == info->name; });
    if (same == entries.end()) {
      entries.push_back({info, is_weighted(*info) ? std::vector{input_kind::csr, input_kind::coo} : std::vector{info->input}});
    } else {
      same->inputs.push_back(info->input);
    }
  }
  return entries;
}

std::string plain_text(const std::vector<entry>& entries) {
  constexpr std::size_t longest_weighted = 22;
  std::size_t width = 0;
  for (const entry& e : entries) width = std::max(width, is_weighted(*e.info) ? longest_weighted : e.info->name.size());
  std::string text;
  for (const entry& e : entries) text += fmt::format("{:<{}}  {:<8}  {}\n", e.info->name, width, inputs_text(e), e.info->summary);
  return text;
}

/// Adds the word unless the list has it already.
void note(std::vector<std::string_view>& words, std::string_view word) {
  if (std::ranges::find(words, word) == words.end()) words.push_back(word);
}

std::string joined(const std::vector<std::string_view>& words) { return words.empty() ? "-" : fmt::format("{}", fmt::join(words, ", ")); }

/// Returns the table in Markdown. Variants with the same finish share a line, which lists their backends and samplers.
std::string markdown(std::vector<const variant_info*> infos) {
  // Variants of cuda are left out: the page is the same for all builds, and not all builds have them.
  std::erase_if(infos, [](const variant_info* info) { return info->backend == "cuda"; });
  struct line {
    std::string ending;
    std::vector<std::string_view> backends, on_rows, on_edge_lists, forests, batches;
    const variant_info* info;
  };
  std::vector<line> lines;
  std::vector<std::string_view> all_on_rows, all_on_edge_lists;
  for (const variant_info* info : infos) {
    const std::string ending = info->name.substr(info->backend.size() + info->sampler.size() + 2);
    auto at = std::ranges::find(lines, ending, &line::ending);
    if (at == lines.end()) at = lines.insert(lines.end(), {ending, {}, {}, {}, {}, {}, info});
    note(at->backends, info->backend);
    if (find_variant(info->name, info->input, problem_kind::forest) != nullptr) note(at->forests, info->backend);
    if (find_variant(info->name, info->input, problem_kind::incremental) != nullptr) note(at->batches, info->backend);
    note(info->input == input_kind::csr ? at->on_rows : at->on_edge_lists, info->sampler);
    note(info->input == input_kind::csr ? all_on_rows : all_on_edge_lists, info->sampler);
  }
  const auto samplers = [](const std::vector<std::string_view>& some, const std::vector<std::string_view>& all) {
    return some.size() > 1 && some.size() == all.size() ? "all" : joined(some);
  };
  std::string text = fmt::format(
      "# Variants\n\n"
      "Written by `copse variants --markdown`; do not edit. A name is `backend.sampler.finish[.find|.rule][.splice]`: every line stands\n"
      "for all its backends times all its samplers, {} in all. Aux is what a variant needs beside the labels, in bytes per vertex.\n"
      "Forest names the backends on which `copse forest` takes the same variants (`copse variants --problem forest`), for 8 bytes per\n"
      "vertex more; batches those on which `copse stream` takes them, with the sampler none (`--problem incremental`).\n\n"
      "`afforest` has no find of its own, so `afforest.compress`, `afforest.split` and `afforest.halve` are other names of it. The GConn\n"
      "paper counts them: with four samplers on rows and two on edge lists they are 18 of its 339 variants.\n\n"
      "Weighted forests have variants of their own, which `copse variants --problem weighted` lists and\n"
      "[weighted forests](../explanation/weighted.md) describes.\n\n"
      "On rows (csr), \"all\" samplers are {}; on edge lists (coo), {}.\n\n"
      "| finish | backends | samplers on rows | on edge lists | forest | batches | aux | what it does "
      "|\n|---|---|---|---|---|---|---|---|\n",
      infos.size(), joined(all_on_rows), joined(all_on_edge_lists));
  for (const line& l : lines) {
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} |\n", l.ending, joined(l.backends), samplers(l.on_rows, all_on_rows),
                        samplers(l.on_edge_lists, all_on_edge_lists), joined(l.forests), joined(l.batches), l.info->aux_bytes_per_vertex,
                        l.info->summary);
  }
  return text;
}

json as_json(const std::vector<entry>& entries) {
  json list = json::array();
  const bool any_gpu = !gpus().empty();
  for (const entry& e : entries) {
    json inputs = json::array();
    for (const input_kind input : e.inputs) inputs.push_back(to_string(input));
    json object{{"name", e.info->name}, {"backend", e.info->backend}};
    if (is_weighted(*e.info)) {
      object["algorithm"] = e.info->finish;
    } else {
      object["sampler"] = e.info->sampler;
      object["finish"] = e.info->finish;
      object["find"] = e.info->find;
      object["splice"] = e.info->splice;
    }
    object["inputs"] = std::move(inputs);
    if (!is_weighted(*e.info)) object["aux_bytes_per_vertex"] = e.info->aux_bytes_per_vertex;
    object["runs_here"] = e.info->backend != "cuda" || any_gpu;
    object["summary"] = e.info->summary;
    list.push_back(std::move(object));
  }
  return list;
}

/// Lists the names of hybrid variants, which are pairs of a CPU algorithm and a variant of cuda.
void show_hybrid(const std::vector<std::string>& names, bool as_json) {
  json list = json::array();
  std::string text;
  const bool any_gpu = !gpus().empty();
  for (const std::string& name : names) {
    list.push_back({{"name", name}, {"backend", "hybrid"}, {"runs_here", any_gpu}});
    text += name + "\n";
  }
  as_json ? print_json(list) : write_stdout(text);
}

int refuse_pattern(const std::string& pattern) {
  complain(fmt::format("copse: no variant matches {}; copse variants lists all, and a pattern is a text such as threads.*", pattern));
  return exit_code::misuse;
}

/// Prints the source texts of one variant. If the name has variants for rows and for lists, prints those for rows.
int show_listing(const variants_command& options) {
  const bool weighted = options.problem == problem_kind::weighted_forest;
  const auto entries = weighted ? std::vector<entry>{} : entries_matching(options);
  if (entries.size() != 1)
    throw usage_error{fmt::format("--listing takes the name of one variant, such as threads.kout.rem_cas.naive.halve_one, not {}",
                                  weighted ? "--problem weighted" : fmt::format("{} variants", entries.size()))};
  write_stdout(variant_listing(*entries.front().info));
  return exit_code::done;
}

int run_variants(const variants_command& options) {
  if (options.as_listing) return show_listing(options);
  const bool weighted = options.problem == problem_kind::weighted_forest;
  if (weighted && options.as_markdown) throw usage_error{"--markdown cannot be used with --problem weighted"};
  if (const auto names = hybrid_names(options.pattern); !weighted && copse::is_hybrid(options.pattern) && !names.empty()) {
    show_hybrid(names, options.as_json);
    return exit_code::done;
  }
  const auto entries = entries_matching(options);
  if (options.as_json) {
    print_json(as_json(entries));
  } else {
    write_stdout(options.as_markdown ? markdown(variants_matching(options.pattern, options.problem)) : plain_text(entries));
  }
  return entries.empty() ? refuse_pattern(options.pattern) : exit_code::done;
}

}  // namespace

void add_variants(CLI::App& app, action& chosen) {
  auto [command, options] = add_command<variants_command>(app, chosen, "variants", "List the variants that --variant takes", run_variants);
  command->add_option("PATTERN", options->pattern, "Only names that match, with * and ?; hybrid.* are those on the CPU and a GPU together")
      ->type_name("");
  add_choice<problem_kind>(*command, "--problem", options->problem,
                           {{"components", problem_kind::components},
                            {"forest", problem_kind::forest},
                            {"incremental", problem_kind::incremental},
                            {"weighted", problem_kind::weighted_forest}},
                           "Those of copse components, of copse forest, of copse stream, or of copse forest with --minimum or "
                           "--maximum (default components)");
  auto* as_json = command->add_flag("--json", options->as_json, "Print an array of objects");
  auto* as_markdown =
      command->add_flag("--markdown", options->as_markdown, "Print the table of docs/reference/variants.md")->excludes(as_json);
  command
      ->add_flag("--listing", options->as_listing,
                 "Print the source texts that one variant is made of: sampler, finish, rule, find, splice")
      ->excludes(as_json)
      ->excludes(as_markdown);
}

}  // namespace copse::cli
