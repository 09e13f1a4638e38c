#include "weighted.hpp"

#include <fmt/format.h>

#include <copse/errors.hpp>
#include <copse/io.hpp>

#include "output.hpp"
#include "table_file.hpp"

namespace copse::cli {

strongest_forest::strongest_forest(const input_options& options, resources& context, const std::string& asked_by, bool keep_graph,
                                   const std::string& device) {
  const stopwatch reading;
  input source{options, context, true};
  if (keep_graph) source.number_edges(numbers);
  const bool on_gpus = device != "cpu";
  const weighted_forest_options settings{.goal = forest_goal::maximum, .positions = keep_graph};
  if (keep_graph || on_gpus) {
    graph = source.read_weighted(asked_by);
    forest = weighted_forest(graph, settings, context.on(device));
    if (!keep_graph) graph = {};
  } else {
    forest = source.read_forest(asked_by, settings);
  }
  edges = forest.report.edges;
  read_seconds = reading.seconds() - forest.report.solve_seconds;
}

std::optional<std::vector<double>> numbers_with_commas(const std::string& text) { return all_parsed(text, weight_number); }

void threshold_choice::require_sense() const {
  if (!at.empty() && points) throw usage_error{"--points: found --at as well, expected one of them"};
}

std::vector<threshold_point> threshold_choice::curve(const graph& forest, weights_view weights, const execution& on) const {
  if (!at.empty()) return threshold_curve(forest, weights, at, on);
  return threshold_curve(forest, weights, points ? threshold_levels(weights, *points, on) : threshold_levels(weights, on), on);
}

namespace {

std::string csv_of(const std::vector<threshold_point>& curve) {
  std::string text = "threshold,components,largest,singletons,median,percentile_90,percentile_99,pairs\n";
  for (const threshold_point& p : curve) {
    text += fmt::format("{},{},{},{},{},{},{},{}\n", p.threshold, p.components, p.largest, p.singletons, p.median, p.percentile_90,
                        p.percentile_99, p.pairs);
  }
  return text;
}

}  // namespace

json json_of(const std::vector<threshold_point>& curve) {
  json points = json::array();
  for (const threshold_point& p : curve) {
    points.push_back({{"threshold", p.threshold},
                      {"components", p.components},
                      {"largest", p.largest},
                      {"singletons", p.singletons},
                      {"median", p.median},
                      {"percentile_90", p.percentile_90},
                      {"percentile_99", p.percentile_99},
                      {"pairs", p.pairs}});
  }
  return points;
}

void write_curve(const std::vector<threshold_point>& curve, const std::string& path) {
  const std::string text = csv_of(curve);
  if (path == "-") return write_stdout(text);
  io::output_file file{path};
  file.write(text.data(), text.size());
  file.commit();
}

void write_label_columns(const std::vector<double>& thresholds, const std::vector<const labelling*>& columns, const std::string& path) {
  table_file file{path, label_columns_text, {}};
  if (std::filesystem::path{path}.extension() != ".txt") {
    file.text("id");
    for (const double t : thresholds) file.text(fmt::format("at_{}", t));
    file.end_line();
  }
  const std::uint64_t vertices = columns.empty() ? 0 : columns.front()->slots();
  for (std::uint64_t v = 0; v < vertices; ++v) {
    file.name(columns.front()->names(), v);
    for (const labelling* column : columns) file.name(column->names(), column->label(v));
    file.end_line();
  }
  file.commit();
}

void write_labels_at(const std::vector<double>& thresholds, const hierarchy& joined, const std::string& path) {
  std::vector<labelling> labels;
  std::vector<const labelling*> columns;
  for (const double t : thresholds) labels.push_back(joined.labels_at(t));
  for (const labelling& column : labels) columns.push_back(&column);
  write_label_columns(thresholds, columns, path);
}

}  // namespace copse::cli
