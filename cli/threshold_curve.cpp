#include "threshold_curve.hpp"

#include <fmt/format.h>

#include <copse/errors.hpp>
#include <copse/io.hpp>

#include "label_columns.hpp"
#include "output.hpp"

namespace copse::cli {

void threshold_choice::require_sense() const {
  if (!at.empty() && points) throw usage_error{"--points: found --at as well, expected one of them"};
}

std::vector<threshold_point> threshold_choice::curve(const graph& forest, weights_view weights, const threshold_options& options) const {
  if (!at.empty()) return threshold_curve(forest, weights, at, options);
  return threshold_curve(forest, weights, points ? threshold_levels(weights, *points, options) : threshold_levels(weights, options),
                         options);
}

std::string csv_of(const std::vector<threshold_point>& curve) {
  std::string text = "threshold,components,largest,singletons,median,percentile_90,percentile_99,pairs\n";
  for (const threshold_point& p : curve) {
    text += fmt::format("{},{},{},{},{},{},{},{}\n", p.threshold, p.components, p.largest, p.singletons, p.median, p.percentile_90,
                        p.percentile_99, p.pairs);
  }
  return text;
}

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

void write_labels_at(const std::vector<double>& thresholds, const hierarchy& joined, const std::string& path) {
  std::vector<label_column> columns;
  for (const double t : thresholds) columns.push_back({fmt::format("at_{}", t), joined.labels_at(t)});
  write_label_columns(columns, path);
}

}  // namespace copse::cli
