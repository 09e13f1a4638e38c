// The command copse merge, which finds the components of a graph from the forests of its parts.
#include <fmt/format.h>

#include <algorithm>
#include <copse/errors.hpp>
#include <copse/hierarchy.hpp>
#include <copse/io.hpp>
#include <copse/partial.hpp>
#include <filesystem>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "input.hpp"
#include "io/written_suffix.hpp"
#include "json.hpp"
#include "label_output.hpp"
#include "output.hpp"
#include "weighted.hpp"

namespace copse::cli {
namespace {

// Merging forests with weights: components at any threshold, the curve of all thresholds, and the edges of the merged forest.

/// The options that need forests with weights.
struct weighted_merge_options {
  threshold_choice choice;
  std::string curve, edges, columns;  ///< the files that --curve, --edges and --label-columns name; empty for none

  void add_options(CLI::App& app);
  [[nodiscard]] std::vector<std::string> outputs() const { return {curve, edges, columns}; }
  /// Throws usage_error for options that do not fit the forests; `weighted` says whether these have weights.
  void require_sense(bool weighted) const;
};

/// The merged forest of files, and the components of its edges of weight `min_weight` or more.
struct weighted_merge {
  weighted_merge(const std::vector<std::string>& files, std::optional<double> min_weight, const weighted_merge_options& options,
                 resources& context);

  partial<weighted_forest_result> forest;
  labelling labels;  ///< components by edges of weight `min_weight` or more, made by partial<labelling> as for forests without weights

