#include "weighted.hpp"

#include <fmt/format.h>

#include <copse/errors.hpp>
#include <copse/io.hpp>

#include "io/table_writer.hpp"
#include "io/written_suffix.hpp"
#include "output.hpp"

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
  if (!at.empty() && points) throw usage_error{"--points cannot be used with --at"};
}

std::vector<threshold_point> threshold_choice::curve(const graph& forest, weights_view weights, const execution& on) const {
  if (!at.empty()) return threshold_curve(forest, weights, at, on);
  return threshold_curve(forest, weights, points ? threshold_levels(weights, *points, on) : threshold_levels(weights, on), on);
}

namespace {

/// The format of a curve: CSV, unless the name has the suffix of a columnar format.
io::write_options curve_format(const std::string& path) { return format_only(io::is_columnar_suffix(suffix_of(path)) ? "" : "csv"); }

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

void expect_curve_suffix(const std::string& path) { io::expect_table_suffix(path, curve_format(path), {".csv"}, "thresholds"); }

void write_curve(const std::vector<threshold_point>& curve, const std::string& path) {
  std::vector<io::table_column> columns{{"threshold", io::column_kind::reals}};
  for (const char* const count : {"components", "largest", "singletons", "median", "percentile_90", "percentile_99", "pairs"})
    columns.push_back({count, io::column_kind::numbers});
  io::table_writer file{path, curve_format(path), columns};
  for (const threshold_point& p : curve) {
    file.real(p.threshold);
    for (const std::uint64_t count : {p.components, p.largest, p.singletons, p.median, p.percentile_90, p.percentile_99, p.pairs})
      file.number(count);
    file.end_row();
  }
  file.commit();
}

void write_label_columns(const std::vector<double>& thresholds, const std::vector<const labelling*>& columns, const std::string& path) {
  if (columns.empty()) throw usage_error{path + ": give at least one threshold"};
  const vertex_names& names = columns.front()->names();
  std::vector<io::table_column> described{{"id", io::column_kind::ids, &names}};
  for (const double t : thresholds) described.push_back({fmt::format("at_{}", t), io::column_kind::ids, &names});
  io::table_writer file{path, table_format(path), described};
  for (std::uint64_t v = 0; v < columns.front()->slots(); ++v) {
    file.name(names, v);
    for (const labelling* column : columns) file.name(names, column->label(v));
    file.end_row();
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
