// copse merge: the components of a graph from the forests of its parts.
#include <fmt/format.h>

#include <algorithm>
#include <copse/errors.hpp>
#include <copse/mergeable_forest.hpp>
#include <iterator>
#include <optional>

#include "commands.hpp"
#include "exit_code.hpp"
#include "input.hpp"
#include "json.hpp"
#include "label_output.hpp"
#include "merge_weighted.hpp"
#include "output.hpp"
#include "step.hpp"

namespace copse::cli {
namespace {

struct merge_command {
  std::vector<std::string> forests;
  input_options edges;  ///< of --verify-against; --min-weight is that of the answer, too, where forests have weights
  weighted_merge_options weighted;
  run_options run;
  label_output labels{.takes_forest = true};
  bool verify = false;
};

/// The merged forest of one kind or the other, and the labels.
struct merged_forests {
  mergeable_forest forest;
  std::optional<weighted_merge> weighted;

  [[nodiscard]] const labelling& labels() const noexcept { return weighted ? weighted->labels : forest.labels(); }
  void save(const std::string& path) const { weighted ? weighted->forest.save(path) : forest.save(path); }
};

/// What depends on the files.
void require_sense_of(const merge_command& options, bool weighted) {
  options.weighted.require_sense(weighted);
  const auto& min_weight = options.edges.read.min_weight;
  if (!weighted && min_weight && options.edges.graphs.empty()) {
    throw usage_error{
        "--min-weight: found forests without weights, expected those of copse reduce --weight or --maximum, or --verify-against"};
  }
  if (weighted && min_weight && options.labels.is_forest()) {
    throw usage_error{"--min-weight: found -o FILE.forest, expected a file of labels: a forest keeps all thresholds"};
  }
}

mergeable_forest merge_files(const merge_command& options, resources& context) {
  forest_merger merger{{.threads = context.threads, .observer = &context.observer, .memory = &context.memory}};
  std::uint64_t done = 0;
  for (const std::string& file : options.forests) {
    try {
      in_step(file, "merging", [&] { merger.add(mergeable_forest::open(file, &context.memory)); });
    } catch (const usage_error& e) {
      throw usage_error{fmt::format("{}: {}", file, e.what())};
    }
    context.observer.progress("merge", ++done, options.forests.size(), "forests");
  }
  return merger.finish();
}

/// Empty when the answer is right, or nobody asked.
std::string fault_of(const merge_command& options, const merged_forests& merged, resources& context) {
  if (merged.weighted) return merged.weighted->fault(options.forests, options.verify, options.edges, context);
  if (options.verify) {
    std::size_t next = 0;
    const verdict proof = verify_merge(
        merged.forest,
        [&]() -> std::optional<mergeable_forest> {
          if (next == options.forests.size()) return std::nullopt;
          return mergeable_forest::open(options.forests[next++], &context.memory);
        },
        &context.memory);
    if (!proof) return proof.reason;
  }
  if (options.edges.graphs.empty()) return {};
  const input edges{options.edges, context};
  if (edges.generated()) return verify(edges.read(), merged.labels()).reason;
  return verify(edges.paths(), edges.read_options(), merged.labels()).reason;
}

struct merge_times {
  double merge_seconds = 0;
  double write_seconds = 0;
  double total_seconds = 0;
};

json as_json(const merge_command& options, const merged_forests& merged, const label_answer& answer, const resources& context,
             const merge_times& times) {
  const component_summary& summary = answer.summary();
  json object{{"forests", options.forests.size()},
              {"vertices", summary.vertices},
              {"components", summary.components},
              {"largest", answer.largest_json()},
              {"isolated", summary.isolated},
              {"seconds", {{"merge", times.merge_seconds}, {"write", times.write_seconds}, {"total", times.total_seconds}}},
              {"peak_bytes", context.memory.peak_bytes()},
              {"verified", options.verify || !options.edges.graphs.empty()},
              {"checksum", answer.checksum()},
              {"histogram", answer.histogram_json()}};
  answer.add_top(object);
  if (merged.weighted) object["weighted"] = merged.weighted->as_json();
  return object;
}

std::string as_text(const merge_command& options, const label_answer& answer, const merge_times& times) {
  const component_summary& summary = answer.summary();
  std::string text = fmt::format(
      "forests     {}\nvertices    {}\ncomponents  {}\nlargest     {}\nisolated    {}\nseconds     {:.3f} (merge {:.3f}, write {:.3f})\n",
      options.forests.size(), summary.vertices, summary.components, answer.largest_text(), summary.isolated, times.total_seconds,
      times.merge_seconds, times.write_seconds);
  if (options.verify || !options.edges.graphs.empty()) text += "verified    yes\n";
  return text + answer.top_text();
}

int run_merge(const merge_command& options) {
  const stopwatch total;
  std::vector<std::string> inputs = files_of(options.edges);
  inputs.insert(inputs.end(), options.forests.begin(), options.forests.end());
  options.labels.require_sense(inputs, options.weighted.outputs());
  resources context{options.run};
  merge_times times;
  const bool weighted = have_weights(options.forests, &context.memory);
  require_sense_of(options, weighted);
  merged_forests merged;
  if (weighted) {
    merged.weighted.emplace(options.forests, options.edges.read.min_weight, options.weighted, context);
  } else {
    merged.forest = merge_files(options, context);
  }
  times.merge_seconds = total.seconds();
  if (const std::string fault = fault_of(options, merged, context); !fault.empty())
    return context.refuse(options.forests.front(), "labels", fault);
  const label_answer answer{merged.labels(), options.labels, context};
  const stopwatch writing;
  if (options.labels.is_forest()) merged.save(options.labels.path);
  answer.write();
  if (merged.weighted) merged.weighted->write(options.weighted, context);
  times.write_seconds = writing.seconds();
  times.total_seconds = total.seconds();
  context.observer.clear();
  if (options.labels.as_json) {
    print_json(as_json(options, merged, answer, context, times));
  } else {
    std::vector<std::string> outputs = options.labels.files();
    std::ranges::copy(options.weighted.outputs(), std::back_inserter(outputs));
    write_report(as_text(options, answer, times), outputs);
  }
  return exit_code::done;
}

}  // namespace

void add_merge(CLI::App& app, action& chosen) {
  auto [command, options] =
      add_command<merge_command>(app, chosen, "merge", "Find the components of a graph from the forests of its parts", run_merge);
  command->add_option("FOREST", options->forests, "Files of copse reduce, in any order and number; checkpoints of copse stream, too")
      ->type_name("")
      ->required();
  options->labels.add_options(*command, {"vertex", "component", "components"});
  command->add_flag("--verify", options->verify, "Prove that the labels are those of all forests together; exit code 1 when they are not");
  command
      ->add_option("--verify-against", options->edges.graphs,
                   "Prove the labels against the edges themselves, which are read as copse components reads them; exit code 1 when wrong")
      ->type_name("EDGES...");
  options->weighted.add_options(*command);
  add_input_options(*command, options->edges);
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
