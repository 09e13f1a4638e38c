// The command copse dendrogram, which writes single linkage in the form of SciPy and cuts it into clusters.
#include <fmt/format.h>

#include <algorithm>
#include <copse/components.hpp>
#include <copse/hierarchy.hpp>
#include <copse/io.hpp>
#include <copse/weighted_forest.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "input.hpp"
#include "io/table_writer.hpp"
#include "io/written_suffix.hpp"
#include "json.hpp"
#include "output.hpp"
#include "solution.hpp"
#include "weighted.hpp"

namespace copse::cli {
namespace {

// The top of the dendrogram of the largest component: its merges at the weakest edges, few enough to be drawn.

struct weak_edge {
  double weight;
  std::uint64_t u, v;
  /// Orders edges by ascending weight; edges of equal weight in the reverse order of their ends.
  friend bool operator<(const weak_edge& a, const weak_edge& b) {
    if (a.weight != b.weight) return a.weight < b.weight;
    return std::minmax(a.u, a.v) > std::minmax(b.u, b.v);
  }
};

/// Returns `leaves` (label, size), the at most `most` clusters that remain when the weakest edges of the largest component are removed, in
/// the order of their labels, and `merges` (first, second, weight, size), which join them again, the heaviest edge first. As in SciPy merge
/// i makes cluster leaves + i.
json top_levels(const weighted_forest_result& forest, std::size_t most, resources& context) {
  const auto whole = components(forest.edges, {}, context.on()).labels;
  const component giant = summarise(whole, 0, context.on()).largest;
  return std::visit(
      [&]<class Shape>(const Shape& shape) -> json {
        if constexpr (requires { shape.edges; }) {
          using id = typename Shape::id_type;
          std::vector<weak_edge> weakest;  // a heap with the heaviest of the weakest edges on top
          coo<id> others{shape.vertex_count, buffer<edge<id>>{shape.edges.size(), &context.memory}};
          for (std::size_t i = 0; i < shape.edges.size(); ++i) {
            const auto [u, v] = shape.edges[i];
            if (whole.label(u) != giant.label) continue;
            weakest.push_back({forest.weights[i], u, v});
            std::push_heap(weakest.begin(), weakest.end());
            if (weakest.size() < most) continue;
            std::pop_heap(weakest.begin(), weakest.end());
            weakest.pop_back();
          }
          std::sort(weakest.begin(), weakest.end());
          std::size_t kept = 0;
          for (std::size_t i = 0; i < shape.edges.size(); ++i) {
            const auto [u, v] = shape.edges[i];
            if (whole.label(u) == giant.label && !std::binary_search(weakest.begin(), weakest.end(), weak_edge{forest.weights[i], u, v}))
              others.edges[kept++] = {u, v};
          }
          others.edges.shrink(kept);
          auto view = others.view();
          view.trusted = true;
          const auto parts = components(graph_view{view}, {}, context.on()).labels;
          std::map<std::uint64_t, std::size_t> numbers;  // by label: the number of each cluster that becomes a leaf
          if (giant.size != 0) numbers[parts.label(giant.label)];
          for (const weak_edge& e : weakest) {
            numbers[parts.label(e.u)];
            numbers[parts.label(e.v)];
          }
          std::vector<std::uint64_t> sizes(numbers.size());
          std::size_t next = 0;
          for (auto& [label, number] : numbers) number = next++;
          for (std::uint64_t v = 0; v < parts.slots(); ++v) {
            if (const auto found = numbers.find(parts.label(v)); found != numbers.end()) ++sizes[found->second];
          }
          json leaves = json::array(), merges = json::array();
          for (const auto& [label, number] : numbers)
            leaves.push_back({{"label", name_json(forest.edges.names(), label)}, {"size", sizes[number]}});
          std::vector<std::size_t> cluster(numbers.size());  // the cluster that each leaf is in
          for (std::size_t i = 0; i < cluster.size(); ++i) cluster[i] = i;
          for (auto e = weakest.rbegin(); e != weakest.rend(); ++e) {
            const auto [first, second] = std::minmax({cluster[numbers[parts.label(e->u)]], cluster[numbers[parts.label(e->v)]]});
            const std::size_t joined = leaves.size() + merges.size();
            for (auto& c : cluster) c = c == first || c == second ? joined : c;
            sizes.push_back(sizes[first] + sizes[second]);
            merges.push_back({{"first", first}, {"second", second}, {"weight", e->weight}, {"size", sizes.back()}});
          }
          return {{"label", giant.size == 0 ? json{} : name_json(forest.edges.names(), giant.label)},
                  {"size", giant.size},
                  {"leaves", std::move(leaves)},
                  {"merges", std::move(merges)}};
        } else {
          return nullptr;  // not reached: a forest is a list
        }
      },
      forest.edges.shape());
}

constexpr std::size_t usual_levels = 30;

struct dendrogram_command {
  input_options input;
  run_options run;
  std::string output, labels;
  std::optional<double> threshold, top;
  std::optional<std::uint64_t> clusters;
  std::optional<std::size_t> levels;
  std::string device = "cpu";
  bool as_json = false;
};

void require_sense(const dendrogram_command& options) {
  const int cuts = (options.threshold ? 1 : 0) + (options.clusters ? 1 : 0);
  if (cuts > 1) throw usage_error{"--clusters cannot be used with --threshold"};
  if ((cuts == 1) == options.labels.empty())
    throw usage_error{"--labels and one of --threshold and --clusters, which say where to cut, must be given together"};
  if (options.output.empty() && options.labels.empty() && !options.as_json)
    throw usage_error{"dendrogram needs an output: -o, --labels or --json"};
  if (!options.output.empty()) io::expect_table_suffix(options.output, {}, {".npy", ".csv", ".txt"}, "a linkage");
  if (options.top && options.output.empty()) throw usage_error{"--top needs -o FILE.npy, which has heights"};
  if (options.levels && !options.as_json) throw usage_error{"--levels needs --json, which has the top of the tree"};
  if (!options.labels.empty()) io::expect_labels_suffix(options.labels);
  require_outputs({options.output, options.labels}, files_of(options.input));
  if (options.as_json) require_free_stdout({options.output, options.labels});
}

/// Writes a table: the two clusters that each merge joins, by number, its height, and the vertices of both.
void write_linkage_table(const buffer<hierarchy::merge>& merges, const std::string& path) {
  using kind = io::column_kind;
  io::table_writer file{path, {}, {{"first", kind::numbers}, {"second", kind::numbers}, {"height", kind::reals}, {"size", kind::numbers}}};
  for (const hierarchy::merge& merge : merges) {
    file.number(static_cast<std::uint64_t>(merge.first));
    file.number(static_cast<std::uint64_t>(merge.second));
    file.real(merge.height);
    file.number(static_cast<std::uint64_t>(merge.size));
    file.end_row();
  }
  file.commit();
}

/// Writes the linkage matrix as an array of (n - 1) x 4 doubles.
void write_linkage(const buffer<hierarchy::merge>& merges, const std::string& path) {
  static_assert(sizeof(hierarchy::merge) == 4 * sizeof(double));
  std::string header = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, 4), }}", merges.size());
  constexpr std::size_t before = 10;
  header.append(63 - (before + header.size()) % 64, ' ').append("\n");
  const auto size = static_cast<std::uint16_t>(header.size());
  io::output_file file{path};
  file.write("\x93NUMPY\x01\x00", 8);
  file.write(&size, sizeof size);
  file.write(header.data(), header.size());
  file.write(merges.data(), merges.size() * sizeof(hierarchy::merge));
  file.commit();
}