  /// Proves the labels against the merged forest and, if asked, the forest against the files and the edges. Returns the fault; empty if
  /// there is none.
  [[nodiscard]] std::string fault(const std::vector<std::string>& files, bool against_files, const input_options& edges,
                                  resources& context) const;
  void write(const weighted_merge_options& options, resources& context) const;
  [[nodiscard]] json as_json() const;

private:
  std::optional<double> min_weight_;
  // The components at every threshold, and their curve: made in the constructor if they were asked for, so that an error comes before files
  // are written.
  std::optional<hierarchy> joined_;
  std::vector<threshold_point> curve_;
};

/// Merges the forests of files, which are read one at a time.
template <class Answer>
partial<Answer> merge_files(const std::vector<std::string>& files, resources& context) {
  merger<Answer> all{context.on()};
  std::uint64_t done = 0;
  for (const std::string& file : files) {
    try {
      in_step(file, "merging", [&] { all.add(partial<Answer>::open(file, &context.memory)); });
    } catch (const usage_error& e) {
      throw usage_error{fmt::format("{}: {}", file, e.what())};
    }
    context.observer.progress("merge", ++done, files.size(), "forests");
  }
  return all.finish();
}

/// Proves that `merged` is the merged forest of these files.
template <class Answer>
verdict verify_files(const partial<Answer>& merged, const std::vector<std::string>& files, resources& context) {
  auto next = files.begin();
  return verify_merge(
      merged,
      [&]() -> std::optional<partial<Answer>> {
        if (next == files.end()) return std::nullopt;
        return partial<Answer>::open(*next++, &context.memory);
      },
      &context.memory);
}

bool is_maximum(const weighted_forest_result& forest) { return forest.goal == forest_goal::maximum; }

/// Returns the edges of the forest of weight `least` or more, as a graph of all of its vertices.
graph edges_from(const weighted_forest_result& forest, double least, std::pmr::memory_resource* memory) {
  least = rounded_threshold(least, forest.weights.precision());
  return std::visit(
      [&](const auto& shape) -> graph {
        if constexpr (requires { shape.edges; }) {
          std::remove_cvref_t<decltype(shape)> kept;
          kept.vertex_count = shape.vertex_count;
          kept.edges = std::remove_cvref_t<decltype(shape.edges)>{shape.edges.size(), memory};
          std::size_t count = 0;
          for (std::size_t i = 0; i < shape.edges.size(); ++i) {
            if (forest.weights[i] >= least) kept.edges[count++] = shape.edges[i];
          }
          kept.edges.shrink(count);
          return graph{std::move(kept), forest.edges.names()};
        } else {
          return {};  // never runs: the edges of a forest are held as a list, not as rows
        }
      },
      forest.edges.shape());
}

/// Returns the labels of the vertices in `names`, indexed by position; nothing if one of them has no label.
std::optional<labelling> by_position(const labelling& labels, const vertex_names& names, std::pmr::memory_resource* memory) {
  buffer<std::uint64_t> found{names.size(), memory};
  for (std::uint64_t v = 0; v < found.size(); ++v) {
    const auto slot = labels.names().find(names, v);
    if (!slot || !labels.present(*slot)) return std::nullopt;
    const auto vertex = names.find(labels.names(), labels.label(*slot));
    if (!vertex) return std::nullopt;
    found[v] = *vertex;
  }
  return labelling{std::move(found), vertex_names::identity(names.size())};
}

double least_of(std::optional<double> min_weight) { return min_weight.value_or(-std::numeric_limits<double>::infinity()); }

void weighted_merge_options::add_options(CLI::App& app) {
  add_file(app, "--curve", curve,
           "Of forests with weights: write what each threshold does here, as copse thresholds does (- for standard output)");
  add_parsed(app, "--at", choice.at, "X,Y,..", "With --curve or --label-columns: only these thresholds", "numbers with commas between them",
             [](const std::string& text) { return numbers_with_commas(text); });
  add_number(app, "--points", choice.points, 1, 1000000000,
             "With --curve: only N of the weights at which components change, evenly spread");
  add_file(app, "--label-columns", columns,
           "With --at: write the labels at each of the thresholds here, a column each (.csv .txt .parquet .arrow)");
  add_file(app, "--edges", edges,
           "Of forests with weights: write the edges of the merged forest here, whatever --min-weight (.csv .el .txt .parquet .arrow .npy "
           ".mtx)");
}

void weighted_merge_options::require_sense(bool weighted) const {
  if (!weighted && (!curve.empty() || !edges.empty() || !columns.empty())) {
    throw usage_error{"--curve, --edges and --label-columns need forests with weights, which copse reduce --weight or --maximum writes"};
  }
  choice.require_sense();
  if (choice.points && curve.empty()) throw usage_error{"--points needs --curve FILE"};
  if (!choice.at.empty() && curve.empty() && columns.empty()) throw usage_error{"--at needs --curve or --label-columns"};
  if (!columns.empty()) {
    if (choice.at.empty()) throw usage_error{"--label-columns needs --at, which gives the thresholds of the columns"};
    expect_table_suffix(columns, label_columns_text);
  }
  if (!edges.empty()) io::expect_weighted_suffix(edges);
  if (!curve.empty()) expect_curve_suffix(curve);
}

/// True if the forests of these files have weights. Throws usage_error if only some of them do.
bool have_weights(const std::vector<std::string>& files, std::pmr::memory_resource* memory) {
  const bool first = holds_weights(files.front(), memory);
  for (const std::string& file : files) {
    if (!std::filesystem::exists(file)) continue;  // open() will report the error
    if (holds_weights(file, memory) == first) continue;
    throw usage_error{fmt::format("{} has {}weights, and {} has {}: forests must all have weights, or none of them", files.front(),
                                  first ? "" : "no ", file, first ? "none" : "some")};
  }
  return first;
}

weighted_merge::weighted_merge(const std::vector<std::string>& files, std::optional<double> min_weight,
                               const weighted_merge_options& options, resources& context)
    : forest{merge_files<weighted_forest_result>(files, context)}, min_weight_{min_weight} {
  const weighted_forest_result& found = forest.answer();
  if (!is_maximum(found) && (min_weight || !options.curve.empty() || !options.columns.empty())) {
    throw usage_error{"--min-weight, --curve and --label-columns need maximum forests: minimum forests do not keep the heavy edges"};
  }
  if (min_weight) context.note_threshold(found.weights.view(), *min_weight);
  hierarchy joined{found.edges, found.weights.view(), &context.memory};
  labels = partial<labelling>{joined.labels_at(least_of(min_weight)), &context.memory}.take_answer();
  if (!options.columns.empty()) joined_ = std::move(joined);
  if (!options.curve.empty()) {
    curve_ = options.choice.curve(found.edges, found.weights.view(), context.on());
  }
}

std::string weighted_merge::fault(const std::vector<std::string>& files, bool against_files, const input_options& edges,
                                  resources& context) const {
  if (!against_files && edges.graphs.empty()) return {};
  const graph heavy = edges_from(forest.answer(), least_of(min_weight_), &context.memory);
  const auto positions = by_position(labels, heavy.names(), &context.memory);
  if (!positions) return "a vertex of the merged forest has no label";
  if (const verdict proof = verify(heavy.view(), *positions); !proof) return proof.reason;
  if (against_files) {
    if (const verdict proof = verify_files(forest, files, context); !proof) return proof.reason;
  }
  if (edges.graphs.empty()) return {};
  const input source{edges, context, true};
  source.expect_weights("--verify-against");
  io::read_options reading = source.read_options();
  reading.min_weight.reset();  // the merged forest is a forest of all edges, light ones included
  return verify_part(source.paths(), {}, reading, forest, context.on()).reason;
}

void weighted_merge::write(const weighted_merge_options& options, resources& context) const {
  const weighted_forest_result& merged = forest.answer();
  if (!options.edges.empty()) io::write_weighted_edges(merged.edges, merged.weights.view(), options.edges, {}, context.on());
  if (joined_) write_labels_at(options.choice.at, *joined_, options.columns);
  context.observer.clear();
  if (!options.curve.empty()) write_curve(curve_, options.curve);
}

json weighted_merge::as_json() const {
  return {{"goal", is_maximum(forest.answer()) ? "maximum" : "minimum"},
          {"forest_edges", forest.answer().edge_count()},
          {"min_weight", min_weight_ ? json(*min_weight_) : json(nullptr)}};
}

struct merge_command {
  std::vector<std::string> forests;
  input_options edges;  ///< the input of --verify-against; its --min-weight is also the threshold of the answer if the forests have weights
  weighted_merge_options weighted;
  run_options run;
  label_output labels{.takes_forest = true};
  bool verify = false;
};

/// The merged forest, with or without weights, and its labels.
struct merged_forests {
  partial<labelling> forest;
  std::optional<weighted_merge> weighted;

