// copse components: which component is each vertex in.
#include <fmt/format.h>

#include <algorithm>
#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <map>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "exit_code.hpp"
#include "json.hpp"
#include "limited.hpp"
#include "output.hpp"
#include "paper_options.hpp"
#include "room.hpp"
#include "solution.hpp"

namespace copse::cli {
namespace {

struct components_options {
  input_options input;
  run_options run;
  solver_options solver;
  limited_options limited;
  std::string output, output_format, append, sizes, npy_ids;
  bool dense = false;
  std::size_t top = 0;
  bool as_json = false;
  bool explain = false;
};

/// What is said of the answer. All of it is found before anything is written, so that memory ends before the answer or not at all.
struct labels_facts {
  component_summary summary;
  std::uint64_t names_sum = 0;  ///< checksums, with --json
  std::uint64_t positions_sum = 0;
};

labels_facts facts_of(const components_options& options, const labelling& labels, resources& context) {
  labels_facts facts;
  facts.summary = summarise(labels, options.top, &context.memory);
  if (options.as_json) {
    facts.names_sum = checksum(labels, context.threads);
    facts.positions_sum = positions_checksum(labels, context.threads, &context.memory);
  }
  return facts;
}

struct timing {
  double write_seconds = 0;
  double total_seconds = 0;
};

void write_files(const components_options& options, const input& graph, const labelling& labels, resources& context) {
  std::optional<labelling> numbered;
  if (options.dense) numbered = dense(labels, &context.memory);
  const labelling& shown = numbered ? *numbered : labels;
  if (!options.output.empty()) {
    io::write_options settings = context.writing(options.output_format);
    if (!options.npy_ids.empty()) settings.npy_ids = options.npy_ids;
    io::write_labels(shown, options.output, settings);
  }
  if (!options.append.empty()) {
    io::append_components(graph.paths().front(), graph.read_options(), shown, options.append, context.writing());
  }
  if (!options.sizes.empty()) io::write_sizes(labels, options.sizes, context.writing());
}

/// The largest components, each with its first ids.
json top_json(const std::vector<component>& top, const labelling& labels) {
  constexpr std::size_t most_ids = 5;
  std::map<std::uint64_t, json> ids;
  for (const component& c : top) ids[c.label] = json::array();
  std::size_t missing = 0;
  for (const component& c : top) missing += static_cast<std::size_t>(std::min<std::uint64_t>(c.size, most_ids));
  for (std::uint64_t v = 0; v < labels.slots() && missing > 0; ++v) {
    if (const auto found = ids.find(labels.label(v)); found != ids.end() && found->second.size() < most_ids) {
      found->second.push_back(name_json(labels.names(), v));
      --missing;
    }
  }
  json all = json::array();
  for (const component& c : top) {
    json entry = component_json(c, labels.names());
    entry["ids"] = std::move(ids[c.label]);
    all.push_back(std::move(entry));
  }
  return all;
}

json as_json(const components_options& options, const solution& solved, const labels_facts& facts, const resources& context, timing spent) {
  const component_summary& summary = facts.summary;
  const auto& report = solved.result.report;
  const auto& names = solved.labels().names();
  json phases = json::object();
  for (const phase& spent_in : report.phases) phases[std::string{spent_in.name}] = spent_in.seconds;
  json object{{"command", command_text()},
              {"vertices", summary.vertices},
              {"edges", solved.edges},
              {"arcs", solved.arcs},
              {"components", summary.components},
              {"largest", component_json(summary.largest, names)},
              {"isolated", summary.isolated},
              {"variant", report.variant},
              {"device", report.device},
              {"threads", report.threads},
              {"seconds",
               {{"read", solved.read_seconds},
                {"build", solved.build_seconds},
                {"solve", solved.median_solve_seconds()},
                {"write", spent.write_seconds},
                {"total", spent.total_seconds}}},
              {"solve_seconds_all", solved.solve_seconds},
              {"phases", std::move(phases)},
              {"peak_bytes", context.memory.peak_bytes()},
              {"verified", options.solver.verify},
              {"checksum", fmt::format("{:016x}", facts.names_sum)},
              {"positions_checksum", fmt::format("{:016x}", facts.positions_sum)},
              {"histogram", histogram_json(summary.histogram)}};
  if (report.hybrid) {
    object["seconds"]["copy"] = solved.copy_seconds;
    object["hybrid"] = hybrid_json(*report.hybrid);
  }
  if (solved.gpu) {
    object["seconds"]["copy"] = solved.copy_seconds;
    object["launches"] = report.launches;
  }
  if (options.top > 0) {
    object["top"] = top_json(summary.top, solved.labels());
  }
  return object;
}

std::string as_text(const components_options& options, const solution& solved, const component_summary& summary, timing spent) {
  const auto& report = solved.result.report;
  const auto& names = solved.labels().names();
  const std::string largest =
      summary.largest.size == 0 ? "0" : fmt::format("{} (label {})", summary.largest.size, name_text(names, summary.largest.label));
  const std::string copying = solved.gpu ? fmt::format(", copy {:.3f}", solved.copy_seconds) : "";
  std::string text = fmt::format(
      "vertices    {}\nedges       {}\ncomponents  {}\nlargest     {}\nisolated    {}\nvariant     {}\nthreads     {}\n"
      "seconds     {:.3f} (read {:.3f}, build {:.3f}{}, solve {:.3f}, write {:.3f})\n",
      summary.vertices, solved.edges, summary.components, largest, summary.isolated, report.variant, report.threads, spent.total_seconds,
      solved.read_seconds, solved.build_seconds, copying, solved.median_solve_seconds(), spent.write_seconds);
  if (report.hybrid) text += hybrid_text(*report.hybrid);
  if (options.solver.verify) text += "verified    yes\n";
  for (std::size_t rank = 0; rank < summary.top.size(); ++rank) {
    text += fmt::format("top {:<7} {} (label {})\n", rank + 1, summary.top[rank].size, name_text(names, summary.top[rank].label));
  }
  return text;
}

std::vector<std::string> outputs_of(const components_options& options) {
  return {options.output, options.append, options.sizes, options.npy_ids, options.limited.cuts};
}

void require_sense(const components_options& options) {
  if (options.output.empty() && options.append.empty() && options.dense)
    throw usage_error{"--labels dense: found no -o, expected -o FILE to write the labels to"};
  if (options.output.empty() && !options.npy_ids.empty())
    throw usage_error{"--npy-ids: found no -o, expected -o FILE.npy to write the labels to"};
  if (options.output.empty() && !options.output_format.empty()) throw usage_error{"--output-format: found no -o, expected -o FILE or -o -"};
  if (!options.output.empty()) io::expect_labels_suffix(options.output, format_only(options.output_format));
  if (!options.sizes.empty()) io::expect_sizes_suffix(options.sizes);
  options.limited.require_sense(options.input, options.solver);
  require_outputs(outputs_of(options), files_of(options.input));
  if (options.as_json) require_free_stdout(outputs_of(options));
}

/// Precondition of --append.
void require_records(const input& graph) {
  const std::string once = graph.read_once();
  const char* const found = graph.generated()                   ? "a generated graph"
                            : graph.several()                   ? "several GRAPHs"
                            : !io::is_edge_list(graph.format()) ? "a format without records"
                            : !once.empty()                     ? "an input that is gone once it was read"
                                                                : nullptr;
  if (found != nullptr) throw usage_error{fmt::format("--append: found {}, expected one file of edges in text", found)};
}

solution solve_or_say_ways(const input& graph, const solver_options& options, resources& context) {
  try {
    return solve(graph, options, context);
  } catch (const resource_error& problem) {
    context.observer.clear();
    throw with_ways(problem, graph, context);
  }
}

int run_components(const components_options& options) {
  const stopwatch total;
  require_sense(options);
  resources context{options.run};
  const input graph{options.input, context, options.limited.most.has_value()};
  if (!options.append.empty()) require_records(graph);
  std::optional<limited_solution> limited;
  if (options.limited.most) limited = solve_limited(graph, options.solver, *options.limited.most, context);
  const solution solved = limited ? std::move(limited->solved) : solve_or_say_ways(graph, options.solver, context);
  if (options.explain && !solved.result.report.explanation.empty()) {
    context.observer.clear();
    complain(fmt::format("copse: {}", solved.result.report.explanation));
  }
  if (options.solver.verify) {
    if (const std::string fault = limited ? limited->fault() : fault_of(graph, solved); !fault.empty()) {
      context.observer.clear();
      complain(fmt::format("copse: {}: wrong labels, nothing written: {}", graph.text(), fault));
      return exit_code::check_failed;
    }
  }
  const labels_facts facts = facts_of(options, solved.labels(), context);
  timing spent;
  const stopwatch writing;
  write_files(options, graph, solved.labels(), context);
  if (limited && !options.limited.cuts.empty()) limited->write_cuts(options.limited.cuts);
  spent.write_seconds = writing.seconds();
  spent.total_seconds = total.seconds();
  context.observer.clear();
  if (options.as_json) {
    json object = as_json(options, solved, facts, context, spent);
    object["comment_lines"] = graph.counts().comment_lines.load();
    object["missing_ends"] = graph.counts().missing_ends.load();
    if (limited) {
      object["max_size"] = *options.limited.most;
      object["cuts"] = limited->cuts.size();
    }
    print_json(object);
  } else {
    std::string text = as_text(options, solved, facts.summary, spent);
    if (limited) text += fmt::format("cuts        {}\n", limited->cuts.size());
    write_report(text, outputs_of(options));
  }
  return exit_code::done;
}

}  // namespace

void add_components(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("components", "Find the connected components of a graph");
  auto options = std::make_shared<components_options>();
  add_graph(*command, options->input, true);
  command
      ->add_option(
          "-o,--output", options->output,
          "Write the label of every vertex here: .txt .csv (id, component), .npy .bin (indexed by id), .npz (both columns); packed "
          "with .gz or .zst")
      ->type_name("FILE");
  add_output_format(*command, options->output_format, "txt|csv|npy|npz|bin|bin64");
  add_choice<bool>(*command, "--labels", options->dense, {{"min", false}, {"dense", true}},
                   "Label components by their smallest id, or 0 .. k-1 in that order (default min)");
  command
      ->add_option("--append", options->append,
                   "Copy the records of an edge list here, as they stand, each with the component of its first id behind")
      ->type_name("FILE");
  command->add_option("--sizes", options->sizes, "Write the size of every component here: .csv .txt")->type_name("FILE");
  options->limited.add_options(*command);
  command->add_option("--npy-ids", options->npy_ids, "With -o FILE.npy: write the column of ids here and one label per id")
      ->type_name("FILE");
  add_number(*command, "--top", options->top, 1, 1000000, "Show the N largest components");
  command->add_flag("--verify", options->solver.verify,
                    "Prove the labels (with --max-size the forest) before they are written; exit code 1 when they are wrong");
  add_number(*command, "--trials", options->solver.trials, 1, 1000000, "Solve N times; the time reported is the median (default 1)");
  command->add_flag("--json", options->as_json, "Print one JSON object");
  command->add_flag("--explain", options->explain, "Say on stderr what auto saw, what it chose and why");
  add_input_options(*command, options->input);
  add_solver_options(*command, options->solver, true);
  add_sampler_numbers(*command, options->solver.sampling);
  add_run_options(*command, options->run);
  command->callback([&chosen, options] { chosen = [options] { return run_components(*options); }; });
}

}  // namespace copse::cli