int run_dendrogram(const dendrogram_command& options) {
  const stopwatch total;
  require_sense(options);
  resources context{options.run};
  const strongest_forest found{options.input, context, "dendrogram"};
  const std::uint64_t vertices = found.forest.edges.vertices(), components = found.forest.count();
  const std::string text = fmt::format("vertices    {}\nedges       {}\ncomponents  {}\n", vertices, found.edges, components);
  std::optional<labelling> labels;  // computed before anything is written, as it throws if there are no such clusters
  if (!options.labels.empty()) {
    if (options.threshold) context.note_threshold(found.forest.weights.view(), *options.threshold);
    const hierarchy joined{found.forest.edges, found.forest.weights.view(), &context.memory};
    labels = options.threshold ? joined.labels_at(*options.threshold) : joined.clusters(*options.clusters);
  }
  solve_report report;
  if (!options.output.empty()) {
    const auto result = dendrogram(found.forest.edges, found.forest.weights.view(), options.top, context.on(options.device));
    report = result.report;
    options.output.ends_with(".npy") ? write_linkage(result.merges, options.output) : write_linkage_table(result.merges, options.output);
  }
  if (labels) io::write_labels(*labels, options.labels, {}, context.on());
  json object;
  if (options.as_json) {
    object = {{"command", command_text()},
              {"vertices", vertices},
              {"edges", found.edges},
              {"components", components},
              {"device", report.device},
              {"seconds",
               {{"read", found.read_seconds},
                {"forest", found.forest.report.solve_seconds},
                {"dendrogram", report.solve_seconds},
                {"total", total.seconds()}}},
              {"top", top_levels(found.forest, options.levels.value_or(usual_levels), context)}};
  }
  context.observer.clear();
  if (options.as_json) {
    print_json(object);
  } else {
    write_report(text, {options.output, options.labels});
  }
  return exit_code::done;
}

}  // namespace

void add_dendrogram(CLI::App& app, action& chosen) {
  auto [command, options] = add_command<dendrogram_command>(
      app, chosen, "dendrogram", "Make the single-linkage tree of a graph with weights, and cut it", run_dendrogram);
  add_graph(*command, options->input, false);
  add_file(*command, "-o,--output", options->output,
           "Write SciPy's linkage matrix here (.npy, or a table of .csv .txt .parquet .arrow); vertices in ascending order of their ids, "
           "height: the largest weight of the forest "
           "less the edge's");
  add_parsed(*command, "--top", options->top, "H", "Height at which components join last (default: the largest height, doubled)",
             "a number", finite_number);
  add_device_option(*command, options->device, "Solving");
  add_file(*command, "--labels", options->labels, "Write the labels of the clusters here, as copse components does");
  add_parsed(*command, "--threshold", options->threshold, "X", "Clusters: joined by edges of weight X or more", "a number", weight_number);
  command->add_flag("--json", options->as_json, "Print one JSON object, with the top of the largest component's tree");
  add_number(*command, "--levels", options->levels, 2, 1000, "With --json: the top as far as N clusters (default 30)");
  add_number(*command, "--clusters", options->clusters, 1, UINT64_MAX, "Clusters: this many");
  add_input_options(*command, options->input);
  add_run_options(*command, options->run);
}

}  // namespace copse::cli
