// Code that the commands about thresholds share: the maximum spanning forest of a GRAPH, the choice of thresholds, and the components at
// these, as tables and as JSON.
#pragma once
#include <copse/execution.hpp>
#include <copse/hierarchy.hpp>
#include <copse/labels.hpp>
#include <copse/weighted_forest.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input.hpp"
#include "json.hpp"

namespace copse::cli {

/// The maximum spanning forest of a graph, and the graph itself if `keep_graph` is true. For a GPU the edges are held in memory while it
/// works.
struct strongest_forest {
  strongest_forest(const input_options& options, resources& context, const std::string& asked_by, bool keep_graph = false,
                   const std::string& device = "cpu");

  weighted_graph graph;      ///< the graph; empty unless it was to be kept
  io::edge_numbers numbers;  ///< the numbers of the edges in the file
  weighted_forest_result forest;
  std::uint64_t edges = 0;  ///< number of edges of the graph
  double read_seconds = 0;
};

/// Parses numbers such as `.5,.9`; empty unless all are finite numbers.
std::optional<std::vector<double>> numbers_with_commas(const std::string& text);

/// What a table of labels at several thresholds holds, for expect_table_suffix().
inline constexpr std::string_view label_columns_text = "columns of labels";

/// The thresholds that the user asked for: those that --at lists, or as many as --points says.
struct threshold_choice {
  std::vector<double> at;
  std::optional<std::uint64_t> points;

  /// Throws usage_error if both --at and --points are given.
  void require_sense() const;
  /// Returns the components at the thresholds of --at, at as many thresholds as --points says, or at every threshold at which the
  /// components of this maximum forest change.
  [[nodiscard]] std::vector<threshold_point> curve(const graph& forest, weights_view weights, const execution& on) const;
};

json json_of(const std::vector<threshold_point>& curve);
/// Throws input_error for a .parquet or .arrow file if the plug-in that writes it is missing.
void expect_curve_suffix(const std::string& path);
/// Writes columns to a .parquet or .arrow file, otherwise CSV with a header; "-" is standard output.
void write_curve(const std::vector<threshold_point>& curve, const std::string& path);
/// Writes a line for each vertex, in ascending order: its id, and its label at each threshold. `.csv` (header `id`, `at_X`, ..), `.txt`
/// (tabs, no header; a name with a tab is refused), `.parquet` or `.arrow`.
void write_label_columns(const std::vector<double>& thresholds, const std::vector<const labelling*>& columns, const std::string& path);
/// Calls write_label_columns() with the labels of a hierarchy at these thresholds.
void write_labels_at(const std::vector<double>& thresholds, const hierarchy& joined, const std::string& path);

}  // namespace copse::cli
