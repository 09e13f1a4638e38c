// The command copse reduce, which finds a forest of a part of the edges, to be merged with others; with weights it serves any threshold
// later.
#include <fmt/format.h>

#include <copse/errors.hpp>
#include <copse/partial.hpp>

#include "commands.hpp"
#include "input.hpp"
#include "io/written_suffix.hpp"
#include "json.hpp"
#include "output.hpp"
#include "solution.hpp"

namespace copse::cli {
namespace {

struct reduce_command {
  input_options input;
  run_options run;
  solver_options solver;
  file_part part;
  std::string output;
  bool minimum = false, maximum = false;
  bool as_json = false;

  /// True if the forest keeps weights: --minimum or --maximum is given, or --weight without --min-weight.
  [[nodiscard]] bool weighted() const noexcept {
    return minimum || maximum || (input.read.weight_column.has_value() && !input.read.min_weight);
  }
  [[nodiscard]] forest_goal goal() const noexcept { return minimum ? forest_goal::minimum : forest_goal::maximum; }
};

/// Parses I/K; `3/16` is the third of sixteen parts.
std::optional<file_part> one_part(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto number = whole_number(text.substr(0, slash)), count = whole_number(text.substr(slash + 1));
  if (!number || !count || *number < 1 || *number > *count || *count > 1000000) return std::nullopt;
  return file_part{static_cast<unsigned>(*number - 1), static_cast<unsigned>(*count)};
}

void require_output(const reduce_command& options) {
  if (options.output == "-") throw usage_error{"a .forest cannot go to standard output: give -o FILE.forest"};
  io::expect_suffix(options.output, {}, {".forest"}, ".forest, or .forest.gz or .forest.zst, for a forest of parts");
  require_outputs({options.output}, files_of(options.input));
}

struct reduced {
  partial<labelling> forest;
  std::string fault;  ///< the fault that --verify found; empty if there is none
};

void require_no_solver(const solver_options& solver, std::string_view asked_by) {
  if (solver.solving.variant == "auto" && solver.device == "cpu") return;
  throw usage_error{
      fmt::format("{} cannot be used with --variant or --device: the edges of a part are united while they are parsed", asked_by)};
}

reduced reduce_part(const reduce_command& options, const input& graph, resources& context) {
  if (graph.generated()) throw usage_error{"--part takes files, not a generator spec"};
  require_no_solver(options.solver, "--part");
  reduced found;
  found.forest = components_of_part(graph.paths(), options.part, graph.read_options(), context.on());
  if (!options.solver.verify) return found;
  found.fault = verify_part(graph.paths(), options.part, graph.uncounted_options(), found.forest, context.on()).reason;
  return found;
}

reduced reduce_whole(const reduce_command& options, const input& graph, resources& context) {
  reduced found;
  solution solved = solve(graph, options.solver, context);
  found.fault = std::move(solved.fault);
  found.forest = partial<labelling>{std::move(solved.result.labels), &context.memory};
  return found;
}

int run_weighted(const reduce_command& options) {
  const stopwatch total;
  const std::string asked_by = options.minimum ? "--minimum" : options.maximum ? "--maximum" : "--weight";
  if (options.minimum && options.maximum) throw usage_error{"--minimum cannot be used with --maximum"};
  require_no_solver(options.solver, asked_by);
  require_output(options);
  resources context{options.run};
  const input graph{options.input, context, true};
  graph.expect_weights(asked_by);
  const partial<weighted_forest_result> forest =
      weighted_forest_of_part(graph.paths(), options.part, graph.read_options(), {.goal = options.goal()}, context.on());
  if (options.solver.verify) {
    const verdict proof = verify_part(graph.paths(), options.part, graph.uncounted_options(), forest, context.on());
    if (!proof) return context.refuse(graph.text(), "forest", proof.reason);
  }
  context.observer.clear();
  forest.save(options.output);
  const std::uint64_t bytes = std::filesystem::file_size(options.output);
  const std::uint64_t components = forest.vertices() - forest.answer().edge_count();
  if (options.as_json) {
    print_json({{"vertices", forest.vertices()},
                {"components", components},
                {"forest_edges", forest.answer().edge_count()},
                {"goal", options.minimum ? "minimum" : "maximum"},
                {"bytes", bytes},
                {"seconds", total.seconds()},
                {"peak_bytes", context.memory.peak_bytes()},
                {"verified", options.solver.verify}});
    return exit_code::done;
  }
  write_stdout(fmt::format("vertices    {}\ncomponents  {}\nforest      {} ({}, {} edges with weights)\nseconds     {:.3f}\n{}",
                           forest.vertices(), components, options.output, bytes_text(bytes), forest.answer().edge_count(), total.seconds(),
                           options.solver.verify ? "verified    yes\n" : ""));
  return exit_code::done;
}

int run_reduce(const reduce_command& options) {
  if (options.weighted()) return run_weighted(options);
  const stopwatch total;
  require_output(options);
  resources context{options.run};
  const input graph{options.input, context};
  const reduced found = options.part.count > 1 ? reduce_part(options, graph, context) : reduce_whole(options, graph, context);
  if (!found.fault.empty()) return context.refuse(graph.text(), "labels", found.fault);
  context.observer.clear();
  const component_summary summary = summarise(found.forest.answer(), 0, context.on());
  found.forest.save(options.output);
  const std::uint64_t bytes = std::filesystem::file_size(options.output);
  if (options.as_json) {
    print_json({{"vertices", summary.vertices},
                {"components", summary.components},
                {"bytes", bytes},
                {"seconds", total.seconds()},
                {"peak_bytes", context.memory.peak_bytes()},
                {"verified", options.solver.verify},
                {"checksum", fmt::format("{:016x}", checksum(found.forest.answer(), context.on()))}});
    return exit_code::done;
  }
  write_stdout(fmt::format("vertices    {}\ncomponents  {}\nforest      {} ({})\nseconds     {:.3f}\n{}", summary.vertices,
                           summary.components, options.output, bytes_text(bytes), total.seconds(),
                           options.solver.verify ? "verified    yes\n" : ""));
  return exit_code::done;
}

}  // namespace

void add_reduce(CLI::App& app, action& chosen) {
  auto [command, options] = add_command<reduce_command>(
      app, chosen, "reduce", "Keep of a part of the edges the forest that merges with those of other parts", run_reduce);
  add_graph(*command, options->input, true);
  add_file(*command, "-o,--output", options->output, "Write the forest here (.forest), for copse merge")->required();
  add_parsed(
      *command, "--part", options->part, "I/K",
      "Read part I of K of the input: a range of the bytes of each file; of compressed files and those that hold rows, whole ones in "
      "turn",
      "a part such as 3/16, counted from 1", one_part);
  command->add_flag("--maximum", options->maximum,
                    "Keep the weights, too: the maximum spanning forest of the part, which has every threshold in it; so does --weight "
                    "without --min-weight");
  command->add_flag("--minimum", options->minimum, "Keep the weights, too: the minimum spanning forest of the part");
  command->add_flag("--verify", options->solver.verify, "Prove the forest before it is written; exit code 1 when it is wrong");
  command->add_flag("--json", options->as_json, "Print one JSON object");
  add_input_options(*command, options->input);
  add_solver_options(*command, options->solver);
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