  [[nodiscard]] const labelling& labels() const noexcept { return weighted ? weighted->labels : forest.answer(); }
  void save(const std::string& path) const { weighted ? weighted->forest.save(path) : forest.save(path); }
};

/// Throws usage_error for options that do not fit the kind of the files.
void require_sense_of(const merge_command& options, bool weighted) {
  options.weighted.require_sense(weighted);
  const auto& min_weight = options.edges.read.min_weight;
  if (!weighted && min_weight && options.edges.graphs.empty()) {
    throw usage_error{"--min-weight needs --verify-against, or forests with weights, which copse reduce --weight or --maximum writes"};
  }
  if (weighted && min_weight && options.labels.is_forest()) {
    throw usage_error{"--min-weight needs a file of labels, as a .forest keeps all thresholds: give -o FILE.csv"};
  }
}

/// Returns what is wrong with the answer; empty if nothing is, or if no proof was asked for.
std::string fault_of(const merge_command& options, const merged_forests& merged, resources& context) {
  if (merged.weighted) return merged.weighted->fault(options.forests, options.verify, options.edges, context);
  if (options.verify) {
    if (const verdict proof = verify_files(merged.forest, options.forests, context); !proof) return proof.reason;
  }
  if (options.edges.graphs.empty()) return {};
  const input edges{options.edges, context};
  if (edges.generated()) return verify(edges.read(), merged.labels()).reason;
  return verify(edges.paths(), edges.read_options(), merged.labels(), context.on()).reason;
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
    merged.forest = merge_files<labelling>(options.forests, context);
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
