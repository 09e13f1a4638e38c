// copse merge: the components of a graph from the forests of its parts.
#include <fmt/format.h>

#include <copse/errors.hpp>
#include <copse/mergeable_forest.hpp>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "exit_code.hpp"
#include "input.hpp"
#include "json.hpp"
#include "merge_weighted.hpp"
#include "output.hpp"

namespace copse::cli {
namespace {

struct merge_command {
  std::vector<std::string> forests;
  input_options edges;  ///< of --verify-against; --min-weight is that of the answer, too, where forests have weights
  weighted_merge_options weighted;
  run_options run;
  std::string output, output_format, sizes, npy_ids;
  bool dense = false;
  bool verify = false;
  std::size_t top = 0;
  bool as_json = false;
};

/// The merged forest of one kind or the other, and the labels.
struct merged_forests {
  mergeable_forest forest;
  std::optional<weighted_merge> weighted;

  [[nodiscard]] const labelling& labels() const noexcept { return weighted ? weighted->labels : forest.labels(); }
  void save(const std::string& path) const { weighted ? weighted->forest.save(path) : forest.save(path); }
};

bool writes_forest(const merge_command& options) { return suffix_of(options.output, options.output_format) == ".forest"; }

void require_sense(const merge_command& options) {
  if (options.weighted.curve == "-" && (options.as_json || options.output == "-")) {
    throw usage_error{"--curve: found -, and --json or -o - as well, expected one of them on standard output"};
  }
  if (options.output.empty() && (options.dense || !options.npy_ids.empty() || !options.output_format.empty())) {
    throw usage_error{"--labels dense, --npy-ids, --output-format: found no -o, expected -o FILE to write the labels to"};
  }
  if (options.output == "-" && options.as_json) throw usage_error{"--json: found -o -, expected only one of them on standard output"};
  if (writes_forest(options) && (options.dense || !options.npy_ids.empty())) {
    throw usage_error{"--labels dense, --npy-ids: found -o FILE.forest, expected a file of labels"};
  }
  if (!options.output.empty() && !writes_forest(options)) io::expect_labels_suffix(options.output, format_only(options.output_format));
  if (!options.sizes.empty()) io::expect_sizes_suffix(options.sizes);
  std::vector<std::string> inputs = files_of(options.edges);
  inputs.insert(inputs.end(), options.forests.begin(), options.forests.end());
  require_outputs(
      {options.output, options.sizes, options.npy_ids, options.weighted.curve, options.weighted.edges, options.weighted.columns}, inputs);
}

/// What depends on the files.
void require_sense_of(const merge_command& options, bool weighted) {
  options.weighted.require_sense(weighted);
  const auto& min_weight = options.edges.read.min_weight;
  if (!weighted && min_weight && options.edges.graphs.empty()) {
    throw usage_error{"--min-weight: found forests without weights, expected those of copse reduce --maximum, or --verify-against"};
  }
  if (weighted && min_weight && writes_forest(options)) {
    throw usage_error{"--min-weight: found -o FILE.forest, expected a file of labels: a forest keeps all thresholds"};
  }
}

mergeable_forest merge_files(const merge_command& options, resources& context) {
  forest_merger merger{{.threads = context.threads, .observer = &context.observer, .memory = &context.memory}};
  std::uint64_t done = 0;
  for (const std::string& file : options.forests) {
    try {
      merger.add(mergeable_forest::open(file, &context.memory));
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

void write_files(const merge_command& options, const merged_forests& merged, resources& context) {
  if (writes_forest(options)) {
    merged.save(options.output);
  } else if (!options.output.empty()) {
    io::write_options settings = context.writing(options.output_format);
    if (!options.npy_ids.empty()) settings.npy_ids = options.npy_ids;
    if (options.dense) {
      io::write_labels(dense(merged.labels(), &context.memory), options.output, settings);
    } else {
      io::write_labels(merged.labels(), options.output, settings);
    }
  }
  if (!options.sizes.empty()) io::write_sizes(merged.labels(), options.sizes, context.writing());
  if (merged.weighted) merged.weighted->write(options.weighted, context);
}

struct merge_times {
  double merge_seconds = 0;
  double write_seconds = 0;
  double total_seconds = 0;
};

json as_json(const merge_command& options, const merged_forests& merged, const component_summary& summary, const resources& context,
             const merge_times& times) {
  const auto& names = merged.labels().names();
  json object{{"forests", options.forests.size()},
              {"vertices", summary.vertices},
              {"components", summary.components},
              {"largest", component_json(summary.largest, names)},
              {"isolated", summary.isolated},
              {"seconds", {{"merge", times.merge_seconds}, {"write", times.write_seconds}, {"total", times.total_seconds}}},
              {"peak_bytes", context.memory.peak_bytes()},
              {"verified", options.verify || !options.edges.graphs.empty()},
              {"checksum", fmt::format("{:016x}", checksum(merged.labels(), context.threads))},
              {"histogram", histogram_json(summary.histogram)}};
  if (options.top > 0) {
    json top = json::array();
    for (const component& c : summary.top) top.push_back(component_json(c, names));
    object["top"] = std::move(top);
  }
  if (merged.weighted) object["weighted"] = merged.weighted->as_json();
  return object;
}

std::string as_text(const merge_command& options, const merged_forests& merged, const component_summary& summary,
                    const merge_times& times) {
  const auto& names = merged.labels().names();
  const std::string largest =
      summary.largest.size == 0 ? "0" : fmt::format("{} (label {})", summary.largest.size, name_text(names, summary.largest.label));
  std::string text = fmt::format(
      "forests     {}\nvertices    {}\ncomponents  {}\nlargest     {}\nisolated    {}\nseconds     {:.3f} (merge {:.3f}, write {:.3f})\n",
      options.forests.size(), summary.vertices, summary.components, largest, summary.isolated, times.total_seconds, times.merge_seconds,
      times.write_seconds);
  if (options.verify || !options.edges.graphs.empty()) text += "verified    yes\n";
  for (std::size_t rank = 0; rank < summary.top.size(); ++rank) {
    text += fmt::format("top {:<7} {} (label {})\n", rank + 1, summary.top[rank].size, name_text(names, summary.top[rank].label));
  }
  return text;
}

int run_merge(const merge_command& options) {
  const stopwatch total;
  require_sense(options);
  resources context{options.run};
  merge_times times;
  const bool weighted = have_weights(options.forests);
  require_sense_of(options, weighted);
  merged_forests merged;
  if (weighted) {
    merged.weighted.emplace(options.forests, options.edges.read.min_weight, options.weighted, context);
  } else {
    merged.forest = merge_files(options, context);
  }
  times.merge_seconds = total.seconds();
  if (const std::string fault = fault_of(options, merged, context); !fault.empty()) {
    context.observer.clear();
    complain(fmt::format("copse: {}: wrong labels, nothing written: {}", options.forests.front(), fault));
    return exit_code::check_failed;
  }
  const component_summary summary = summarise(merged.labels(), options.top, &context.memory);
  const stopwatch writing;
  write_files(options, merged, context);
  times.write_seconds = writing.seconds();
  times.total_seconds = total.seconds();
  context.observer.clear();
  if (options.output == "-" || options.weighted.curve == "-") return exit_code::done;
  if (options.as_json) {
    print_json(as_json(options, merged, summary, context, times));
  } else {
    write_stdout(as_text(options, merged, summary, times));
  }
  return exit_code::done;
}

}  // namespace

void add_merge(CLI::App& app, action& chosen) {
  auto* command = app.add_subcommand("merge", "Find the components of a graph from the forests of its parts");
  auto options = std::make_shared<merge_command>();
  command->add_option("FOREST", options->forests, "Files of copse reduce, in any order and number; checkpoints of copse stream, too")
      ->type_name("")
      ->required();
  command
      ->add_option("-o,--output", options->output,
                   "Write the label of every vertex here: .txt .csv (id, component), .npy .bin (indexed by id); or a .forest, to be merged "
                   "with others")
      ->type_name("FILE");
  add_output_format(*command, options->output_format, "txt|csv|npy|bin|bin64|forest");
  add_choice<bool>(*command, "--labels", options->dense, {{"min", false}, {"dense", true}},
                   "Label components by their smallest id, or 0 .. k-1 in that order (default min)");
  command->add_option("--sizes", options->sizes, "Write the size of every component here: .csv .txt")->type_name("FILE");
  command->add_option("--npy-ids", options->npy_ids, "With -o FILE.npy: write the column of ids here and one label per id")
      ->type_name("FILE");
  add_number(*command, "--top", options->top, 1, 1000000, "Show the N largest components");
  command->add_flag("--verify", options->verify, "Prove that the labels are those of all forests together; exit code 1 when they are not");
  command
      ->add_option("--verify-against", options->edges.graphs,
                   "Prove the labels against the edges themselves, which are read as copse components reads them; exit code 1 when wrong")
      ->type_name("EDGES...");
  options->weighted.add_options(*command);
  command->add_flag("--json", options->as_json, "Print one JSON object");
  add_input_options(*command, options->edges);
  add_run_options(*command, options->run);
  command->callback([&chosen, options] { chosen = [options] { return run_merge(*options); }; });
}

}  // namespace copse::cli
